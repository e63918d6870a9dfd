"""Sends a frame that is no message. It must lose by the protocol."""

import os

from arena import Bot
from tests.isolation.wire import wire


class FrameOfNonsense(Bot):
    def act(self, observation):
        os.write(wire(), (8).to_bytes(4, "little") + b"\xc1\xffnot it")
        return observation.legal_actions[0]

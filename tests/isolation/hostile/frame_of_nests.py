"""Sends lists in lists, to overflow the stack of the harness. It must lose by the protocol."""

import os

from arena import Bot
from tests.isolation.wire import wire


class FrameOfNests(Bot):
    def act(self, observation):
        os.write(wire(), (60_000).to_bytes(4, "little") + b"\x91" * 60_000)
        return observation.legal_actions[0]

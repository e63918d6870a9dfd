"""Announces a frame of four gigabytes, for the harness to make room for.

It must lose by the protocol or by too much output, at once.
"""

import os

from arena import Bot
from tests.isolation.wire import wire


class FrameOfFourGigabytes(Bot):
    def act(self, observation):
        os.write(wire(), b"\xff\xff\xff\xff" + bytes(60_000))
        return observation.legal_actions[0]

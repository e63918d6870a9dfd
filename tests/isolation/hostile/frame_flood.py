"""Writes frames without end. It must lose by the protocol or by too much output."""

import os

from arena import Bot
from tests.isolation.wire import wire


class FrameFlood(Bot):
    def act(self, observation):
        while True:
            os.write(wire(), (b"\x01\x00\x00\x00" + b"\x90") * 4_000)

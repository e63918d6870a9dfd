"""Writes an answer byte by byte, so that something always just came. It must lose by timeout."""

import os
import time

from arena import Bot
from tests.isolation.wire import wire


class FrameDrip(Bot):
    def act(self, observation):
        os.write(wire(), (60_000).to_bytes(4, "little"))
        while True:
            os.write(wire(), b"\x90")
            time.sleep(0.02)

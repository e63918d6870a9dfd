"""Writes an answer byte by byte, so that something always just came. It must lose by timeout."""

import os
import stat
import time

from arena import Bot


def wire():
    """The descriptor on which our runtime answers the harness."""
    for number in range(3, 256):
        try:
            mode = os.fstat(number).st_mode
        except OSError:
            continue
        if stat.S_ISSOCK(mode) or stat.S_ISFIFO(mode):
            return number
    raise LookupError("no wire was found")


class FrameDrip(Bot):
    def act(self, observation):
        os.write(wire(), (60_000).to_bytes(4, "little"))
        while True:
            os.write(wire(), b"\x90")
            time.sleep(0.02)

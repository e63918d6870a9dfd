"""Writes frames without end. It must lose by the protocol or by too much output."""

import os
import stat

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


class FrameFlood(Bot):
    def act(self, observation):
        while True:
            os.write(wire(), (b"\x01\x00\x00\x00" + b"\x90") * 4_000)

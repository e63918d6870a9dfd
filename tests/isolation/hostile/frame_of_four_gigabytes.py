"""Announces a frame of four gigabytes, for the harness to make room for.

It must lose by the protocol or by too much output, at once.
"""

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


class FrameOfFourGigabytes(Bot):
    def act(self, observation):
        os.write(wire(), b"\xff\xff\xff\xff" + bytes(60_000))
        return observation.legal_actions[0]

"""Writes half a frame before its answer, which then reads as the other half.

It must lose by the protocol, or by timeout when the harness still waits for the rest.
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


class HalfAFrame(Bot):
    def act(self, observation):
        os.write(wire(), (100).to_bytes(4, "little") + b"\x91\x83\xa2id")
        return observation.legal_actions[0]

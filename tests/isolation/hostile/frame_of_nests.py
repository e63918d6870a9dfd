"""Sends lists in lists, to overflow the stack of the harness. It must lose by the protocol."""

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


class FrameOfNests(Bot):
    def act(self, observation):
        os.write(wire(), (60_000).to_bytes(4, "little") + b"\x91" * 60_000)
        return observation.legal_actions[0]

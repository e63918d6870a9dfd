"""Sends a frame that is no message. It must lose by the protocol."""

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


class FrameOfNonsense(Bot):
    def act(self, observation):
        os.write(wire(), (8).to_bytes(4, "little") + b"\xc1\xffnot it")
        return observation.legal_actions[0]

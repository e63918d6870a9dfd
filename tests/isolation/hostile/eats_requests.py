"""Reads its requests itself, from under our runtime. It must lose by timeout."""

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


class EatsRequests(Bot):
    def act(self, observation):
        os.read(wire(), 1 << 20)
        return observation.legal_actions[0]

"""Puts its log in the place of the wire. It must lose, by crash, by the protocol or by timeout."""

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


class ReplacesDescriptors(Bot):
    def act(self, observation):
        os.dup2(1, wire())
        return observation.legal_actions[0]

"""Fills its memory to the brim, so that our runtime beside it has none left to answer with.

It must lose, by whatever becomes of its process; the harness must not wait for it.
"""

import contextlib

from arena import Bot

HOARD = []


class SwallowsMemoryErrors(Bot):
    def act(self, observation):
        for size in (1 << 24, 1 << 16, 1 << 10, 1 << 6):
            with contextlib.suppress(MemoryError):
                while True:
                    HOARD.append(bytearray(size))
        return observation.legal_actions[0]

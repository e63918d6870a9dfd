"""Lifts Python's limit and calls itself through C until the stack is gone.

It must lose by crash or memory.
"""

import sys

from arena import Bot


class Deep:
    def __init__(self, inner):
        self.inner = inner

    def __repr__(self):
        return repr(Deep(self))


class RecursionUnlimited(Bot):
    def act(self, observation):
        sys.setrecursionlimit(2**31 - 1)
        repr(Deep(None))
        return observation.legal_actions[0]

"""Ends its process when a match is over: others that it plays at that time must go on.

It may lose matches by crash, once it did so too often.
"""

import os

from arena import Bot


class ExitsInFinish(Bot):
    def act(self, observation):
        return observation.legal_actions[0]

    def finish(self, outcome):
        os._exit(0)

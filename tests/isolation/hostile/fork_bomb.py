"""Forks. There are no forks in the box: it plays on. A bomb of one is enough to see it."""

import os

from arena import Bot


class ForkBomb(Bot):
    def start(self, context):
        try:
            child = os.fork()
        except OSError:
            return
        if child == 0:
            os._exit(0)
        os.waitpid(child, 0)
        raise RuntimeError("GOT: a fork")

    def act(self, observation):
        return observation.legal_actions[0]

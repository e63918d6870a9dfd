"""Hangs when a match is over. That match stands; it may lose its next one by timeout."""

from arena import Bot


class LoopsInFinish(Bot):
    def act(self, observation):
        return observation.legal_actions[0]

    def finish(self, outcome):
        while True:
            pass

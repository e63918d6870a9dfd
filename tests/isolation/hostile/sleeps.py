"""Sleeps at its first decision, using no CPU time at all. It must lose by timeout."""

import time

from arena import Bot


class Sleeps(Bot):
    def act(self, observation):
        time.sleep(3600)
        return observation.legal_actions[0]

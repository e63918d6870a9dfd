"""Answers each decision just in time, to draw its matches out. It must lose by its time bank."""

import time

from arena import Bot


class Drips(Bot):
    def act(self, observation):
        time.sleep(0.2)
        return observation.legal_actions[0]

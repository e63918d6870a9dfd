"""Signals to its other processes by load: it computes or rests, and takes the time.

Nobody can forbid that; but it must stay within its limits, and no other match may change.
"""

import time

from arena import Bot


class ColludesByTiming(Bot):
    def start(self, context):
        self.heard = 0

    def act(self, observation):
        end = time.perf_counter() + 0.001
        turns = 0
        while time.perf_counter() < end:
            turns += 1
        self.heard += turns
        time.sleep(0.001 * (observation.hand[:1] == observation.hand[1:2]))
        return observation.legal_actions[0]

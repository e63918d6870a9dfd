"""Fixes every source of chance that it can reach, for its opponents too. It plays on.

The matches of others, the ones of the bot ``random`` among them, must not change.
"""

import random

from arena import Bot
from arena.core.chance import seeding


class ReseedsRandom(Bot):
    def start(self, context):
        random.seed(0)
        random.random = lambda: 0.0
        random.Random.random = random.Random.choice = lambda *arguments: arguments[-1]
        seeding.generator = lambda seed: random.Random(0)

    def act(self, observation):
        random.seed(0)
        return observation.legal_actions[0]

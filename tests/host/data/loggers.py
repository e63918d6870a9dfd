"""Bots that print in every match, each line with the seed of its match."""

import os
import random
import sys

from arena import Bot

SEEN = set()
"""Ids of all requests so far, which it takes out of our runtime's frames."""


class Logger(Bot):
    """Prints at its start and at each decision; raises now and then.

    If it forges, it writes past the runtime, under the tags of all requests before.
    """

    def __init__(self, every: int = 0, forge: bool = False) -> None:
        self.every, self.forge = every, forge

    def start(self, context):
        self.seed = context.seed
        self.random = random.Random(context.seed)
        print("start", self.seed)

    def act(self, observation):
        print("act", self.seed, end=" ")
        sys.stderr.write(f"in parts {self.seed}\n")
        print(len(observation.legal_actions), self.seed)
        if self.forge:
            now = {request.id for request in sys._getframe(1).f_locals["requests"]}
            earlier = [*(SEEN - now), *range(1000)]
            SEEN.update(now)
            os.write(1, b"".join(b"\x1e%d forged\n" % id for id in earlier[-2000:]))
        if self.every and not self.random.randrange(self.every):
            print("last words", self.seed, end="")
            raise ValueError(self.seed)
        return observation.legal_actions[0]

    def finish(self, outcome):
        print("finish of", self.seed)

"""Loops in C, where no Python signal handler is ever called. It must lose by timeout."""

import re

from arena import Bot


class HoldsTheInterpreter(Bot):
    def act(self, observation):
        re.match(r"(a+)+$", "a" * 60 + "b")
        return observation.legal_actions[0]

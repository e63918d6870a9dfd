"""Thinks for ever at its first decision. It must lose by timeout, and its process must go."""

from arena import Bot


class Loops(Bot):
    def act(self, observation):
        while True:
            pass

"""Calls itself without end. It must lose by crash, as Python itself stops it."""

from arena import Bot


class Recursion(Bot):
    def act(self, observation):
        return self.act(observation)

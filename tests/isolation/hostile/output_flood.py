"""Prints without end. It must lose by too much output, and its log must stay small."""

from arena import Bot


class OutputFlood(Bot):
    def act(self, observation):
        while True:
            print("all work and no play makes a dull bot " * 100)

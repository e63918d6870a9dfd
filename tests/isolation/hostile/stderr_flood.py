"""Writes bytes that are no text to stderr without end. It must lose by too much output."""

import os

from arena import Bot


class StderrFlood(Bot):
    def act(self, observation):
        while True:
            os.write(2, b"\xff\x00\x1b[2J" * 1000)

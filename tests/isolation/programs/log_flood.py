"""Writes to stderr without end. It must lose by too much output."""

import sys

from player import play


def decide(message):
    while True:
        sys.stderr.write("all work and no play makes a dull bot\n" * 100)


play(decide)

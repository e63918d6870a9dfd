"""Ends at its first decision. It must lose by crash."""

import sys

from player import play


def decide(message):
    sys.exit(3)


play(decide)

"""Writes an answer sign by sign, for ever. It must lose by timeout."""

import time

from player import play, send


def decide(message):
    while True:
        send(b" ")
        time.sleep(0.01)


play(decide)

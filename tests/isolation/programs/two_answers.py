"""Answers everything twice. It must lose by the protocol."""

from player import first, play, say


def decide(message):
    say(first(message))
    return first(message)


play(decide)

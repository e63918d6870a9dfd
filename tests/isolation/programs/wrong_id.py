"""Answers a request that nobody made. It must lose by the protocol."""

from player import first, play


def decide(message):
    return first(message) | {"id": message["id"] + 1_000_000}


play(decide)

"""Answers in plain English. It must lose by the protocol."""

from player import play, send


def decide(message):
    send(b"I stand, thank you\n")


play(decide)

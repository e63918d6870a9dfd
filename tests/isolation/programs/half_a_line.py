"""Writes half an answer, and waits. It must lose by timeout."""

from player import play, send


def decide(message):
    send(b'{"id": 1')


play(decide)

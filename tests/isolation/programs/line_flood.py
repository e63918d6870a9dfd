"""Writes lines without end. It must lose by the protocol or by too much output."""

from player import play, send


def decide(message):
    while True:
        send(b'{"id": 1, "action": "stand"}\n' * 1000)


play(decide)

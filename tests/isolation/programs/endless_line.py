"""Writes one line without an end. It must lose by the protocol, before it fills any memory."""

from player import play, send


def decide(message):
    while True:
        send(b'"' + b"x" * 100_000)


play(decide)

"""Answers with lists in lists in lists. It must lose by the protocol."""

from player import play, send


def decide(message):
    send(b'{"id": ' + b"[" * 30_000 + b"\n")


play(decide)

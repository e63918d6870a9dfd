"""Answers with bytes that are no text. It must lose by the protocol."""

from player import play, send


def decide(message):
    send(b'{"id": 1, "action": "\xff\xfe\x00"}\n')


play(decide)

"""Answers with numbers that are none: NaN, infinity, one of a thousand digits.

It must lose by the protocol.
"""

from player import play, send

NUMBERS = [b"NaN", b"Infinity", b"1e999", b"-1", b"9" * 1000, b"1.5", b"true", b"null"]


def decide(message):
    number = NUMBERS[message["id"] % len(NUMBERS)]
    send(b'{"id": ' + number + b', "action": "stand"}\n')


play(decide)

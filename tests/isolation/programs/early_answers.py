"""Answers ten requests to come along with each. It must lose by the protocol."""

from player import first, play, say


def decide(message):
    say(first(message))
    for number in range(1, 11):
        say({"id": message["id"] + number, "action": "end turn"})


play(decide)

"""Shared code of the hostile programs: the protocol, kept wherever a program does not break it."""

import json
import sys


def send(data):
    """Writes bytes to the harness, now."""
    sys.stdout.buffer.write(data)
    sys.stdout.flush()


def say(answer):
    send(json.dumps(answer).encode() + b"\n")


def first(message):
    """The answer of a well-behaved player: the first legal action."""
    return {"id": message["id"], "action": message["observation"]["legal_actions"][0]}


def got(message, what):
    """Reports an attack that succeeded, or plays on."""
    if what:
        failed = {"kind": "crash", "reason": "GOT", "error": f"GOT: {what}"}
        return {"id": message["id"], "failed": failed}
    return first(message)


def play(decide=first, loadout=None, batch=1):
    """Answers whatever comes, until there is no more.

    Args:
        decide: From the message of a decision to its answer; ``None`` says nothing.
        loadout: What to bring.
        batch: How many requests it wants at a time.
    """
    for line in sys.stdin.buffer:
        message = json.loads(line)
        kind = message["type"]
        if kind == "hello":
            say({"protocol": 1, "name": "hostile", "batch": batch})
        elif kind == "start":
            say({"id": message["id"], "loadout": loadout})
        elif kind == "decide":
            answer = decide(message)
            if answer is not None:
                say(answer)

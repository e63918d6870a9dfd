"""Lets a hostile bot speak to the harness past our runtime; ``furnish`` writes it into the bot."""

import os
import stat
import sys

import msgspec


def wire():
    """The descriptor on which our runtime answers the harness."""
    for number in range(3, 256):
        try:
            mode = os.fstat(number).st_mode
        except OSError:
            continue
        if stat.S_ISSOCK(mode) or stat.S_ISFIFO(mode):
            return number
    raise LookupError("no wire was found")


def frame(message):
    payload = msgspec.msgpack.encode(message)
    return len(payload).to_bytes(4, "little") + payload


def asked():
    """The requests that our runtime is about to answer, taken from its frames."""
    frame = sys._getframe()
    while frame is not None:
        for value in frame.f_locals.values():
            if hasattr(value, "matches") and hasattr(value, "observations"):
                return [value.id + place for place in range(len(value.matches))]
        frame = frame.f_back
    raise LookupError("no requests were found")

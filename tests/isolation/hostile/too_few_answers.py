"""Sends a frame without any answer. It must lose by the protocol."""

import os
import stat

import msgspec

from arena import Bot


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


class TooFewAnswers(Bot):
    def act(self, observation):
        os.write(wire(), frame([]))
        return observation.legal_actions[0]

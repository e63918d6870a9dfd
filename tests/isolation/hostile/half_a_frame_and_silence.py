"""Writes half a frame, and then nothing more. It must lose by timeout."""

import os
import stat
import time

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


class HalfAFrameAndSilence(Bot):
    def act(self, observation):
        os.write(wire(), (100).to_bytes(4, "little") + b"\x91\x83\xa2id")
        time.sleep(3600)
        return observation.legal_actions[0]

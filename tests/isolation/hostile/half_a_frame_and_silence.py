"""Writes half a frame, and then nothing more. It must lose by timeout."""

import os
import time

from arena import Bot
from tests.isolation.wire import wire


class HalfAFrameAndSilence(Bot):
    def act(self, observation):
        os.write(wire(), (100).to_bytes(4, "little") + b"\x91\x83\xa2id")
        time.sleep(3600)
        return observation.legal_actions[0]

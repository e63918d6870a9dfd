"""Writes half a frame before its answer, which then reads as the other half.

It must lose by the protocol, or by timeout when the harness still waits for the rest.
"""

import os

from arena import Bot
from tests.isolation.wire import wire


class HalfAFrame(Bot):
    def act(self, observation):
        os.write(wire(), (100).to_bytes(4, "little") + b"\x91\x83\xa2id")
        return observation.legal_actions[0]

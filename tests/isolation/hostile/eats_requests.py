"""Reads its requests itself, from under our runtime. It must lose by timeout."""

import os

from arena import Bot
from tests.isolation.wire import wire


class EatsRequests(Bot):
    def act(self, observation):
        os.read(wire(), 1 << 20)
        return observation.legal_actions[0]

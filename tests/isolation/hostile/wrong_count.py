"""Answers once more than it was asked. It must lose by the protocol."""

import os

from arena import Bot
from tests.isolation.wire import frame, wire


class WrongCount(Bot):
    def act(self, observation):
        os.write(wire(), frame([{"id": 1, "action": 0}] * 3))
        return observation.legal_actions[0]

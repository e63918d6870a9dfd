"""Answers requests that nobody made. It must lose by the protocol."""

import os

from arena import Bot
from tests.isolation.wire import frame, wire


class WrongIds(Bot):
    def act(self, observation):
        os.write(wire(), frame([{"id": 2**52 + 1, "action": 0}]))
        return observation.legal_actions[0]

"""Sends a frame without any answer. It must lose by the protocol."""

import os

from arena import Bot
from tests.isolation.wire import frame, wire


class TooFewAnswers(Bot):
    def act(self, observation):
        os.write(wire(), frame([]))
        return observation.legal_actions[0]

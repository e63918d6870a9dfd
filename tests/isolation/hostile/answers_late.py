"""Answers a request of before once more. It must lose by the protocol."""

import os

from arena import Bot
from tests.isolation.wire import asked, frame, wire


class AnswersLate(Bot):
    def start(self, context):
        self.before = None

    def act(self, observation):
        if self.before is not None:
            os.write(wire(), frame([{"id": self.before, "action": 0}]))
        self.before = min(asked())
        return observation.legal_actions[0]

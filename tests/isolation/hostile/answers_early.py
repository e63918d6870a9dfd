"""Answers the next requests before they are made. It must lose by the protocol."""

import os

from arena import Bot
from tests.isolation.wire import asked, frame, wire


class AnswersEarly(Bot):
    def act(self, observation):
        last = max(asked())
        os.write(wire(), frame([{"id": last + n, "action": 0} for n in range(1, 4)]))
        return observation.legal_actions[0]

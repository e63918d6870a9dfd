"""Gives the answers of all its matches in a batch in the wrong order, then our runtime its own.

Each such batch breaks the protocol. Asked one by one it answers twice: it must lose by the
protocol.
"""

import os

from arena import Bot
from tests.isolation.wire import asked, frame, wire


class AnswersForOtherMatches(Bot):
    def act(self, observation):
        answers = [{"id": id, "action": 0} for id in reversed(asked())]
        os.write(wire(), frame(answers))
        return observation.legal_actions[0]

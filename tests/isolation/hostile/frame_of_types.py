"""Sends answers of other types: NaN, an infinite id, a list for an action, a bool for an id.

It must lose by the protocol.
"""

import os

from arena import Bot
from tests.isolation.wire import frame, wire

ODD = (float("nan"), float("inf"), -1, 2**63, True, "1", None, [1], {"id": 1})


class FrameOfTypes(Bot):
    def act(self, observation):
        answers = [{"id": odd, "action": odd, "loadout": odd, "failed": odd} for odd in ODD]
        os.write(wire(), frame(answers))
        return observation.legal_actions[0]

"""Rewrites what it is shown, and shares it with its next matches. It plays on.

Observations are its own copies: neither its opponent's nor the harness's change.
"""

import msgspec

from arena import Bot


class RewritesObservations(Bot):
    def act(self, observation):
        answer = observation.legal_actions[0]
        for name, value in (("seat", 1 - observation.seat), ("sets", 3), ("total", 20)):
            msgspec.structs.force_setattr(observation, name, value)
        return answer

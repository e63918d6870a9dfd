"""Rewrites an action of the game in its own process, so that it goes by another's number.

It must lose by an illegal action; its opponents' actions stay what they are.
"""

import msgspec

from arena import Bot


class RewritesActions(Bot):
    def act(self, observation):
        for action in observation.legal_actions:
            msgspec.structs.force_setattr(action, "id", 99)
            msgspec.structs.force_setattr(action, "text", "win")
        return observation.legal_actions[0]

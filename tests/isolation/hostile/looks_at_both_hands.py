"""Looks whether its process ever holds both hands of one match: two seats with one history.

Both seats of a table, and both legs of a deal, must be in other processes. It plays on.
"""

from arena import Bot

SEEN = {}


class LooksAtBothHands(Bot):
    def act(self, observation):
        if len(SEEN) > 20_000:
            SEEN.clear()
        if len(observation.history) >= 20:
            other = SEEN.setdefault(observation.history[:20], observation.seat)
            if other != observation.seat:
                raise RuntimeError("GOT: a history from both sides")
        return observation.legal_actions[0]

"""Computes a number of 370 million digits, in one go. It must lose by time or memory."""

from arena import Bot


class HugeInteger(Bot):
    def act(self, observation):
        return observation.legal_actions[9**9**9 % 1]

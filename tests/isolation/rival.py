"""A well-behaved untrusted bot, whose source is nobody else's business."""

from arena import Bot

SECRET = "SECRET-of-the-rivals-strategy"


class Rival(Bot):
    def act(self, observation):
        return observation.legal_actions[len(observation.history) % len(observation.legal_actions)]

"""Plays a card, and then once more the same. It must lose by an illegal action."""

from arena import Bot


class StaleAction(Bot):
    def start(self, context):
        self.played = []

    def act(self, observation):
        for action in self.played:
            if action not in observation.legal_actions:
                return action
        self.played.append(observation.legal_actions[-1])
        return self.played[-1]

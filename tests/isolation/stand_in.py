"""A well-behaved bot that takes a hostile one's place under its name: any legal action."""

from arena import Bot


class StandIn(Bot):
    def start(self, context):
        self.rng = context.rng()

    def act(self, observation):
        return self.rng.choice(observation.legal_actions)

"""Plays a card that it does not hold. It must lose by an illegal action."""

import itertools

from arena import Bot


class SomeoneElsesAction(Bot):
    def act(self, observation):
        actions = map(self.context.game.notation.action_of, itertools.count())
        return next(action for action in actions if action not in observation.legal_actions)

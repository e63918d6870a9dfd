"""Draws and exchanges by the exact odds of improving the hand.

It draws when the hand with one more card, and the best exchange after it, has a higher value than
with the best exchange now. The value is in the mode's own unit: in points play points, else
the odds to beat a typical rival at every other seat. In a chips game it bets the least stake, and
leaves when the odds do not pay for it.

Source: expected value over the unseen cards, as in the draw odds of poker (Sklansky, "The Theory of
Poker", Two Plus Two, 1987); the values of hands are computed here (``hand_value``).
"""

from __future__ import annotations

from arena.core.bot import Bot
from arena.games.sabacc.engine.actions import (
    DRAW,
    EXCHANGE_,
    FOLD,
    PASS,
    SHOW_,
    SabaccAction,
    exchanges,
)
from arena.games.sabacc.engine.observation import SabaccObservation
from arena.games.sabacc.engine.stages import DRAWS, EXCHANGE
from arena_bots.sabacc.improvement_odds import ImprovementOdds, improvement_odds
from arena_bots.sabacc.stakes import draws_to_come, exchange_comes, price, rivals, stay


class ExactDrawer(Bot[SabaccObservation]):
    """Counts unseen cards exactly for one chance event ahead, and by the full deck beyond."""

    def act(self, observation: SabaccObservation) -> SabaccAction:
        stage = observation.stage
        if observation.swapping or stage == EXCHANGE:
            return self._exchange(observation)
        if stage in DRAWS:
            return self._draw(observation)
        return self.bet(observation)

    def bet(self, observation: SabaccObservation) -> SabaccAction:
        """Bets the least stake where the odds pay for it, else folds."""
        cost = price(observation)
        odds = self.odds(observation)
        if odds * (observation.pot + observation.carried + cost) < cost:
            return FOLD
        return stay(observation, demand=self.wants_exchange(observation))

    def odds(self, observation: SabaccObservation) -> float:
        """Returns the odds to win the hand against typical rivals."""
        ahead = _ahead(observation)
        if not exchange_comes(observation):
            return ahead.standing(observation)
        now = ahead.before_exchange(observation)
        return max(now, ahead.after_draw(observation)) if draws_to_come(observation) else now

    def wants_exchange(self, observation: SabaccObservation) -> bool:
        """Returns whether it may demand the exchange (I11), and its hand would gain by it."""
        if observation.rules.betting != "alternating" or observation.demanded:
            return False
        ahead = _ahead(observation)
        return ahead.before_exchange(observation) > ahead.standing(observation)

    def _draw(self, observation: SabaccObservation) -> SabaccAction:
        if DRAW not in observation.legal_actions:
            return PASS
        ahead = _ahead(observation)
        return DRAW if ahead.after_draw(observation) > ahead.before_exchange(observation) else PASS

    def _exchange(self, observation: SabaccObservation) -> SabaccAction:
        """Returns the best exchange, or first the showing of a card that it requires."""
        legal = observation.legal_actions
        now = tuple(action for action in legal if action.kind == EXCHANGE_)
        shows = tuple(action for action in legal if action.kind == SHOW_)
        if not shows:
            return _ahead(observation).best_exchange(observation, now)
        after = exchanges(observation.hand, observation.variant.after_showing)
        after = tuple(action for action in after if action not in now)
        best = _ahead(observation).best_exchange(observation, (*now, *after))
        return best if best in now else shows[0]


def _ahead(observation: SabaccObservation) -> ImprovementOdds:
    return improvement_odds(observation.ranks, rivals(observation))

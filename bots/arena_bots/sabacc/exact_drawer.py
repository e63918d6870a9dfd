"""An exact drawer: draws and exchanges by the exact odds of improving.

It draws when the hand with one more card, and the best exchange after it, is worth more than with
the best exchange now. What a hand is worth is what the mode counts: in points play points, else
the odds to beat a typical rival at every other seat. In a chips game it puts the least stake, and
leaves when the odds do not pay for it.

Source: peer line "Strategies seen": exchange what raises the expected strength over the cards
unseen; the odds to win in place of strength are our own.
"""

from __future__ import annotations

from arena.core.bot import Bot
from arena.games.sabacc.actions import DRAW, EXCHANGE_, FOLD, PASS, SHOW_, SabaccAction, exchanges
from arena.games.sabacc.observation import SabaccObservation
from arena.games.sabacc.stages import DRAWS, EXCHANGE
from arena_bots.sabacc.prospects import Prospects, prospects
from arena_bots.sabacc.stakes import draws_to_come, exchange_comes, price, rivals, stay


class ExactDrawer(Bot[SabaccObservation]):
    """Counts the cards it has not seen; looks one chance ahead exactly, and further typically."""

    def act(self, observation: SabaccObservation) -> SabaccAction:
        stage = observation.stage
        if observation.swapping or stage == EXCHANGE:
            return self._exchange(observation)
        if stage in DRAWS:
            return self._draw(observation)
        return self.bet(observation)

    def bet(self, observation: SabaccObservation) -> SabaccAction:
        """The least stake, where the odds pay for it."""
        cost = price(observation)
        odds = self.odds(observation)
        if odds * (observation.pot + observation.carried + cost) < cost:
            return FOLD
        return stay(observation, demand=self.wants_exchange(observation))

    def odds(self, observation: SabaccObservation) -> float:
        """The odds to win the hand against typical rivals."""
        ahead = _ahead(observation)
        if not exchange_comes(observation):
            return ahead.standing(observation)
        now = ahead.before_exchange(observation)
        return max(now, ahead.after_draw(observation)) if draws_to_come(observation) else now

    def wants_exchange(self, observation: SabaccObservation) -> bool:
        """Whether the exchange is its to demand (I11), and would do its hand good."""
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
        """The best exchange; what it takes is shown first."""
        legal = observation.legal_actions
        now = tuple(action for action in legal if action.kind == EXCHANGE_)
        shows = tuple(action for action in legal if action.kind == SHOW_)
        if not shows:
            return _ahead(observation).best_exchange(observation, now)
        after = exchanges(observation.hand, observation.variant.after_showing)
        after = tuple(action for action in after if action not in now)
        best = _ahead(observation).best_exchange(observation, (*now, *after))
        return best if best in now else shows[0]


def _ahead(observation: SabaccObservation) -> Prospects:
    return prospects(observation.rules, observation.variant, rivals(observation))

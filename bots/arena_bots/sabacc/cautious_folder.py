"""Plays a threshold like ``target_total``, leaves weak hands early and bets the least.

A hand may still improve before the exchange, so that the bar is higher afterwards: at first it
stays in with ``early``, after the exchange with ``late``.

Source: the opponents of the repository alexs2112/android-sabacc call with 18 to 23 only; the lower
bar before the exchange is our own.
"""

from __future__ import annotations

from arena.core.errors import ParseError
from arena.games.sabacc.cards.ranking import PURE
from arena.games.sabacc.engine.actions import FOLD, SabaccAction
from arena.games.sabacc.engine.observation import SabaccObservation
from arena_bots.sabacc.stakes import exchange_comes, price
from arena_bots.sabacc.target_total import TargetTotal


class CautiousFolder(TargetTotal):
    """Folds below a bar of strength wherever staying in costs chips.

    Args:
        at: The strength from which it is content with its cards, 1..23.
        early: The least strength to stay in with before the exchange, 0..23.
        late: The same after it.

    Raises:
        ParseError: A strength is not within its range.
    """

    def __init__(self, at: int = 18, early: int = 6, late: int = 16) -> None:
        super().__init__(at)
        for name, bar in (("early", early), ("late", late)):
            if not 0 <= bar <= PURE:
                raise ParseError(f"cautious-folder({name}={bar}): {name} must be within 0..{PURE}")
        self.early, self.late = early, late

    def bet(self, observation: SabaccObservation) -> SabaccAction:
        bar = self.early if exchange_comes(observation) else self.late
        if self.strength(observation) < bar and price(observation):
            return FOLD
        return super().bet(observation)

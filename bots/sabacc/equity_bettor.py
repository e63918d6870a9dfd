"""An equity bettor: raises, stays or folds by the share of the pot that it expects to win.

Its draws and exchanges are those of the exact drawer. Before every stake it draws a fixed number
of worlds that fit what it knows, and counts how often its hand wins (``bots.sabacc.worlds``). It
leaves when the pot does not pay for staying, and raises with clearly more than its fair share.

Source: the Monte Carlo equity and pot odds of poker programs (Billings, Davidson, Schaeffer,
Szafron, "The challenge of poker", Artificial Intelligence 134, 2002).
"""

from __future__ import annotations

from math import inf
from random import Random

from arena.core.errors import BadSpelling
from arena.games.sabacc.actions import FOLD, SabaccAction
from arena.games.sabacc.observation import SabaccObservation
from bots.sabacc.exact_drawer import ExactDrawer
from bots.sabacc.stakes import answering, price, raised, rivals, stay, unaffordable
from bots.sabacc.worlds import equity


class EquityBettor(ExactDrawer):
    """Bets by equity against pot odds.

    Args:
        samples: Worlds drawn before every stake, 1 and up.
        edge: Raises from this part of the way from its fair share of the pot to all of it, 0..1.
        size: How much it raises: of the pot for each rival, in proportion to that part, 0 and up.

    Raises:
        BadSpelling: A number is out of its range.
    """

    _rng: Random | None = None

    def __init__(self, samples: int = 24, edge: float = 0.2, size: float = 0.6) -> None:
        if samples < 1:
            raise BadSpelling(f"equity-bettor(samples={samples}): samples must be 1 or more")
        if not 0 <= edge <= 1:
            raise BadSpelling(f"equity-bettor(edge={edge}): edge must be within 0..1")
        if not 0 <= size < inf:
            raise BadSpelling(f"equity-bettor(size={size}): size must be a number, 0 or more")
        self.samples, self.edge, self.size = samples, edge, size

    def bet(self, observation: SabaccObservation) -> SabaccAction:
        """Leaves, stays or raises; at once with a stake that no rival can put."""
        decisive = unaffordable(observation)
        if decisive is not None:
            return decisive
        rng = self._rng = self._rng or self.context.rng()
        share = equity(observation, self.context.game, rng, self.samples)
        cost, pot = price(observation), observation.pot + observation.carried
        if share * (pot + cost) < cost:
            return FOLD
        others = rivals(observation)
        above_fair = (share * (others + 1) - 1) / others
        if above_fair > self.edge and answering(observation):
            return raised(observation, self.size * above_fair * pot / others)
        return stay(observation, demand=self.wants_exchange(observation))

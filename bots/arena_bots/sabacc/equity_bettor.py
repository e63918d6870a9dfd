"""Raises, stays or folds by the share of the pot that it expects to win.

Its draws and exchanges are those of the exact drawer. Before every stake it draws a fixed number
of worlds that fit its observation, and counts how often its hand wins (``worlds``). It
leaves when the pot does not pay for staying, and raises with clearly more than its fair share.

It plays for the match, not for chips: the gain of the pot and the cost of staying are counted in
the chance to finish ahead (``match_chances``). With a safe lead it folds everything; far
behind it stays for a pot that chips alone would not pay; and in the last hand it bets the
stake with which the pot, if won, is enough.

In poker betting the richest seat can bet more than others can answer, and they leave (B14). So a
shorter stack raises only as far as it can still call to the showdown (``reserve`` in
``stakes``): one raise too many would give the pot, and with it a safe lead, to a bot
that always bets the most. In the last hand it is free to put all it has.

Source: the Monte Carlo equity and pot odds of poker programs (Billings, Davidson, Schaeffer,
Szafron, "The challenge of poker", Artificial Intelligence 134, 2002).
"""

from __future__ import annotations

from math import inf
from random import Random

from arena.core.errors import ParseError
from arena.games.sabacc.engine.actions import FOLD, SabaccAction
from arena.games.sabacc.engine.observation import SabaccObservation
from arena_bots.sabacc import stakes
from arena_bots.sabacc.exact_drawer import ExactDrawer
from arena_bots.sabacc.match_chances import chances, lead_is_safe
from arena_bots.sabacc.worlds import equity

MAX_STAKES = 40
"""Stakes that are compared in the last hand."""


class EquityBettor(ExactDrawer):
    """Bets by equity against pot odds.

    Args:
        samples: Worlds drawn before every stake, 1 and up.
        edge: Raises from this part of the way from its fair share of the pot to all of it, 0..1.
        size: How much it raises: of the pot for each rival, in proportion to that part, 0 and up.
        match: Whether it plays to win the match; else for as many chips as it can get.

    Raises:
        ParseError: A number is out of its range.
    """

    _rng: Random | None = None

    def __init__(
        self, samples: int = 24, edge: float = 0.2, size: float = 0.6, match: bool = True
    ) -> None:
        if samples < 1:
            raise ParseError(f"equity-bettor(samples={samples}): samples must be 1 or more")
        if not 0 <= edge <= 1:
            raise ParseError(f"equity-bettor(edge={edge}): edge must be within 0..1")
        if not 0 <= size < inf:
            raise ParseError(f"equity-bettor(size={size}): size must be a number, 0 or more")
        self.samples, self.edge, self.size, self.match = samples, edge, size, match

    def act(self, observation: SabaccObservation) -> SabaccAction:
        """Folds on a safe lead (B20: at any decision); else draws, exchanges or bets."""
        if self.match and lead_is_safe(observation):
            return FOLD
        return super().act(observation)

    def bet(self, observation: SabaccObservation) -> SabaccAction:
        """Leaves, stays or raises; at once with a stake that no rival can put."""
        decisive = stakes.unaffordable(observation)
        if decisive is not None:
            return decisive
        rng = self._rng = self._rng or self.context.rng()
        share = equity(observation, self.context.game, rng, self.samples)
        staying = self._value(observation, share, stakes.price(observation))
        if staying < self._value(observation, 0.0, 0):
            return FOLD
        if self.match and not observation.hands_left:
            return self._in_the_last_hand(observation, share)
        others, pot = stakes.rivals(observation), observation.pot + observation.carried
        above_fair = (share * (others + 1) - 1) / others
        if above_fair > self.edge and stakes.answering(observation):
            return stakes.raised(observation, self.size * above_fair * pot / others)
        return stakes.stay(observation, demand=self.wants_exchange(observation))

    def _value(
        self, observation: SabaccObservation, share: float, chips: int, answer: int = 0
    ) -> float:
        """Returns the mean value of putting that many chips and winning with that probability.

        Args:
            share: The probability to win the hand; if lost, any rival is as likely to win it.
            answer: Chips that every rival who can will put in answer.
        """
        seat, active = observation.seat, observation.active
        rivals_in = [other for other, there in enumerate(active) if there and other != seat]

        def value(winner: int) -> float:
            amounts = stakes.after_hand(observation, winner, chips, answer)
            return chances(observation, amounts) if self.match else amounts[seat]

        lost = sum(map(value, rivals_in)) / len(rivals_in)
        return share * value(seat) + (1 - share) * lost

    def _in_the_last_hand(self, observation: SabaccObservation, share: float) -> SabaccAction:
        """Returns the stake that wins the match most often if every rival answers it.

        Of equal ones it is the largest: where it changes nothing when answered it may still make
        rivals leave.
        """
        best = stakes.stay(observation, demand=self.wants_exchange(observation))
        if not stakes.answering(observation):
            return best
        most = self._value(observation, share, stakes.price(observation))
        for action in stakes.growing(observation, MAX_STAKES):
            value = self._value(
                observation, share, stakes.put_by(observation, action), action.value
            )
            if value >= most:
                best, most = action, value
        return best

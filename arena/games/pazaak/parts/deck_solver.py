"""One set without hand cards, solved exactly with the rest of the deck.

As ``solver``, but every card is drawn from the rest of the deck, which differs from set to set: so
the set is solved for each position.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from arena.games.pazaak.engine.rulesets import LIMIT, SQUARES
from arena.games.pazaak.parts.solver import LOST, TIED, WON, Odds, margin

MAX_ROOM = 30
"""Points that two seats who do not stand may lack to 20 together: some 80,000 states, half a
second. A whole set has 400,000."""
_ALWAYS_MORE = 10
"""Total on which another card is never worse than to stand: it can only raise it."""
_Seat: TypeAlias = tuple[int, int]
"""Total and number of cards."""


class DeckSolver:
    """The odds of a set under best play of both seats, who draw from one deck.

    Args:
        left: How many cards of each value 1..10 it has left; at least as many as may be drawn.
        fill_wins: Whether nine cards within 20 win (S26) or merely stand (C8).
        ties: The odds in a tie, of the seat that moves first and of the other one: a Tiebreaker may
            have been laid.
    """

    def __init__(
        self, left: Sequence[int], fill_wins: bool = True, ties: tuple[Odds, Odds] = (TIED, TIED)
    ) -> None:
        self._fill_wins, self._ties = fill_wins, ties
        self._deck = sum(number << 3 * place for place, number in enumerate(left))
        self._size = sum(left)
        self._both: dict[tuple[int, int, int], Odds] = {}
        self._alone: dict[tuple[int, int, int, int, int], Odds] = {}

    def drawing(self, own: _Seat, rival: _Seat, stood: bool) -> Odds:
        """Returns the odds of a seat on 20 or less that is about to draw.

        Args:
            own: Total and number of cards, at most 8.
            rival: Those of the other seat.
            stood: Whether the rival stands.
        """
        if stood:
            return self._against(0, own, rival[0], self._deck, self._size)
        return self._against_mover(0, own, rival, self._deck, self._size)

    def _against_mover(self, mover: int, own: _Seat, rival: _Seat, deck: int, size: int) -> Odds:
        """The odds where neither stands; who moves follows from the cards that are left."""
        state = own[0], rival[0], deck
        found = self._both.get(state)
        if found is not None:
            return found
        won = lost = 0.0
        drawn = own[1] + 1
        for value in range(1, 11):
            number = deck >> 3 * value - 3 & 7
            total = own[0] + value
            if not number:
                continue
            if total > LIMIT or (drawn >= SQUARES and self._fill_wins):
                odds = LOST if total > LIMIT else WON
            else:
                rest, here, odds = deck - (1 << 3 * value - 3), (total, drawn), LOST
                full = drawn >= SQUARES
                if total > _ALWAYS_MORE or full:
                    odds = self._against(1 - mover, rival, total, rest, size - 1)[::-1]
                if total < LIMIT and not full:
                    ended = self._against_mover(1 - mover, rival, here, rest, size - 1)[::-1]
                    odds = max(odds, ended, key=margin)
            won += number * odds[0]
            lost += number * odds[1]
        found = self._both[state] = won / size, lost / size
        return found

    def _against(self, mover: int, own: _Seat, rival: int, deck: int, size: int) -> Odds:
        state = mover, own[0], own[1], rival, deck
        found = self._alone.get(state)
        if found is not None:
            return found
        won = lost = 0.0
        drawn = own[1] + 1
        for value in range(1, 11):
            number = deck >> 3 * value - 3 & 7
            total = own[0] + value
            if not number:
                continue
            if total > LIMIT:
                odds = LOST
            elif total > rival or (drawn >= SQUARES and self._fill_wins):
                odds = WON
            else:
                odds = self._ties[mover] if total == rival else LOST
                if total < LIMIT and drawn < SQUARES and odds != WON:
                    rest = deck - (1 << 3 * value - 3)
                    ended = self._against(mover, (total, drawn), rival, rest, size - 1)
                    odds = max(odds, ended, key=margin)
            won += number * odds[0]
            lost += number * odds[1]
        found = self._alone[state] = won / size, lost / size
        return found

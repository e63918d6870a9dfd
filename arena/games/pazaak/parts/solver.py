"""One set without hand cards, solved exactly: backward induction over what lies on the tables.

The solved game: both seats play the set for itself (+1 won, 0 tied, -1 lost) and hold no hand
cards; every deck card is 1-10 with equal odds (the unbound deck of S6), and 20 stands. With the
real forty cards the odds of the *next* card is available by counting (``SetSolver.ahead``); beyond
it the unbound deck is the approximation.

Nobody seems to have published these figures; the rule book (section 6) has them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TypeAlias

from arena.games.pazaak.engine.rulesets import LIMIT, SQUARES

Odds: TypeAlias = tuple[float, float]
"""Probabilities to win and to lose the set, for the seat asked about; the rest are ties."""

_Each: TypeAlias = tuple[tuple[float, ...], tuple[float, ...]]
"""The probabilities to win, and those to lose, after each value 1..10 of a card."""

UNBOUND = (1,) * 10
"""The unbound deck: how many cards of each value it has, as far as odds go."""
WON: Odds = (1.0, 0.0)
TIED: Odds = (0.0, 0.0)
LOST: Odds = (0.0, 1.0)


def margin(odds: Odds) -> float:
    """Value of the odds: a won set counts 1, a tied one 0, a lost one -1."""
    return odds[0] - odds[1]


class SetSolver:
    """The set's odds under best play of both seats, solved state by state as they are asked for.

    All 12,775 states that a set can reach take about 50 ms; share one solver (``solver``).

    A state is seen by the seat about to draw: its total and number of cards, the rival's, and
    whether the rival stands.

    Args:
        fill_wins: Whether nine cards within 20 win (S26) or merely stand (C8).
    """

    def __init__(self, fill_wins: bool = True) -> None:
        self._fill_wins = fill_wins
        self._solved: dict[tuple[int, int, int, int, bool], Odds] = {}
        self._decided: dict[tuple[int, int, int, int, bool], Odds] = {}
        self._after: dict[tuple[int, int, int, int, bool], _Each] = {}

    def __len__(self) -> int:
        """Number of states solved so far."""
        return len(self._solved)

    def solved(self) -> list[tuple[tuple[int, ...], Odds]]:
        """The states solved so far with their odds, in order."""
        return sorted(self._solved.items())

    def drawing(self, total: int, cards: int, rival: int, rival_cards: int, stood: bool) -> Odds:
        """Odds of a seat that is about to draw.

        Args:
            total: Its total, at most 20.
            cards: Number of cards on its table, at most 8.
        """
        state = (total, cards, rival, rival_cards, stood)
        odds = self._solved.get(state)
        if odds is None:
            odds = self.ahead(total, cards, rival, rival_cards, stood, UNBOUND)
            self._solved[state] = odds
        return odds

    def ahead(
        self, total: int, cards: int, rival: int, rival_cards: int, stood: bool, left: Sequence[int]
    ) -> Odds:
        """The same where the next card comes from a known deck.

        Args:
            total: Its total, at most 20.
            cards: Number of cards on its table, at most 8.
            left: How many cards of each value 1..10 the deck has left.
        """
        won = lost = 0.0
        drawn = cards + 1
        for reached, number in enumerate(left, total + 1):
            if reached > LIMIT:
                lost += number
            elif drawn >= SQUARES and self._fill_wins:
                won += number
            else:
                state = (reached, drawn, rival, rival_cards, stood)
                odds = self._decided.get(state) or self.deciding(*state)
                won += number * odds[0]
                lost += number * odds[1]
        deck = sum(left)
        return won / deck, lost / deck

    def after(self, state: tuple[int, int, int, int, bool]) -> _Each:
        """Odds of a seat that is about to draw, by the value of the card that comes.

        Args:
            state: The state, as ``drawing`` takes it.
        """
        found = self._after.get(state)
        if found is None:
            total, cards, rival, rival_cards, stood = state
            drawn, each = cards + 1, []
            for reached in range(total + 1, total + 11):
                if reached > LIMIT:
                    each.append(LOST)
                elif drawn >= SQUARES and self._fill_wins:
                    each.append(WON)
                else:
                    there = (reached, drawn, rival, rival_cards, stood)
                    each.append(self._decided.get(there) or self.deciding(*there))
            found = self._after[state] = tuple(o[0] for o in each), tuple(o[1] for o in each)
        return found

    def deciding(self, total: int, cards: int, rival: int, rival_cards: int, stood: bool) -> Odds:
        """Odds of a seat that has drawn, on 20 or less, and does what is better."""
        odds = self.standing(total, cards, rival, rival_cards, stood)
        if total < LIMIT and cards < SQUARES:
            ended = self.ending(total, cards, rival, rival_cards, stood)
            if ended[0] - ended[1] > odds[0] - odds[1]:
                odds = ended
        self._decided[total, cards, rival, rival_cards, stood] = odds
        return odds

    def standing(self, total: int, cards: int, rival: int, rival_cards: int, stood: bool) -> Odds:
        """Odds of a seat that stands now, on 20 or less."""
        if stood:
            return WON if total > rival else TIED if total == rival else LOST
        odds = self.drawing(rival, rival_cards, total, cards, True)
        return odds[1], odds[0]

    def ending(self, total: int, cards: int, rival: int, rival_cards: int, stood: bool) -> Odds:
        """Odds of a seat that ends its turn now, on 20 or less, and is to draw again."""
        if stood:
            return self.drawing(total, cards, rival, rival_cards, True)
        odds = self.drawing(rival, rival_cards, total, cards, False)
        return odds[1], odds[0]

    def stands(self, total: int, cards: int, rival: int, rival_cards: int, stood: bool) -> bool:
        """True if standing is at least as good as ending the turn, after the draw."""
        table = (total, cards, rival, rival_cards, stood)
        return margin(self.standing(*table)) >= margin(self.ending(*table))


@cache
def solver(fill_wins: bool) -> SetSolver:
    """The process's shared solver for one reading of the nine-card rule."""
    return SetSolver(fill_wins)

"""Amounts: what matches are about when it is more than winning, such as chips."""

from __future__ import annotations

from typing import Generic

from arena.core.outcome import Ending, Payoffs
from arena.core.parts.part import Part, RulesetT

MONEY = frozenset({"chips", "credits"})
"""Units of money."""


class Amounts(Part, Generic[RulesetT]):
    """The amounts of a game; unless a game has its own they are the returns, in points."""

    def unit(self, ruleset: RulesetT) -> str:
        """Returns the unit of the amounts, in the plural."""
        return "points"

    def preferred(self, ruleset: RulesetT) -> bool:
        """Returns whether tournaments are scored by amount unless asked otherwise.

        They are if the unit is money: a player who wins often may lose more than it wins.
        """
        return self.unit(ruleset) in MONEY

    def payoffs(self, ruleset: RulesetT, seats: int) -> Payoffs | None:
        """Returns the range and the sum of ``State.returns``; ``None`` if they are not declared.

        A game whose returns are amounts declares them: a match lost by a fault costs the least of
        them, and -1 otherwise. Undeclared returns must have the same sum in every match.
        """
        return None

    def of(self, ruleset: RulesetT, ending: Ending) -> tuple[float, ...]:
        """Returns what each seat won or lost in a match, for scoring by amount: its returns.

        Whoever has more returns has no smaller amount. Who broke the match (``offender``,
        ``expelled``) must not have more by that than by playing on.
        """
        return ending.returns

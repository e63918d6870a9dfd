"""Odds: the exact chances at a decision, for ``arena odds`` and for hints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Generic, NoReturn

import msgspec

from arena.core.errors import BadInput
from arena.core.parts.part import Part, RulesetT, StateT


class Odds(msgspec.Struct, frozen=True):
    """The odds of one outcome.

    Attributes:
        event: The event that is asked about, such as ``"next card"`` or an action.
        outcome: One of its outcomes.
        odds: The probability of that, 0..1.
        approximate: Whether it is not exact.
    """

    event: str
    outcome: str
    odds: float
    approximate: bool = False


class ExactOdds(Part, Generic[RulesetT, StateT]):
    """Computes odds; unless a game has its own there are none."""

    def at(self, state: StateT, seat: int) -> Sequence[Odds]:
        """Returns the exact odds at a decision, by what its seat knows.

        Raises:
            BadInput: The game computes none.
        """
        self._none()

    def position(self, ruleset: RulesetT, keys: Mapping[str, str]) -> StateT:
        """Returns the state at a decision of seat 0 that is described by keys of the game's own.

        Raises:
            BadInput: They describe none, or the game computes no odds.
        """
        self._none()

    def _none(self) -> NoReturn:
        name = self.game.name
        raise BadInput(f"no odds are known of {name}: the game computes none")

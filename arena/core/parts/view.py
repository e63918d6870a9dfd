"""Views: what a seat knows as numbers, for learners and the bots that they become.

A view sees only the observation; ``arena.core.parts.full_state_facts`` see hidden cards.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from functools import lru_cache
from math import prod
from typing import TYPE_CHECKING, Generic, NamedTuple, NoReturn, TypeAlias

from arena.core.actions import Action
from arena.core.errors import BadInput
from arena.core.parts.part import ObservationT, Part, RulesetT

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers: TypeAlias = NDArray[np.float32]


class Piece(NamedTuple):
    """A piece of a view: numbers that stand next to each other.

    Attributes:
        name: The name, such as ``"hand"``; no two pieces of a view have one name.
        shape: The shape of the piece as an array, such as ``(23,)``.
        low: The least that any of its numbers can be.
        high: The most that any of its numbers can be.
    """

    name: str
    shape: tuple[int, ...]
    low: float
    high: float

    @property
    def size(self) -> int:
        """Number of its numbers."""
        return prod(self.shape)


class View(ABC, Generic[ObservationT]):
    """Writes observations under one ruleset as numbers: a pure function of each.

    Equal information states give equal numbers. At a decision some number is not 0.

    Attributes:
        name: The name with its version, such as ``"pazaak-view 1"``; models store it. Change it
            when a number gets another meaning.
        pieces: What the numbers are, in order.
    """

    name: str
    pieces: tuple[Piece, ...]

    @property
    def size(self) -> int:
        """Number of all numbers."""
        return sum(piece.size for piece in self.pieces)

    @abstractmethod
    def write(self, observation: ObservationT, out: Numbers) -> None:
        """Writes an observation, also one of a seat that is not to decide.

        Args:
            out: float32, of ``size`` numbers, contiguous; every one of them is overwritten.
        """

    def choices(self, observation: ObservationT) -> Mapping[int, Action]:
        """Returns the actions that are offered at a decision, by number.

        Numbers are below ``Views.action_count``. They are the ids of all legal actions, unless a
        game has too many of them, such as each stake of chips. Then it offers a menu of some.
        """
        return by_id(observation.legal_actions)


@lru_cache(maxsize=4096)
def by_id(legal: tuple[Action, ...]) -> Mapping[int, Action]:
    """Returns actions by their ids."""
    return {action.id: action for action in legal}


class Views(Part, Generic[RulesetT, ObservationT]):
    """Gives a game's view; by default a game has no view."""

    @property
    def missing(self) -> str:
        """The reason why the game has no view."""
        return "the game does not write observations as numbers"

    def of(self, ruleset: RulesetT) -> View[ObservationT]:
        """Returns the view under a ruleset.

        Raises:
            BadInput: The game has none.
        """
        self._none()

    def action_count(self, ruleset: RulesetT) -> int:
        """Returns how many numbers ``View.choices`` uses, from 0.

        Raises:
            BadInput: The game has no view.
        """
        self._none()

    def max_decisions(self, ruleset: RulesetT) -> int | None:
        """Returns a number of decisions of all seats that no match exceeds; ``None``: no bound.

        Raises:
            BadInput: The game has no view.
        """
        self._none()

    def _none(self) -> NoReturn:
        raise BadInput(f"{self.game.name} has no view: {self.missing}")

"""The base of the optional parts of a game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from arena.core.observation import Observation
from arena.core.ruleset import Ruleset
from arena.core.state import State

if TYPE_CHECKING:
    from arena.core.game import AnyGame

RulesetT = TypeVar("RulesetT", bound=Ruleset)
ObservationT = TypeVar("ObservationT", bound=Observation)
StateT = TypeVar("StateT", bound=State[Any])


class Part:
    """One optional part of a game: stateless, made once for a game.

    Attributes:
        game: The game that it belongs to.
    """

    def __init__(self, game: AnyGame) -> None:
        self.game = game

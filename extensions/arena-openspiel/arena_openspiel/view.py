"""Views of OpenSpiel's games: its tensors, as the observation has them."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

from arena.core.parts import Piece, View, Views
from arena_openspiel.observation import SpielObservation
from arena_openspiel.rules import SpielRules

if TYPE_CHECKING:
    from arena.core.parts.view import Numbers
    from arena_openspiel.game import SpielGame


class SpielView(View[SpielObservation]):
    """OpenSpiel's numbers, and 0 after them at tables that have fewer than the largest.

    Where no seat is to act, all are 0.
    """

    def __init__(self, game: SpielGame) -> None:
        tensor = game.tensor
        low, high = (0, 1) if tensor.unit else (-inf, inf)
        what = "information_state" if tensor.recalls else "observation"
        self.name = f"{game.name}-tensor 1"
        self.pieces = (Piece(what, (tensor.size,), low, high),)

    def write(self, observation: SpielObservation, out: Numbers) -> None:
        out.fill(0)
        numbers = observation.numbers
        out.data.cast("B")[: len(numbers)] = numbers


class SpielViews(Views[SpielRules, SpielObservation]):
    """The view of a game, the same at every table and under every ruleset."""

    game: SpielGame

    def of(self, ruleset: SpielRules) -> SpielView:
        return SpielView(self.game)

    def action_count(self, ruleset: SpielRules) -> int:
        return self.game.entry.count

    def max_decisions(self, ruleset: SpielRules) -> int:
        return self.game.tensor.longest


class NoSpielViews(Views[SpielRules, SpielObservation]):
    """A game without a view says why."""

    game: SpielGame

    @property
    def missing(self) -> str:
        return self.game.tensor.missing

"""Options of rating models, and the ratings that they give to the players of a file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Literal, TypeAlias

import msgspec

from arena.core.errors import BadInput
from arena.plugins.options import option
from arena.service.rating.result_files import Orders, TwoSeats

Scale: TypeAlias = Literal["elo", "log"]
FARTHEST = 10_000.0
"""Greatest rating that can be given, in points: beyond it no expected score differs from 0 or 1."""


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """Options of the models; one that is ``None`` was not given.

    Attributes:
        prior: Standard deviation of the prior in points of the scale; 0 for none.
        anchor: Given ratings by name.
        scale: Points of the ratings: of Elo, or natural logarithms of strength.
        seat_effect: Whether the first seat may have an advantage.
        k: The most that one match can move a player.
        start: The rating of a player without results.
        tau: The constant that limits changes of the volatility.
        before: A file of the ratings before the first result.
    """

    prior: float | None = None
    anchor: Mapping[str, float] | None = None
    scale: Scale | None = None
    seat_effect: bool | None = None
    k: float | None = None
    start: float | None = None
    tau: float | None = None
    before: Path | None = None


class Rated(msgspec.Struct, frozen=True, kw_only=True):
    """The rating of one player.

    Attributes:
        error: Its standard error, or the model's own standard deviation; ``None`` for Elo.
        few: Whether the results are too few to rank by.
        component: Number of the player's component, 1 and up.
        volatility: Glicko-2's; 0 elsewhere.
    """

    player: str
    rating: float
    error: float | None = None
    results: int = 0
    few: bool = False
    component: int = 1
    volatility: float = 0.0


class Ratings(msgspec.Struct, frozen=True, kw_only=True):
    """The ratings that a model gives to the players of a file, the best first.

    Attributes:
        results: Number of matches.
        notes: Sentences about what the ratings cannot say, and about games that are left out.
        left_out: Numbers of games of the file that are not rated, by reason.
    """

    model: str
    scale: Scale
    players: list[Rated]
    results: int
    seat_effect: float | None = None
    seat_error: float | None = None
    notes: list[str] = []
    left_out: Mapping[str, int] = {}


def two_seats(results: TwoSeats | Orders, model: str) -> TwoSeats:
    """The results of a file; of finishing orders ``BadInput``, naming the model."""
    if isinstance(results, Orders):
        raise BadInput(
            f"model {model} needs results of two players; for finishing orders: pl, openskill, elo"
        )
    return results


def read_anchors(given: Iterable[str]) -> dict[str, float]:
    """Given ratings by name, each spelled ``NAME=RATING``; ``BadInput`` for one that is not."""
    anchors = {}
    for text in given:
        name, equals, value = text.rpartition("=")
        try:
            anchors[name] = float(value)
        except ValueError:
            equals = ""
        if not equals:
            raise BadInput(f"{option('anchor')} {text!r} is not NAME=RATING")
    return anchors

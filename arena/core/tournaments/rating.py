"""The contract of rating systems, and their input: head-to-head results in independent units."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from typing import Any

import msgspec

from arena.core.errors import BadInput
from arena.core.options import Rows, rows_of
from arena.core.table import Row

Z95 = 1.959963984540054
"""Standard deviations from the middle of a normal 95 % interval to its ends."""
FARTHEST = 10_000.0
"""Greatest rating that can be given: beyond it no expected score differs from 0 or 1."""

BALANCE = "W-D-L"
"""Head of a column of ``balance``."""


def balance(won: int, drawn: int, lost: int) -> str:
    """Returns how many were won, drawn and lost: ``99-0-101``."""
    return f"{won}-{drawn}-{lost}"


def balance_text(row: Row) -> str:
    """Returns the same of a row with ``won``, ``drawn`` and ``lost``."""
    return balance(row["won"], row["drawn"], row["lost"])


class Duels(msgspec.Struct, frozen=True, gc=False):
    """The head-to-head results of one match.

    Attributes:
        players: Index of the player in each seat, 2 and up.
        scores: What the former of each two seats took against the latter, in the order of
            ``pairs``: 1 if it finished ahead of it, 1/2 level, 0 behind.
    """

    players: tuple[int, ...]
    scores: tuple[float, ...]

    @property
    def share(self) -> float:
        """The weight of each head-to-head result of a player, as a part of 1."""
        return 1 / (len(self.players) - 1)

    @property
    def duels(self) -> list[tuple[int, int, float]]:
        """The head-to-head results by their players, with what the former took."""
        seated = self.players
        between = zip(pairs(len(seated)), self.scores, strict=True)
        return [(seated[one], seated[other], score) for (one, other), score in between]

    @property
    def ranks(self) -> tuple[float, ...]:
        """A number for each seat: the least finished first, equal ones level."""
        return tuple([-sum(scores) for scores in self.taken])

    @property
    def taken(self) -> list[list[float]]:
        """The points of each seat against each of its opponents."""
        taken: list[list[float]] = [[] for _ in self.players]
        for (one, other), score in zip(pairs(len(taken)), self.scores, strict=True):
            taken[one].append(score)
            taken[other].append(1 - score)
        return taken


Unit = tuple[Duels, ...]
"""Matches that share their luck, so that they count as one observation: the matches of a duplicate
group, or a match alone. On a board all are between the same players."""


@cache
def pairs(seats: int) -> tuple[tuple[int, int], ...]:
    """Every two seats of a table: (0, 1), (0, 2), (1, 2), (0, 3), ...

    In this order those of a smaller table come first.
    """
    return tuple((one, other) for other in range(seats) for one in range(other))


Worths = Sequence[tuple[tuple[int, ...], tuple[float, ...]]]
"""Matches that share their luck: of each its players, and what each of them won or lost."""


class Rating(msgspec.Struct, frozen=True):
    """A player's rating in points, and the interval of what chance alone could have made of it.

    Attributes:
        error: Its standard error; ``None`` where the system has none.
        component: Number of the player's group, 1 and up: ratings of groups that never met do not
            compare.
        flags: What the rating cannot say, in a word each (``FLAGS``).
        more: Further numbers that the system has of a player, by name: ``"volatility"``.
    """

    value: float
    low: float
    high: float
    error: float | None = None
    component: int = 1
    flags: tuple[str, ...] = ()
    more: Mapping[str, float] = {}


class Results(msgspec.Struct, frozen=True):
    """The results of a board or a file, as rating systems read them.

    Attributes:
        names: Of the players, of whom matches speak by index.
        counted: How often each different unit came; at least one.
        in_order: Gives the units of each tournament in schedule order, tournament after tournament:
            it reads all stored matches, which may take long. Of a file it gives the units of each
            rating period.
        seed: The only source of chance, 0 .. 2**63-1.
        anchors: Ratings that are given, by player; where there are some without one (``None``),
            the mean of these is the zero.
        worths: The amounts of all matches, unit by unit, where these will be rated; of such a
            board there are no anchors.
        before: Ratings before the first result, by player; these need no results.
        periods: Whether all results of a list of ``in_order`` count from the ratings before it,
            since their source says so.
        ratings_only: Whether covariances, and intervals that take many replays, may be left out.
    """

    names: Sequence[str]
    counted: Mapping[Unit, int]
    in_order: Callable[[], Sequence[Sequence[Unit]]]
    seed: int = 0
    anchors: Mapping[int, float | None] = {}
    worths: Sequence[Worths] = ()
    before: Mapping[int, Rating] = {}
    periods: bool = False
    ratings_only: bool = False


BOUND, MISFIT = "bound", "misfit"
FLAGS = {
    BOUND: "finite by the prior alone: everything was won or lost",
    MISFIT: "plays in a pairing that the model does not explain",
}
"""Words for what a rating cannot say."""


class Rated(msgspec.Struct, frozen=True):
    """The ratings of all players.

    Attributes:
        ratings: One a player, in order.
        covariance: Of the ratings, a row a player; ``None`` where the system has none.
        notes: Sentences about what the ratings say, or cannot.
        seat_effect: What the first seat is worth in points, and its standard error; ``None`` where
            it was not fitted.
    """

    ratings: Sequence[Rating]
    covariance: Sequence[Sequence[float]] | None = None
    notes: Sequence[str] = ()
    seat_effect: tuple[float, float] | None = None


class RatingSystem(msgspec.Struct, kw_only=True):
    """A way to rate players by their results: pure; equal results give equal ratings.

    A system is a subclass. It has to have a name and ``rate``; all else has a default. Its options
    are its fields that are annotated with an ``Option``; people write them as in ``elo(k=8)``.

    Attributes:
        name: What people type, e.g. ``"elo"``.
        summary: One line for lists.
        note: One line for under a leaderboard: what rating and interval are.
        table_note: How matches of more than two count, as the end of a sentence; may be empty.
        takes: What it can use besides finishing orders: ``"anchors"``, ``"amounts"``, ``"before"``
            (ratings before the first result), ``"luck"`` (luck-adjusted ratings of the joint fit
            stand besides its own, on one scale with them), or nothing.
        by_order: Whether it goes by the order of the results: boards then read all matches.
        version: Changes whenever equal results give other ratings. Large boards of a system that
            has none are computed each time.
        digits: Decimals of its ratings in lists.
    """

    name: str = ""
    summary: str = ""
    note: str = ""
    table_note: str = ""
    takes: Collection[str] = ()
    by_order: bool = True
    version: str = ""
    digits: int = 1

    def options(self) -> Rows:
        """Returns its options by key, each with its default here."""
        return {
            key: msgspec.structs.replace(row, default=getattr(self, key))
            for key, row in rows_of(type(self)).items()
        }

    def configured(self, options: Mapping[str, Any]) -> RatingSystem:
        """Returns the system with the options that were given; they were checked by their rows.

        With others than before it has no version: boards of somebody's own options are not kept.

        Raises:
            BadInput: They do not go together.
        """
        changed = any(getattr(self, key) != value for key, value in options.items())
        version = "" if changed else self.version
        return msgspec.structs.replace(self, **options, version=version)

    def rate(self, results: Results) -> Rated:
        """Rates every player."""
        raise NotImplementedError


def check_anchor(name: str, value: object) -> None:
    """Raises ``BadInput`` for a rating that cannot be given; ``None`` counts in the mean."""
    if value is None:
        return
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= FARTHEST:
        limits = f"from {-FARTHEST:g} to {FARTHEST:g}"
        raise BadInput(f"anchor {name}: expected a rating {limits}, not {value!r:.40}")

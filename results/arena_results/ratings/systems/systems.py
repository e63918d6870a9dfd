"""Our own rating systems: leaderboards and results from elsewhere are rated by the same ones."""

from __future__ import annotations

from collections.abc import Collection
from itertools import chain
from typing import Annotated, ClassVar, Literal

import msgspec

from arena.core.errors import BadInput
from arena.core.options import Option, rows_of
from arena.core.text.parsing import format_call
from arena.core.tournaments.rating import FARTHEST, Z95, Rated, Rating, RatingSystem, Results
from arena_results.ratings.systems import glicko2
from arena_results.ratings.systems.elo import START, K, play

REPLAYS = 500
"""Number of bootstrap replays of the intervals of Elo."""
_Points = Annotated[float, msgspec.Meta(ge=-FARTHEST, le=FARTHEST)]
_JOINT = "joint maximum likelihood"
_GLICKO2_NOTE = (
    "low-high: rating ± 1.96 rating deviations; Glicko-2, a rating period a tournament, every "
    "match an observation of its own"
)


class OwnSystem(RatingSystem, kw_only=True):
    """The base of our systems, with an error for numbers too large."""

    version: str = "1"

    def rate(self, results: Results) -> Rated:
        """Rates every player."""
        try:
            return self.rated(results)
        except ArithmeticError:
            message = f"rating system {self.name} cannot count with such extreme ratings"
            raise BadInput(message) from None

    def rated(self, results: Results) -> Rated:
        """Rates every player, without regard to numbers that become too large."""
        raise NotImplementedError


class Joint(OwnSystem, kw_only=True):
    """Rates by one fit of all results together, from their sums.

    Attributes:
        reference: The rating of the reference, on the scale of Elo.
        with_seat_effect: Whether the first seat of two may have an advantage, by default.
        tables: Whether it rates tables of more than two.
        uses: What it can use besides finishing orders, with its usual options.
    """

    name: str = "joint"
    summary: str = f"{_JOINT} on the scale of Elo, about {START:.0f}"
    table_note: str = " (Plackett-Luce on the whole finishing order)"
    by_order: bool = False
    prior: Annotated[
        Annotated[float, msgspec.Meta(ge=0)] | None,
        Option("Standard deviation of the prior, 0 for none.", default="1,000 Elo", metavar="SD"),
    ] = None
    scale: Annotated[
        Literal["elo", "log"],
        Option(
            "Scale of ratings: Elo points or natural logarithms of strength.", metavar="[elo|log]"
        ),
    ] = "elo"
    seat_effect: Annotated[bool | None, Option("Fit the advantage of player1, in chess White.")] = (
        None
    )
    reference: ClassVar[float] = START
    with_seat_effect: ClassVar[bool] = True
    tables: ClassVar[bool] = True
    uses: ClassVar[Collection[str]] = ("anchors", "amounts", "luck")

    def __post_init__(self) -> None:
        elo = self.scale == "elo"
        unit = "Elo" if elo else "natural logarithms of strength"
        self.digits = 1 if elo else 3
        self.note = (
            f"rating: {_JOINT} of all results (in {unit}; {self._zero:.0f} is "
            "the mean of the bots with points both won and lost), ± 95 % over deals (a mirrored "
            "pair, or a deal played around a table, counts as one)"
        )
        if not self.version:
            self.note = f"{self.note}; {_spelled(self)}"
        self.takes = self.uses if self.version else ("anchors",)

    @property
    def _zero(self) -> float:
        """The rating of the reference on the scale that was chosen."""
        return self.reference if self.scale == "elo" else 0.0

    def rated(self, results: Results) -> Rated:
        # Here: they need numpy, which takes long to load for commands that rate nothing.
        from arena_results.ratings.systems.amounts_board import rate_amounts
        from arena_results.ratings.systems.joint_board import Scale, rate_jointly

        if results.worths:
            return rate_amounts(results)
        tables = _has_tables(results)
        if tables and not self.tables:
            message = f"model {self.name} needs results of two players"
            raise BadInput(f"{message}; for finishing orders: pl, openskill, elo")
        if tables and self.seat_effect:
            raise BadInput("finishing orders say nothing of seats; leave out the seat effect")
        seat_effect = self.with_seat_effect if self.seat_effect is None else self.seat_effect
        scale = Scale.named(self.scale, self._zero, self.prior)
        return rate_jointly(results, scale, seat_effect=seat_effect)


class PlackettLuce(Joint, kw_only=True):
    """The joint fit about 0, without an advantage of seats unless it is asked for."""

    name: str = "pl"
    summary: str = f"Plackett-Luce, {_JOINT}"
    reference: ClassVar[float] = 0.0
    with_seat_effect: ClassVar[bool] = False
    uses: ClassVar[Collection[str]] = ("anchors",)


class BradleyTerry(PlackettLuce, kw_only=True):
    """That of results of two."""

    name: str = "bt"
    summary: str = f"Bradley-Terry, {_JOINT}"
    table_note: str = ""
    tables: ClassVar[bool] = False


class Elo(OwnSystem, kw_only=True):
    """Rates by Elo's live rating with a bootstrap interval."""

    name: str = "elo"
    table_note: str = ", at K/(n-1)"
    takes: Collection[str] = ("before",)
    k: Annotated[
        float,
        msgspec.Meta(ge=0, le=1000),
        Option("Most points that a match changes a rating.", metavar="K"),
    ] = K
    start: Annotated[_Points, Option("Rating of new players.", metavar="RATING")] = START

    def __post_init__(self) -> None:
        about = f"Elo, start {self.start:.0f}, K={self.k:g}"
        self.summary = f"{about}, match by match"
        self.note = (
            f"low-high: 2.5-97.5 % range of {REPLAYS} bootstrap replays of the stored matches "
            "(a mirrored pair, or a deal played around a table, is drawn as one); "
            f"{about}, in schedule order"
        )

    def rated(self, results: Results) -> Rated:
        k, start = self.k, self.start
        first = [
            results.before[player].value if player in results.before else start
            for player in range(len(results.names))
        ]
        values, lists = [*first], results.in_order()
        for units in lists:
            play(values, chain.from_iterable(units), k, at_once=results.periods)
        if results.ratings_only:
            return Rated([Rating(value, value, value) for value in values])
        # Here: it needs numpy.
        from arena_results.ratings.systems.bootstrap import elo_intervals

        intervals = elo_intervals([*chain.from_iterable(lists)], first, results.seed, REPLAYS, k)
        return Rated([Rating(value, *ends) for value, ends in zip(values, intervals, strict=True)])


class Glicko2(OwnSystem, kw_only=True):
    """Rates by Glicko-2, each tournament being a rating period."""

    name: str = "glicko2"
    summary: str = "Glicko-2 by rating periods"
    table_note: str = " (each duel a result)"
    takes: Collection[str] = ("before",)
    tau: Annotated[
        float, msgspec.Meta(ge=0.01, le=10), Option("Limit of volatility changes.", metavar="TAU")
    ] = glicko2.TAU

    def __post_init__(self) -> None:
        self.note = _GLICKO2_NOTE if self.version else f"{_GLICKO2_NOTE}; {_spelled(self)}"

    def rated(self, results: Results) -> Rated:
        ratings = [glicko2.Glicko() for _ in results.names]
        for player, known in results.before.items():
            deviation = glicko2.DEVIATION if known.error is None else known.error
            volatility = known.more.get("volatility", glicko2.VOLATILITY)
            ratings[player] = glicko2.Glicko(known.value, deviation, volatility)
        seen = {*results.before}
        for units in results.in_order():
            matches = chain.from_iterable(units)
            duels = (duel for match in matches for duel in match.duels)
            glicko2.glicko2(ratings, duels, seen, self.tau)
        return _apart(
            [_rating(each.rating, each.deviation, volatility=each.volatility) for each in ratings],
            results,
        )


class OpenSkill(OwnSystem, kw_only=True):
    """Rates by OpenSkill, match by match."""

    name: str = "openskill"
    summary: str = "OpenSkill (Plackett-Luce), match by match"
    note: str = (
        "low-high: mu ± 1.96 sigma; OpenSkill (Plackett-Luce, start 25), in schedule order, every "
        "match an observation of its own"
    )
    table_note: str = " (Plackett-Luce on the whole finishing order)"
    takes: Collection[str] = ("before",)
    digits: int = 3

    def rated(self, results: Results) -> Rated:
        from arena_results.ratings.systems.openskill import DEVIATION, openskill
        from arena_results.ratings.systems.openskill import START as MEAN

        start = [(MEAN, DEVIATION)] * len(results.names)
        for player, known in results.before.items():
            start[player] = (known.value, DEVIATION if known.error is None else known.error)
        matches = (match for units in results.in_order() for unit in units for match in unit)
        found = openskill(start, ((match.players, match.ranks) for match in matches))
        return _apart([_rating(*each) for each in found], results)


def _spelled(system: OwnSystem) -> str:
    given = {key: getattr(system, key) for key in rows_of(type(system))}
    return format_call(system.name, {key: each for key, each in given.items() if each is not None})


def _has_tables(results: Results) -> bool:
    return any(len(match.players) > 2 for unit in results.counted for match in unit)


def _rating(value: float, error: float, **more: float) -> Rating:
    return Rating(value, value - Z95 * error, value + Z95 * error, error, more=more)


def _apart(ratings: list[Rating], results: Results) -> Rated:
    if results.ratings_only:
        return Rated(ratings)
    size = range(len(ratings))
    return Rated(
        ratings,
        [
            [(each.error or 0.0) ** 2 if own == other else 0.0 for other in size]
            for own, each in enumerate(ratings)
        ],
    )


def own_systems() -> list[OwnSystem]:
    """Returns all of them with their usual options, the default of leaderboards first."""
    return [Joint(), Elo(), Glicko2(), OpenSkill(), BradleyTerry(), PlackettLuce()]

"""Our own rating systems: leaderboards and results from elsewhere are rated by the same ones."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Mapping
from itertools import chain
from math import isfinite
from typing import Annotated, Any, ClassVar, Literal, get_args, get_origin, get_type_hints

import msgspec

from arena.core.described import described
from arena.core.errors import BadInput, UnknownName
from arena.core.text.parsing import Value, format_call
from arena.core.tournaments.rating import FARTHEST, Z95, Rated, Rating, RatingSystem, Results
from arena_results.ratings.systems import glicko2
from arena_results.ratings.systems.elo import START, K, play

REPLAYS = 500
"""Number of bootstrap replays of the intervals of Elo."""
_Points = Annotated[float, msgspec.Meta(ge=-FARTHEST, le=FARTHEST)]


class NoOptions(msgspec.Struct, frozen=True):
    """The options of a system that has none."""


class JointOptions(msgspec.Struct, frozen=True):
    """Options of a joint fit.

    Attributes:
        prior: Standard deviation of the prior in points of the scale, 0 for none; 1,000 Elo where
            none is given.
        scale: Points of Elo, or natural logarithms of strength.
        seat_effect: Whether the first seat of two may have an advantage; by default as the system
            has it.
    """

    prior: Annotated[float, msgspec.Meta(ge=0)] | None = None
    scale: Literal["elo", "log"] = "elo"
    seat_effect: bool | None = None


class EloOptions(msgspec.Struct, frozen=True):
    """Options of Elo: the most that one match can move a player, and where players begin."""

    k: Annotated[float, msgspec.Meta(ge=0, le=1000)] = K
    start: _Points = START


class Glicko2Options(msgspec.Struct, frozen=True):
    """Options of Glicko-2: the constant that limits changes of the volatility."""

    tau: Annotated[float, msgspec.Meta(ge=0.01, le=10)] = glicko2.TAU


class OwnSystem(RatingSystem):
    """The base of our systems: options, described by a struct, and an error for numbers too large.

    Attributes:
        given: The options.
    """

    takes: Collection[str] = ()
    kind: ClassVar[type[msgspec.Struct]] = NoOptions

    def __init__(self, given: msgspec.Struct | None = None) -> None:
        self.given: Any = self.kind() if given is None else given
        self.options = self.kind.__struct_fields__
        # Boards with options of somebody's own are not kept.
        self.version = "1" if self.given == self.kind() else ""

    def with_options(self, options: Mapping[str, Value]) -> OwnSystem:
        """Returns the system with these options."""
        hints = get_type_hints(self.kind, include_extras=True)
        values = {key: _converted(key, value, hints[key]) for key, value in options.items()}
        return type(self)(msgspec.structs.replace(self.given, **values))

    def rate(self, results: Results) -> Rated:
        """Rates every player."""
        try:
            return self.rated(results)
        except ArithmeticError:
            message = f"rating system {self.name} cannot count with such extreme ratings"
            raise BadInput(message) from None

    @abstractmethod
    def rated(self, results: Results) -> Rated:
        """Rates every player, without regard to numbers that become too large."""


def _converted(key: str, value: Value, hint: object) -> object:
    parts = [hint, *get_args(hint)]
    for part in parts:
        if get_origin(part) is Literal and value not in get_args(part):
            raise UnknownName(key, str(value), get_args(part))
    try:
        found = msgspec.convert(value, described(hint))
        if not isinstance(found, float) or isfinite(found):
            return found
    except (msgspec.ValidationError, UnicodeEncodeError):
        pass
    limits = [each for part in parts for each in get_args(part) if isinstance(each, msgspec.Meta)]
    limits += [each for each in parts if isinstance(each, msgspec.Meta)]
    if not limits:
        raise BadInput(f"{key}: expected true or false, not {value!r:.40}")
    most = "" if limits[0].le is None else f" to {limits[0].le:g}"
    raise BadInput(f"{key}: expected a number from {limits[0].ge:g}{most}, not {value!r:.40}")


class Joint(OwnSystem):
    """Rates by one fit of all results together, from their sums.

    Attributes:
        reference: The rating of the reference.
        seat_effect: Whether the first seat of two may have an advantage, by default.
        tables: Whether it rates tables of more than two.
    """

    name = "joint"
    summary = f"joint maximum likelihood on the scale of Elo, about {START:.0f}"
    table_note = " (Plackett-Luce on the whole finishing order)"
    by_order = False
    kind = JointOptions
    reference, seat_effect, tables = START, True, True

    def __init__(self, given: msgspec.Struct | None = None) -> None:
        super().__init__(given)
        if self.given.scale == "log":
            self.digits, self.reference = 3, 0.0
        unit = "Elo" if self.given.scale == "elo" else "natural logarithms of strength"
        self.note = (
            f"rating: joint maximum likelihood of all results (in {unit}; {self.reference:.0f} is "
            "the mean of the bots with points both won and lost), ± 95 % over deals (a mirrored "
            "pair, or a deal played around a table, counts as one)"
        )
        if not self.version:
            self.note = f"{self.note}; {_spelled(self)}"
        self.takes = self.taken()

    def taken(self) -> Collection[str]:
        """Returns what it can use besides finishing orders."""
        return ("anchors", "amounts", "luck") if self.version else ("anchors",)

    def rated(self, results: Results) -> Rated:
        # Here: they need numpy, which takes long to load for commands that rate nothing.
        from arena_results.ratings.systems.amounts_board import rate_amounts
        from arena_results.ratings.systems.joint_board import Scale, rate_jointly

        if results.worths:
            return rate_amounts(results)
        given, tables = self.given, _has_tables(results)
        if tables and not self.tables:
            message = f"model {self.name} needs results of two players"
            raise BadInput(f"{message}; for finishing orders: pl, openskill, elo")
        if tables and given.seat_effect:
            raise BadInput("seat-effect: finishing orders say nothing of seats")
        seat_effect = self.seat_effect if given.seat_effect is None else given.seat_effect
        scale = Scale.named(given.scale, self.reference, given.prior)
        return rate_jointly(results, scale, seat_effect=seat_effect)


class PlackettLuce(Joint):
    """The joint fit about 0, without an advantage of seats unless it is asked for."""

    name = "pl"
    summary = "Plackett-Luce, joint maximum likelihood"
    reference, seat_effect = 0.0, False

    def taken(self) -> Collection[str]:
        return ("anchors",)


class BradleyTerry(PlackettLuce):
    """That of results of two."""

    name = "bt"
    summary = "Bradley-Terry, joint maximum likelihood"
    table_note = ""
    tables = False


class Elo(OwnSystem):
    """Rates by Elo's live rating with a bootstrap interval."""

    name = "elo"
    table_note = ", at K/(n-1)"
    takes = ("before",)
    kind = EloOptions

    def __init__(self, given: msgspec.Struct | None = None) -> None:
        super().__init__(given)
        about = f"Elo, start {self.given.start:.0f}, K={self.given.k:g}"
        self.summary = f"{about}, match by match"
        self.note = (
            f"low-high: 2.5-97.5 % range of {REPLAYS} bootstrap replays of the stored matches "
            "(a mirrored pair, or a deal played around a table, is drawn as one); "
            f"{about}, in schedule order"
        )

    def rated(self, results: Results) -> Rated:
        k, start = self.given.k, self.given.start
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


class Glicko2(OwnSystem):
    """Rates by Glicko-2, each tournament being a rating period."""

    name = "glicko2"
    summary = "Glicko-2 by rating periods"
    note = (
        "low-high: rating ± 1.96 rating deviations; Glicko-2, a rating period a tournament, every "
        "match an observation of its own"
    )
    table_note = " (each duel a result)"
    takes = ("before",)
    kind = Glicko2Options

    def __init__(self, given: msgspec.Struct | None = None) -> None:
        super().__init__(given)
        if not self.version:
            self.note = f"{self.note}; {_spelled(self)}"

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
            glicko2.glicko2(ratings, duels, seen, self.given.tau)
        return _apart(
            [_rating(each.rating, each.deviation, volatility=each.volatility) for each in ratings],
            results,
        )


class OpenSkill(OwnSystem):
    """Rates by OpenSkill, match by match."""

    name = "openskill"
    summary = "OpenSkill (Plackett-Luce), match by match"
    note = (
        "low-high: mu ± 1.96 sigma; OpenSkill (Plackett-Luce, start 25), in schedule order, every "
        "match an observation of its own"
    )
    table_note = " (Plackett-Luce on the whole finishing order)"
    takes = ("before",)
    digits = 3

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
    given = msgspec.structs.asdict(system.given)
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

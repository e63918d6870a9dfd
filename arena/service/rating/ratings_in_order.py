"""The models that go through the results of a file in their order: Elo, Glicko-2, OpenSkill."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import msgspec
from arena_results.ratings.systems import elo, glicko2, openskill

from arena.core.errors import BadInput
from arena.core.rating import Duels, pairs
from arena.service.rating.ratings import FARTHEST, Options, Rated, Ratings, two_seats
from arena.service.rating.result_files import Orders, Table, TwoSeats, read_text


class Before(msgspec.Struct, frozen=True):
    """A rating before the first result; ``None`` is the model's own."""

    rating: float
    error: float | None = None
    volatility: float | None = None


def _before(path: Path | None) -> dict[str, Before]:
    """The ratings of a file by name: columns player, rating and, if there, se and volatility."""
    if path is None:
        return {}
    try:
        table = Table(read_text(path), "player,rating[,se][,volatility]")
        more = [name for name in ("se", "volatility") if name in table.header]
        names, *values = table.columns(*([name] for name in ("player", "rating", *more)))
        if len(names.texts) < len(names.numbers):
            raise BadInput("a player stands there twice")
        limits = {"rating": (-FARTHEST, FARTHEST), "se": (0.01, 1000.0), "volatility": (0.0, 1.0)}
        rows = [
            table.values(name, column, limits[name])
            for name, column in zip(("rating", *more), values, strict=True)
        ]
    except BadInput as error:
        raise BadInput(f"{path}: {error}") from None
    keys = ("rating", *("error" if name == "se" else name for name in more))
    given = (dict(zip(keys, row, strict=True)) for row in zip(*rows, strict=True))
    return {name: Before(**each) for name, each in zip(names.texts, given, strict=True)}


def _periods(results: TwoSeats, by_default: str) -> Iterator[list[int]]:
    """The results of each rating period: as the file says, or of all of it, or one by one."""
    numbers: Sequence[int] = results.periods
    if not numbers:
        number = len(results.scores)
        numbers = range(number) if by_default == "each" else [0] * number
    held: dict[int, list[int]] = {}
    for place, number in enumerate(numbers):
        held.setdefault(number, []).append(place)
    yield from held.values()


def _names(results: TwoSeats | Orders, before: Mapping[str, Before]) -> list[str]:
    """The players of the file, then those who were rated before alone."""
    return list(dict.fromkeys((*results.names, *before)))


def _played(results: TwoSeats | Orders, players: int) -> list[int]:
    """Number of results of each player."""
    played = [0] * players
    seated = (
        (player for players, _ in results.games for player in players)
        if isinstance(results, Orders)
        else (*results.first, *results.second)
    )
    for player in seated:
        played[player] += 1
    return played


def _number(results: TwoSeats | Orders) -> int:
    return len(results.games if isinstance(results, Orders) else results.scores)


def rate_elo(results: TwoSeats | Orders, options: Options) -> Ratings:
    """Rates by Elo, match by match, or period by period if the file has them."""
    before = _before(options.before)
    start = elo.START if options.start is None else options.start
    k = elo.K if options.k is None else options.k
    names = _names(results, before)
    ratings = [before[name].rating if name in before else start for name in names]
    for period in _duels(results):
        elo.play(ratings, period, k)
    rows = [
        Rated(player=name, rating=rating, results=played)
        for name, rating, played in zip(names, ratings, _played(results, len(names)), strict=True)
    ]
    return Ratings(model="", scale="elo", players=rows, results=_number(results))


def _duels(results: TwoSeats | Orders) -> Iterator[list[Duels]]:
    """The matches of each period as duels."""
    if isinstance(results, Orders):
        for seated, ranks in results.games:
            scores = (
                0.5 if ranks[one] == ranks[other] else float(ranks[one] < ranks[other])
                for one, other in pairs(len(seated))
            )
            yield [Duels(seated, tuple(scores))]
        return
    for places in _periods(results, "each"):
        yield [
            Duels((results.first[place], results.second[place]), (results.scores[place],))
            for place in places
        ]


def rate_glicko2(results: TwoSeats | Orders, options: Options) -> Ratings:
    """Rates by Glicko-2, period by period; without periods the file is one."""
    found, before = two_seats(results, "glicko2"), _before(options.before)
    names = _names(found, before)
    ratings = []
    for name in names:
        each = before.get(name, Before(glicko2.START))
        deviation = glicko2.DEVIATION if each.error is None else each.error
        volatility = glicko2.VOLATILITY if each.volatility is None else each.volatility
        ratings.append(glicko2.Glicko(each.rating, deviation, volatility))
    seen = {place for place, name in enumerate(names) if name in before}
    tau = glicko2.TAU if options.tau is None else options.tau
    for places in _periods(found, "all"):
        period = ((found.first[each], found.second[each], found.scores[each]) for each in places)
        glicko2.glicko2(ratings, period, seen, tau)
    rows = [
        Rated(
            player=name,
            rating=each.rating,
            error=each.deviation,
            results=played,
            volatility=each.volatility,
        )
        for name, each, played in zip(names, ratings, _played(found, len(names)), strict=True)
    ]
    return Ratings(model="", scale="elo", players=rows, results=len(found.scores))


def rate_openskill(results: TwoSeats | Orders, options: Options) -> Ratings:
    """Rates by OpenSkill, match by match."""
    before = _before(options.before)
    names = _names(results, before)
    given = [before.get(name, Before(openskill.START)) for name in names]
    ratings = openskill.openskill(
        [
            (each.rating, openskill.DEVIATION if each.error is None else each.error)
            for each in given
        ],
        _orders(results),
    )
    rows = [
        Rated(player=name, rating=rating, error=deviation, results=played)
        for name, (rating, deviation), played in zip(
            names, ratings, _played(results, len(names)), strict=True
        )
    ]
    return Ratings(model="", scale="elo", players=rows, results=_number(results))


def _orders(results: TwoSeats | Orders) -> Iterable[tuple[tuple[int, ...], tuple[float, ...]]]:
    """The finishing orders of a file; a score of two is the order of its shares."""
    if isinstance(results, Orders):
        return results.games
    return (
        ((one, other), (-score, score - 1.0))
        for one, other, score in zip(results.first, results.second, results.scores, strict=True)
    )

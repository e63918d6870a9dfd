"""Reads results from elsewhere, as rating systems take them: CSV and PGN."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import inf
from operator import eq
from pathlib import Path

import msgspec

from arena.core.errors import BadInput, ParseError
from arena.core.text.decoding import decode_text
from arena.core.text.printable import printable_line
from arena.core.tournaments.rating import FARTHEST, Duels, Rating, Results, Unit, pairs
from arena.service.rating import pgn
from arena.service.rating.csv_table import Codes, Column, Table

TWO = ("player1", "player2", "score")
ORDERS = ("game", "player", "rank")
FORMS = f"{','.join(TWO)}[,pair][,period], or {','.join(ORDERS)}[,pair], or PGN"


class ResultFile(msgspec.Struct, frozen=True):
    """The results of a file.

    Attributes:
        results: As rating systems take them. Results of the same players with the same pair, or
            finishing orders with the same one, are a unit.
        left_out: Numbers of games that cannot be rated, by the reasons of ``LEFT_OUT``.
    """

    results: Results
    left_out: Mapping[str, int] = {}


def read_results(path: Path, warn: Callable[[str], object]) -> ResultFile:
    """Reads a file of results.

    Args:
        warn: Is given a line about columns and games that are left out, and about mixed encodings.

    Raises:
        BadInput: It cannot be read, or a line of it is wrong.
    """
    text = read_text(path, warn)
    try:
        if path.suffix.lower() == ".pgn" or text.lstrip().startswith(("[", "%", ";", "{")):
            return _pgn(text, lambda line: warn(f"{path}: {line}"))
        table = Table(text, FORMS)
        found = _orders(table) if set(ORDERS) <= set(table.header) else _two_seats(table)
    except BadInput as error:
        raise BadInput(f"{path}: {error}") from None
    named = zip(table.titles, table.header, strict=False)
    if unused := [title for title, name in named if name not in table.used]:
        warn(f"{path}: unused columns: {', '.join(unused)}")
    return found


def read_before(path: Path) -> dict[str, Rating]:
    """Reads ratings before the first result, by name.

    The columns are player, rating and, if there, se and volatility.

    Raises:
        BadInput: It cannot be read, or a line of it is wrong.
    """
    text = read_text(path)
    try:
        table = Table(text, "player,rating[,se][,volatility]")
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
    known = (dict(zip(("rating", *more), row, strict=True)) for row in zip(*rows, strict=True))
    return {name: _known(**each) for name, each in zip(names.texts, known, strict=True)}


def _known(rating: float, se: float | None = None, volatility: float | None = None) -> Rating:
    more = {} if volatility is None else {"volatility": volatility}
    return Rating(rating, rating, rating, se, more=more)


def read_text(path: Path, warn: Callable[[str], object] = lambda _: None) -> str:
    """Returns the text of a file: UTF-8, UTF-16, or the usual single bytes of Windows.

    The latter have all letters of ISO 8859-1, in which PGN is written by its standard. A file may
    mix them with UTF-8, line by line.

    Args:
        warn: Is given a line about a file that does.

    Raises:
        BadInput: It cannot be read.
    """
    try:
        return decode_text(
            path.read_bytes(),
            wide=True,
            otherwise="Windows-1252",
            warn=lambda line: warn(f"{path}: {line}"),
        )
    except OSError as error:
        raise BadInput(f"{path}: cannot be read: {error.strerror}") from None
    except ParseError as error:
        raise BadInput(f"{path}: {error}") from None


def _two_seats(table: Table) -> ResultFile:
    more = [name for name in ("pair", "period") if name in table.header]
    first, second, scores, *others = table.columns(TWO[:2], TWO[2:], *([name] for name in more))
    optional = dict(zip(more, others, strict=True))
    if any(map(eq, first.numbers, second.numbers)):
        row = [*map(eq, first.numbers, second.numbers)].index(True)
        table.fail(row, f"{first.texts[first.numbers[row]]} plays against itself")
    halves = Column([_score(text) for text in scores.texts], scores.numbers)
    points = table.values("score", halves, (0.0, 1.0), "1 won, 0.5 drawn, 0 lost")
    return _of_two(
        first.texts,
        first.numbers,
        second.numbers,
        points,
        deals=_deals(optional["pair"]) if "pair" in optional else [],
        periods=optional["period"].numbers if "period" in optional else [],
    )


def _of_two(
    names: Sequence[str],
    first: Sequence[int],
    second: Sequence[int],
    scores: Sequence[float],
    *,
    deals: Sequence[int] = (),
    periods: Sequence[int] = (),
    left_out: Mapping[str, int] = {},
) -> ResultFile:
    """Returns the results of matches of two, in the order of the file.

    Args:
        first: Index of the player in the first seat (at home, White) of each result.
        second: Index of the other.
        scores: Points of the first, 0..1.
        deals: Numbers of deals.
        periods: Numbers of rating periods.
    """
    rows = Counter(zip(first, second, scores, strict=True))  # of many results, few are different
    alike = {row: Duels(row[:2], row[2:]) for row in rows}

    def matches() -> list[Duels]:
        return [alike[row] for row in zip(first, second, scores, strict=True)]

    if deals:
        groups = zip(deals, map(min, first, second), map(max, first, second), strict=True)
        counted = _counted(groups, matches())
    else:
        counted = {(alike[row],): count for row, count in rows.items()}
    results = Results(names, counted, lambda: _by_period(matches(), periods), periods=bool(periods))
    return ResultFile(results, left_out)


def _counted(groups: Iterable[object], matches: Iterable[Duels]) -> dict[Unit, int]:
    """Returns how often each different unit came: the matches of one group are one."""
    found: dict[object, list[Duels]] = {}
    for group, match in zip(groups, matches, strict=True):
        found.setdefault(group, []).append(match)
    return Counter(map(tuple, found.values()))


def _by_period(matches: Sequence[Duels], periods: Sequence[int] = ()) -> list[list[Unit]]:
    """Returns the matches of each rating period, which is the whole file if it has none.

    Each is a unit, for those of a pair need not follow each other.
    """
    found: dict[int, list[Unit]] = {}
    for match, period in zip(matches, periods or [0] * len(matches), strict=True):
        found.setdefault(period, []).append((match,))
    return [*found.values()]


def _deals(pair: Column) -> Sequence[int]:
    """Numbers of the deals; rows without one have each its own."""
    if "" not in pair.texts:
        return pair.numbers
    blank = pair.texts.index("")
    top = len(pair.texts)
    return [top + row if each == blank else each for row, each in enumerate(pair.numbers)]


def _score(text: str) -> str:
    return str(pgn.SCORES.get(pgn.plain_result(text), text))


def _orders(table: Table) -> ResultFile:
    more = ["pair"] if "pair" in table.header else []
    games, players, ranks, *others = table.columns(*([name] for name in (*ORDERS, *more)))
    places = table.values("rank", ranks, (-inf, inf))
    seats: list[dict[int, float]] = [{} for _ in games.texts]
    lines = [0] * len(seats)
    for row, (game, player) in enumerate(zip(games.numbers, players.numbers, strict=True)):
        if player in seats[game]:
            table.fail(row, f"{players.texts[player]} plays twice in game {games.texts[game]}")
        seats[game][player] = places[row]
        lines[game] = row
    for game, seated in enumerate(seats):
        if len(seated) < 2:
            table.fail(lines[game], f"game {games.texts[game]} has one player")
    deals = dict(zip(games.numbers, _deals(others[0]) if others else games.numbers, strict=True))
    matches = [_order(seated) for seated in seats]
    counted = _counted((deals[game] for game in range(len(seats))), matches)
    return ResultFile(Results(players.texts, counted, lambda: _by_period(matches)))


def _order(ranks: Mapping[int, float]) -> Duels:
    """A match by its finishing order: the rank of each player, the least first."""
    places = [*ranks.values()]
    scores = [
        0.5 if places[one] == places[other] else float(places[one] < places[other])
        for one, other in pairs(len(places))
    ]
    return Duels(tuple(ranks), tuple(scores))


def _pgn(text: str, warn: Callable[[str], object]) -> ResultFile:
    names, scores = Codes(), []
    first, second = [], []
    left_out: dict[str, int] = {}
    disagreeing: list[int] = []
    for number, game in enumerate(pgn.read_games(text), 1):
        reason = _left_out(game)
        if reason:
            left_out[reason] = left_out.get(reason, 0) + 1
            continue
        if game.result not in pgn.SCORES:
            choices = ", ".join((*pgn.SCORES, pgn.BOTH_LOST, pgn.UNFINISHED[0]))
            result = printable_line(game.result)
            raise BadInput(
                f"line {game.line}: game {number} has the unknown result {result!r}; "
                f"choices: {choices}"
            )
        if game.disagrees:
            disagreeing.append(game.line)
        first.append(names[game.tag("White")])
        second.append(names[game.tag("Black")])
        scores.append(pgn.SCORES[game.result])
    if disagreeing:
        warn(
            f"line {disagreeing[0]}: the tag Result and the end of the moves differ; the tag "
            f"counts (games of this kind: {len(disagreeing)})"
        )
    if not scores:
        seen = f": {seen_and_rated(0, left_out)}" if left_out else ""
        raise BadInput(f"holds no results{seen}")
    return _of_two([*names], first, second, scores, left_out=left_out)


def _left_out(game: pgn.Game) -> str:
    """Returns why a game cannot be rated, as a key of ``LEFT_OUT``; empty if it can."""
    white, black, result = game.tag("White"), game.tag("Black"), game.result
    if not (white and black):
        return "no_names"
    if result in pgn.UNFINISHED:
        return "no_result"
    if result == pgn.BOTH_LOST:
        return "both_lost"
    return "same_player" if white == black else ""


LEFT_OUT = {
    "no_result": "without a result",
    "both_lost": "lost by both",
    "no_names": "without both names",
    "same_player": "of a player against itself",
}
"""The reasons for which games are left out, in words."""


def seen_and_rated(rated: int, left_out: Mapping[str, int]) -> str:
    """Returns how many games a file holds, how many of them count, and why others do not."""
    seen = rated + sum(left_out.values())
    reasons = [f"{left_out[key]} {words}" for key, words in LEFT_OUT.items() if key in left_out]
    games = "game" if seen == 1 else "games"
    return "; ".join(filter(None, (f"{seen} {games} seen, {rated} rated", ", ".join(reasons))))

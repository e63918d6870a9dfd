"""Reads results from elsewhere: CSV of two players a line, CSV of finishing orders, PGN."""

from __future__ import annotations

import csv
import io
import re
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from math import inf, isfinite
from operator import eq
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import msgspec

from arena.core.errors import BadInput, ParseError
from arena.core.printable import printable_line
from arena.core.text import decode_text
from arena.service.rating import pgn
from arena.service.rating.simple_csv import simple_csv

if TYPE_CHECKING:
    from _csv import Reader as CsvReader

TWO = ("player1", "player2", "score")
ORDERS = ("game", "player", "rank")
FORMS = f"{','.join(TWO)}[,pair][,period], or {','.join(ORDERS)}[,pair], or PGN"
BLANK = {"pair"}
"""Columns that may be left blank."""
_BLOCK = 100_000
LARGE = 500_000
"""Characters from which on it saves time to load what reads simple files fast."""


class TwoSeats(msgspec.Struct, frozen=True):
    """Results of matches of two, in the order of the file.

    Attributes:
        names: Of the players.
        first: Index of the player in the first seat (at home, White) of each result.
        second: Index of the other.
        scores: Points of the first, 0..1.
        deals: Numbers of deals: results of two players with the same one are a pair. Empty
            without the column.
        periods: Numbers of rating periods; empty without the column.
        left_out: Numbers of games that cannot be rated, by the reasons of ``LEFT_OUT``.
    """

    names: tuple[str, ...]
    first: Sequence[int]
    second: Sequence[int]
    scores: Sequence[float]
    deals: Sequence[int] = []
    periods: Sequence[int] = []
    left_out: Mapping[str, int] = {}


class Orders(msgspec.Struct, frozen=True):
    """Finishing orders of matches of two and more.

    Attributes:
        names: Of the players.
        games: For each match its players' indices and their ranks, the least first.
        deals: Number of each match's deal; empty without the column.
    """

    names: tuple[str, ...]
    games: list[tuple[tuple[int, ...], tuple[float, ...]]]
    deals: list[int] = []


def read_results(path: Path, warn: Callable[[str], object]) -> TwoSeats | Orders:
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
        table = Table(text)
        if set(ORDERS) <= set(table.header):
            found: TwoSeats | Orders = _orders(table)
        else:
            found = _two_seats(table)
    except BadInput as error:
        raise BadInput(f"{path}: {error}") from None
    named = zip(table.titles, table.header, strict=False)
    if unused := [title for title, name in named if name not in table.used]:
        warn(f"{path}: unused columns: {', '.join(unused)}")
    return found


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


class Codes(dict[str, int]):
    """Numbers texts in the order in which they come, from 0."""

    def __missing__(self, text: str) -> int:
        self[text] = number = len(self)
        return number


class Column(msgspec.Struct, frozen=True):
    """A column of a table.

    Attributes:
        texts: The different texts in it.
        numbers: For each row the index of its text.
    """

    texts: list[str]
    numbers: array[int]


class Rows(msgspec.Struct, frozen=True):
    """Rows of a table, as the texts of its columns."""

    columns: list[tuple[str, ...]]

    def numbers(self, column: int, codes: Codes) -> Iterable[int]:
        """The number of each row's text in a column."""
        return map(codes.__getitem__, self.columns[column])


class Table:
    """A CSV file whose first line names its columns; blank lines count for nothing.

    Values are separated by commas, or as spreadsheets do by semicolons or tabs; columns without
    names and values at the end are left out. Names of columns are compared without case and spaces.

    Args:
        forms: The columns that it should have, for errors.
    """

    def __init__(self, text: str, forms: str = FORMS) -> None:
        self._forms = forms
        self._text, self._before, self._separator = _separated(text)
        self._simple = simple_csv(self._text, self._separator) if len(text) >= LARGE else None
        rows = islice(self._rows(), 1) if self._simple is None else [self._simple.header]
        self.titles = [name.strip() for row in rows for name in row]
        self.header = ["".join(name.split()).lower() for name in self.titles]
        while self.header and not self.header[-1]:
            del self.header[-1]
        self.used: set[str] = set()
        if not self.header:
            raise BadInput(f"is empty; it should hold {forms}")

    def columns(self, *groups: Sequence[str]) -> list[Column]:
        """Reads columns; those of a group share their texts.

        Raises:
            BadInput: One is missing, or a line is wrong.
        """
        names = [name for group in groups for name in group]
        for name in names:
            if self.header.count(name) != 1:
                problem = "twice a" if name in self.header else "no"
                raise BadInput(f"line 1: {problem} column {name!r}; a file holds {self._forms}")
        self.used.update(names)
        codes = [own for group in groups for own in (Codes(),) for _ in group]
        numbers = [array("q") for _ in names]
        places = [self.header.index(name) for name in names]
        for block in self._blocks() if self._simple is None else self._simple.blocks(_BLOCK):
            for place, own, found in zip(places, codes, numbers, strict=True):
                found.extend(block.numbers(place, own))
        if not numbers[0]:
            raise BadInput("holds no results")
        columns = [_stripped(own, found) for own, found in zip(codes, numbers, strict=True)]
        for name, column in zip(names, columns, strict=True):
            if name not in BLANK and "" in column.texts:
                blank = column.texts.index("")
                if blank in column.numbers:
                    self.fail(column.numbers.index(blank), f"no {name}")
        return columns

    def _blocks(self) -> Iterator[Rows]:
        """The rows after the header in blocks; ``BadInput`` for one of another length."""
        rows, done = self._rows(), 0
        next(rows)
        while block := list(islice(rows, _BLOCK)):
            width = len(self.header)
            if {*map(len, block)} != {width}:
                block = [row if any(row[width:]) else row[:width] for row in block]
                if wrong := next((row for row in block if len(row) != width), None):
                    message = f"{len(wrong)} values for {width} columns"
                    self.fail(done + block.index(wrong), message)
            yield Rows(list(zip(*block, strict=True)))
            done += len(block)

    def values(
        self, name: str, column: Column, limits: tuple[float, float], meaning: str = ""
    ) -> array[float]:
        """The numbers of a column, row by row.

        Raises:
            BadInput: A text is no number within the limits.
        """
        found = []
        for number, text in enumerate(column.texts):
            value = _number(text, limits)
            if value is None:
                expected = (
                    "a number" if limits[1] == inf else f"from {limits[0]:g} to {limits[1]:g}"
                )
                more = f" ({meaning})" if meaning else ""
                self.fail(column.numbers.index(number), f"{name} {text!r} is not {expected}{more}")
            found.append(value)
        return array("d", map(found.__getitem__, column.numbers))

    def fail(self, row: int, message: str) -> NoReturn:
        """Raises ``BadInput`` about a row, 0 and up after the header, with its line."""
        reader = self._reader()
        for _ in islice(filter(any, reader), row + 2):
            line = reader.line_num + self._before
        raise BadInput(f"line {line}: {message}")

    def _reader(self) -> CsvReader:
        text = io.StringIO(self._text, newline="")
        # A tab is itself a space, which would be skipped.
        skip = self._separator != "\t"
        return csv.reader(text, delimiter=self._separator, skipinitialspace=skip)

    def _rows(self) -> Iterator[list[str]]:
        """The rows that are not blank."""
        reader = self._reader()
        try:
            yield from filter(any, reader)
        except csv.Error as error:
            line = reader.line_num + self._before
            raise BadInput(f"line {line}: {error}") from None


_SEPARATOR_LINE = re.compile(r"\s*\"?sep=(.)\"?[,;\t ]*(?:\n|$)", re.IGNORECASE)
"""Excel's own first line, which is no row."""


def _separated(text: str) -> tuple[str, int, str]:
    """Returns a table from its header on, the number of lines before it, and its separator.

    That is the one that Excel's first line names, or else the most frequent one in the header.
    """
    named = _SEPARATOR_LINE.match(text)
    start = named.end() if named else 0
    before, text = text.count("\n", 0, start), text[start:]
    if named and named[1] in _SEPARATORS:
        return text, before, named[1]
    header = next(filter(str.strip, io.StringIO(text)), "")
    return text, before, max(_SEPARATORS, key=header.count)


_SEPARATORS = ",;\t"


def _number(text: str, limits: tuple[float, float]) -> float | None:
    """The finite number that a text is; ``None`` if it is none within the limits."""
    try:
        value = float(text if "." in text else text.replace(",", ".", 1))
    except ValueError:
        return None
    return value if isfinite(value) and limits[0] <= value <= limits[1] else None


def _stripped(codes: Mapping[str, int], numbers: array[int]) -> Column:
    """A column whose texts have no space around them."""
    stripped = [*map(str.strip, codes)]
    if [*codes] == stripped:
        return Column(stripped, numbers)
    bare = Codes()
    places = [bare[text] for text in stripped]
    if len(bare) < len(codes):
        numbers = array("q", map(places.__getitem__, numbers))
    return Column(list(bare), numbers)


def _two_seats(table: Table) -> TwoSeats:
    more = [name for name in ("pair", "period") if name in table.header]
    first, second, scores, *others = table.columns(TWO[:2], TWO[2:], *([name] for name in more))
    optional = dict(zip(more, others, strict=True))
    if any(map(eq, first.numbers, second.numbers)):
        row = [*map(eq, first.numbers, second.numbers)].index(True)
        table.fail(row, f"{first.texts[first.numbers[row]]} plays against itself")
    halves = Column([_score(text) for text in scores.texts], scores.numbers)
    points = table.values("score", halves, (0.0, 1.0), "1 won, 0.5 drawn, 0 lost")
    return TwoSeats(
        names=tuple(first.texts),
        first=first.numbers,
        second=second.numbers,
        scores=points,
        deals=_deals(optional["pair"]) if "pair" in optional else [],
        periods=optional["period"].numbers if "period" in optional else [],
    )


def _deals(pair: Column) -> Sequence[int]:
    """Numbers of the deals; rows without one have each its own."""
    if "" not in pair.texts:
        return pair.numbers
    blank = pair.texts.index("")
    top = len(pair.texts)
    return [top + row if each == blank else each for row, each in enumerate(pair.numbers)]


def _score(text: str) -> str:
    return str(pgn.SCORES.get(pgn.plain_result(text), text))


def _orders(table: Table) -> Orders:
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
    deals = _deals(others[0]) if others else []
    of_games = dict(zip(games.numbers, deals, strict=True)) if deals else {}
    return Orders(
        names=tuple(players.texts),
        games=[(tuple(seated), tuple(seated.values())) for seated in seats],
        deals=[of_games[game] for game in range(len(seats))] if deals else [],
    )


def _pgn(text: str, warn: Callable[[str], object]) -> TwoSeats:
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
    return TwoSeats(tuple(names), first, second, scores, left_out=left_out)


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

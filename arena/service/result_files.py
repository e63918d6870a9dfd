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
from arena.core.text import decode_text
from arena.service.simple_csv import simple_csv

if TYPE_CHECKING:
    from _csv import Reader as CsvReader

TWO = ("player1", "player2", "score")
ORDERS = ("game", "player", "rank")
FORMS = f"{','.join(TWO)}[,pair][,period], or {','.join(ORDERS)}[,pair], or PGN"
PGN_SCORES = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}
UNFINISHED = "*"
TAG = re.compile(r'\[(\w+)\s+"((?:[^"\\]|\\.)*)"\s*\]\s*')
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
    """

    names: tuple[str, ...]
    first: Sequence[int]
    second: Sequence[int]
    scores: Sequence[float]
    deals: Sequence[int] = []
    periods: Sequence[int] = []


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
        warn: Is given a line about columns and games that are left out.

    Raises:
        BadInput: It cannot be read, or a line of it is wrong.
    """
    text = read_text(path)
    try:
        if text.lstrip().startswith(("[", "%", ";")):
            return _pgn(text, lambda line: warn(f"{path}: {line}"))
        table = Table(text)
        if set(ORDERS) <= set(table.header):
            found: TwoSeats | Orders = _orders(table)
        else:
            found = _two_seats(table)
    except BadInput as error:
        raise BadInput(f"{path}: {error}") from None
    if unused := [name for name in table.header if name not in table.used]:
        warn(f"{path}: unused columns: {', '.join(unused)}")
    return found


def read_text(path: Path) -> str:
    """Returns the text of a file: UTF-8, UTF-16, or the usual single bytes of Windows.

    The latter have all letters of ISO 8859-1, in which PGN is written by its standard.

    Raises:
        BadInput: It cannot be read.
    """
    try:
        return decode_text(path.read_bytes(), wide=True, otherwise="cp1252")
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

    Args:
        forms: The columns that it should have, for errors.
    """

    def __init__(self, text: str, forms: str = FORMS) -> None:
        self._text, self._forms = text, forms
        self._simple = simple_csv(text) if len(text) >= LARGE else None
        rows = islice(self._rows(), 1) if self._simple is None else [self._simple.header]
        self.header = [name.strip() for row in rows for name in row]
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
            if {*map(len, block)} != {len(self.header)}:
                wrong = next(row for row in block if len(row) != len(self.header))
                message = f"{len(wrong)} values for {len(self.header)} columns"
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
        for _ in islice(filter(None, reader), row + 2):
            line = reader.line_num
        raise BadInput(f"line {line}: {message}")

    def _reader(self) -> CsvReader:
        return csv.reader(io.StringIO(self._text, newline=""), skipinitialspace=True)

    def _rows(self) -> Iterator[list[str]]:
        """The rows that are not blank."""
        reader = self._reader()
        try:
            yield from filter(None, reader)
        except csv.Error as error:
            raise BadInput(f"line {reader.line_num}: {error}") from None


def _number(text: str, limits: tuple[float, float]) -> float | None:
    """The finite number that a text is; ``None`` if it is none within the limits."""
    try:
        value = float(text)
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
    return "0.5" if text in ("1/2", "½") else text


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
    names, scores, unfinished = Codes(), [], 0
    first, second = [], []
    for line, tags in _games(text):
        for tag in ("White", "Black", "Result"):
            if not tags.get(tag, "").strip():
                raise BadInput(f"line {line}: the game that begins here has no tag {tag}")
        white, black = tags["White"].strip(), tags["Black"].strip()
        if white == black:
            raise BadInput(f"line {line}: {white} plays against itself")
        if tags["Result"] == UNFINISHED:
            unfinished += 1
            continue
        if tags["Result"] not in PGN_SCORES:
            choices = ", ".join((*PGN_SCORES, UNFINISHED))
            raise BadInput(f"line {line}: unknown result {tags['Result']!r}; choices: {choices}")
        first.append(names[white])
        second.append(names[black])
        scores.append(PGN_SCORES[tags["Result"]])
    if unfinished:
        warn(f"games without a result, which are left out: {unfinished}")
    if not scores:
        raise BadInput("holds no results")
    return TwoSeats(tuple(names), first, second, scores)


def _games(text: str) -> Iterator[tuple[int, dict[str, str]]]:
    """The tags of each game, with the line of the first; a tag that comes again begins another."""
    tags: dict[str, str] = {}
    begun, ended = 0, False
    for number, line in enumerate(text.splitlines(), 1):
        found = TAG.fullmatch(line.strip())
        if found is None:
            ended = ended or bool(line.strip() and tags)
            continue
        if ended or found[1] in tags:
            yield begun, tags
            tags, ended = {}, False
        begun = begun if tags else number
        tags[found[1]] = re.sub(r"\\(.)", r"\1", found[2])
    if tags:
        yield begun, tags

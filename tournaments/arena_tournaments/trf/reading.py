"""Reads Tournament Report Files: TRF16, TRF25 and TRF26, with the codes of JaVaFo and bbpPairings.

Records that nothing depends on (dates, arbiters, teams, national ratings) are kept as they are.
Files are untrusted: size, numbers and lists have limits, and every error is one line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import ParamSpec, TypeAlias, TypeVar

import msgspec

from arena.core.errors import ParseError
from arena.core.text.decoding import BOM_UTF8, decode_text, wide_encoding
from arena_tournaments.trf.cells import MAX_PLAYERS, MAX_ROUNDS, Flaw, cells_of
from arena_tournaments.trf.checking import check
from arena_tournaments.trf.columns import check_start, shift_of
from arena_tournaments.trf.fields import number_in, points_of, shown, span_in, tenths_in, whole
from arena_tournaments.trf.report import (
    USUAL_POINTS,
    Acceleration,
    Adjustment,
    Forbidden,
    Player,
    Report,
)

_Given = ParamSpec("_Given")
_Field = TypeVar("_Field")
_Missing = TypeVar("_Missing")

MAX_LENGTH = 20_000_000
"""Bytes of a file."""
MAX_LISTED = 1_000_000
"""Numbers in records that list players: forbidden pairs, byes, accelerations."""
MAX_FLAWS = 10_000
"""Places that cannot be read, of a file of which the others are."""

_BY_BYTE = "ISO-8859-1"
"""The encoding of lines that are not UTF-8."""

_SETS = {
    "W": ("WW", "BW", "FW", "FPB"),
    "D": ("WD", "BD", "HPB"),
    "L": ("WL", "BL"),
    "A": ("ZPB", "FL"),
    "Z": ("ZPB", "FL"),
    "P": ("PAB",),
    "X": (),
}
"""The points that a letter of record 162 sets."""
_BBP = {"BBW": "W", "BBD": "D", "BBL": "L", "BBZ": "ZPB", "BBF": "FL", "BBU": "P"}


def read_trf(data: bytes, warn: Callable[[str], object] | None = None) -> Report:
    """Reads a report and checks that its records fit together.

    Args:
        warn: Is given a line about a file that mixes encodings; it fits after the file's name.

    Raises:
        ParseError: They do not; the message names line and field and fits after the file's name.
    """
    if len(data) > MAX_LENGTH:
        raise ParseError(f"is longer than {MAX_LENGTH} bytes")
    text = decode_text(data, wide=True, otherwise=_BY_BYTE, warn=warn)
    try:
        return _read(text)
    except ParseError:
        if text.isascii():
            raise
        # Some programs count columns in bytes, of which a letter beyond ASCII has several.
        with suppress(ParseError):
            return _with_letters(_read(_letter_per_byte(data, text)))
        raise


def _letter_per_byte(data: bytes, text: str) -> str:
    """Returns a file's text with a letter for each byte, of text in wide letters as UTF-8."""
    narrow = text.encode() if wide_encoding(data) else data.removeprefix(BOM_UTF8)
    return narrow.replace(b"\r\n", b"\n").replace(b"\r", b"\n").decode(_BY_BYTE)


def _with_letters(report: Report) -> Report:
    players = tuple(
        msgspec.structs.replace(player, name=_letters(player.name)) for player in report.players
    )
    return msgspec.structs.replace(report, name=_letters(report.name), players=players)


def _letters(text: str) -> str:
    return decode_text(text.encode(_BY_BYTE), otherwise=_BY_BYTE).strip()


class Flawed(msgspec.Struct, frozen=True, kw_only=True):
    """A report as far as it can be read; nothing says that its records fit together.

    Attributes:
        report: A missing result, or one that cannot be read, is ``UNKNOWN``.
        lines: The line of each player's record, by number.
        flaws: What cannot be read, in the file's order.
    """

    report: Report
    lines: Mapping[int, int]
    flaws: tuple[Flaw, ...]


def read_flawed(data: bytes, warn: Callable[[str], object] | None = None) -> Flawed:
    """Reads a report as far as it can be read; ``warn`` is as in ``read_trf``.

    A record that is shifted is read as if it were not.

    Raises:
        ParseError: It has no player that can be read, is too long, or has too many flaws.
    """
    if len(data) > MAX_LENGTH:
        raise ParseError(f"is longer than {MAX_LENGTH} bytes")
    text = decode_text(data, wide=True, otherwise=_BY_BYTE, warn=warn)
    found = _read_all(text, [])
    if text.isascii() or not found.flaws:
        return found
    with suppress(ParseError):
        by_byte = _read_all(_letter_per_byte(data, text), [])
        if len(by_byte.flaws) < len(found.flaws):
            return msgspec.structs.replace(by_byte, report=_with_letters(by_byte.report))
    return found


def _read(text: str) -> Report:
    found = _read_all(text, None)
    check(found.report, found.lines)
    return found.report


def _read_all(text: str, flaws: list[Flaw] | None) -> Flawed:
    """Reads all records; without a list for flaws, the first one raises ``ParseError``."""
    reader = _Reader(flaws)
    for number, line in _lines(text):
        reader.line = number
        try:
            check_start(line, _CODES)
            _read_line(reader, line)
        except ParseError as error:
            if flaws is None:
                raise ParseError(f"line {number}: {error}") from None
            reader.bad(Flaw(kind="record", problem=str(error)))
        reader.check_size(line[:3])
    report = reader.report()
    return Flawed(report=report, lines=reader.lines, flaws=tuple(flaws or ()))


def _lines(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            yield number, line.rstrip()


class _Reader:
    def __init__(self, flaws: list[Flaw] | None = None) -> None:
        self.line = 0
        self.lines: dict[int, int] = {}
        self.keeps_flaws = flaws is not None
        self._flaws = flaws
        self._name = self._initial_colour = self._system = ""
        self._rounds = 0
        self._by_line = False
        self._players: dict[int, Player] = {}
        self._points: dict[str, int] = dict(USUAL_POINTS)
        self._allocated: int | None = None
        self._accelerations: list[Acceleration] = []
        self._forbidden: list[Forbidden] = []
        self._byes: dict[tuple[int, int], str] = {}
        self._absent: set[int] = set()
        self._adjustments: dict[int, tuple[Adjustment, ...]] = {}
        self._tie_breaks: list[str] = []
        self._other: list[str] = []
        self._listed = 0

    def read(self, line: str) -> None:
        code = line[:3]
        if code in _BBP:
            self._set_points(_BBP[code], points_of(line[4:], code))
        elif code in _RECORDS:
            _RECORDS[code](self, line)
        else:
            self._other.append(line)

    def check_size(self, code: str) -> None:
        """Raises ``ParseError`` for a file that lists too much, or has too many flaws."""
        if self._listed > MAX_LISTED:
            where = f"line {self.line}: {code}"
            raise ParseError(f"{where}: more than {MAX_LISTED} numbers in lists of players")
        if len(self._flaws or ()) > MAX_FLAWS:
            raise ParseError(f"has more than {MAX_FLAWS} places that cannot be read")

    def bad(self, flaw: Flaw) -> None:
        """Keeps a flaw, or raises it."""
        if self._flaws is None:
            raise ParseError(flaw.message)
        self._flaws.append(msgspec.structs.replace(flaw, line=self.line))

    def report(self) -> Report:
        if not self._players:
            first = f"; line {self._flaws[0].line}: {self._flaws[0].message}" if self._flaws else ""
            raise ParseError(f"has no players (records 001){first}")
        if self._allocated is not None:
            self._points["PAB"] = self._allocated
        return Report(
            name=self._name,
            rounds=self._rounds,
            players=tuple(self._players.values()),
            initial_colour=self._initial_colour,
            system=self._system,
            by_line=self._by_line,
            points=self._points,
            accelerations=tuple(self._accelerations),
            forbidden=tuple(self._forbidden),
            byes=self._byes,
            absent=frozenset(self._absent),
            adjustments=self._adjustments,
            tie_breaks=tuple(self._tie_breaks),
            other=tuple(self._other),
        )

    def _player(self, line: str) -> None:
        number = number_in(line, 5, 8, "starting rank", 1, MAX_PLAYERS)
        if number in self._players:
            raise ParseError(f"player {number} is there twice")
        self.lines[number] = self.line
        self._players[number] = Player(
            number=number,
            sex=line[9:10].strip(),
            title=line[10:13].strip(),
            name=line[14:47].strip(),
            rating=self._or(0, number, number_in, line, 49, 52, "rating", 0, 9999, 0),
            federation=line[53:56].strip(),
            fide_number=line[57:68].strip(),
            birth=line[69:79].strip(),
            points=(
                self._or(None, number, tenths_in, line, 81, 84, "points")
                if line[80:84].strip()
                else None
            ),
            rank=self._or(0, number, number_in, line, 86, 89, "rank", 0, MAX_PLAYERS, 0),
            cells=tuple(cells_of(line, number, self.bad)),
        )

    def _or(
        self,
        otherwise: _Missing,
        number: int,
        read: Callable[_Given, _Field],
        *given: _Given.args,
        **named: _Given.kwargs,
    ) -> _Field | _Missing:
        """Reads a field of a player; ``otherwise`` where it cannot be read and may be flawed."""
        try:
            return read(*given, **named)
        except ParseError as error:
            self.bad(Flaw(kind="record", problem=str(error), player=number))
            return otherwise

    def _read_name(self, line: str) -> None:
        self._name = line[4:].strip()

    def _read_rounds(self, line: str) -> None:
        self._rounds = whole(line[3:], "rounds", 1, MAX_ROUNDS)

    def _read_colour(self, line: str) -> None:
        colour = line[3:].strip().lower()
        if colour not in ("w", "b"):
            raise ParseError(f"152: initial colour {shown(colour)} is neither W nor B")
        self._initial_colour = colour

    def _configuration(self, line: str) -> None:
        for word in line[3:].split():
            if word in ("white1", "black1"):
                self._initial_colour = word[0]
            elif word == "rank":
                self._by_line = True

    def _read_system(self, line: str) -> None:
        self._system = line[3:].strip()

    def _read_tie_breaks(self, line: str) -> None:
        self._tie_breaks += [each for each in re.split(r"[,;\s]+", line[3:]) if each]

    def _point_system(self, line: str) -> None:
        """Reads record 162: a letter and its points, every nine columns."""
        for at in range(5, len(line), 9):
            letter, points = line[at].upper(), line[at + 1 : at + 5]
            if letter not in _SETS:
                raise ParseError(
                    f"162: {shown(letter)}: expected one of {' '.join(_SETS)} (column {at + 1})"
                )
            self._set_points(letter, points_of(points, f"162, {letter}"))

    def _javafo_points(self, line: str) -> None:
        for word in line[3:].split():
            code, _, value = word.upper().partition("=")
            if code not in _SETS and code not in USUAL_POINTS:
                choices = " ".join(["W", "D", "L", *USUAL_POINTS])
                raise ParseError(f"XXS: {shown(code)}: expected one of {choices}")
            self._set_points("P" if code == "PAB" else code, points_of(value, f"XXS, {code}"))

    def _set_points(self, code: str, points: int) -> None:
        if code == "P":
            self._allocated = points
        if code == "W":
            self._points["PAB"] = points
        for each in _SETS.get(code, (code,)):
            self._points[each] = points

    def _byes_of_round(self, line: str) -> None:
        kind = line[4:5].upper()
        if kind not in ("F", "H", "Z"):
            raise ParseError(f"240: type of bye {shown(kind)}: expected F, H or Z (column 5)")
        round = number_in(line, 7, 9, "240, round", 1, MAX_ROUNDS)
        for number in self._numbers(line, 10, "240"):
            self._byes[round, number] = kind

    def _accelerated(self, line: str) -> None:
        if line[4:8].strip() and tenths_in(line, 5, 8, "250, match points"):
            raise ParseError("250: match points are of teams")
        first_round, last_round = span_in(line, 15, 19, "250", MAX_ROUNDS)
        first = number_in(line, 23, 26, "250, first player", 1, MAX_PLAYERS)
        last = number_in(line, 28, 31, "250, last player", first, MAX_PLAYERS)
        points = tenths_in(line, 10, 13, "250, points")
        self._listed += last - first + 1
        self._accelerations.append(Acceleration(points, first_round, last_round, first, last))

    def _accelerated_player(self, line: str) -> None:
        number = whole(line[3:8], "XXA, player", 1, MAX_PLAYERS)
        for round, at in enumerate(range(8, len(line), 5), 1):
            if line[at : at + 5].strip():
                points = points_of(line[at : at + 5], f"XXA, round {round}")
                self._listed += 1
                self._accelerations.append(Acceleration(points, round, round, number, number))

    def _forbidden_in_rounds(self, line: str) -> None:
        rounds = span_in(line, 5, 9, "260", MAX_ROUNDS)
        self._forbidden.append(Forbidden(*rounds, tuple(self._numbers(line, 12, "260"))))

    def _forbidden_always(self, line: str) -> None:
        self._forbidden.append(Forbidden(1, 0, tuple(self._numbers(line, 3, "XXP"))))

    def _absent_players(self, line: str) -> None:
        self._absent.update(self._numbers(line, 3, "XXZ"))

    def _adjusted(self, line: str) -> None:
        result = line[4:5].strip().upper()
        if result and result not in "WDLFHZ+-":
            raise ParseError(
                f"299: type {shown(result)}: expected one of W D L F H Z + - (column 5)"
            )
        points = tenths_in(line, 14, 18, "299, points")
        round = number_in(line, 20, 22, "299, round", 0, MAX_ROUNDS, empty=0)
        adjustment = Adjustment(result, points, round)
        for number in self._numbers(line, 23, "299"):
            mine = self._adjustments.get(number, ())
            if len(mine) == MAX_ROUNDS:
                raise ParseError(f"299: more than {MAX_ROUNDS} records of player {number}")
            self._adjustments[number] = (*mine, adjustment)

    def _numbers(self, line: str, start: int, code: str) -> Iterator[int]:
        words = line[start:].split()
        self._listed += len(words)
        for word in words:
            yield whole(word, f"{code}, player", 1, MAX_PLAYERS)


_Record: TypeAlias = Callable[[_Reader, str], None]
_RECORDS: Mapping[str, _Record] = {
    "001": _Reader._player,
    "012": _Reader._read_name,
    "142": _Reader._read_rounds,
    "XXR": _Reader._read_rounds,
    "152": _Reader._read_colour,
    "XXC": _Reader._configuration,
    "162": _Reader._point_system,
    "XXS": _Reader._javafo_points,
    "192": _Reader._read_system,
    "212": _Reader._read_tie_breaks,
    "240": _Reader._byes_of_round,
    "250": _Reader._accelerated,
    "XXA": _Reader._accelerated_player,
    "260": _Reader._forbidden_in_rounds,
    "XXP": _Reader._forbidden_always,
    "XXZ": _Reader._absent_players,
    "299": _Reader._adjusted,
}
"""The records that count, by their code."""
_CODES = frozenset((*_RECORDS, *_BBP))


def _read_line(reader: _Reader, line: str) -> None:
    """Reads one record; of a player's that cannot be read the error says how it is shifted."""
    is_player = line.startswith("001")
    first = _Reader() if is_player and reader.keeps_flaws else reader
    try:
        first.read(line)
    except ParseError as error:
        shift, moved = shift_of(line, _readable) if is_player else ("", line)
        if first is reader:
            raise ParseError(f"{error}{shift}") from None
        if shift:
            number = int(moved[4:8].strip())
            reader.bad(Flaw(kind="columns", problem=f"{error}{shift}", player=number))
            line = moved
    if first is not reader:
        reader.read(line)


def _readable(line: str) -> bool:
    with suppress(ParseError):
        _Reader().read(line)
        return True
    return False

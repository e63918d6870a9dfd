"""Packs matches into rows of the table ``match``, and reads them back.

Tuples are msgpack arrays, in which whole utilities are integers. No termination stands for the
rules' own ending, no isolation for trusted bots. A row holds each fact once: of a
record the column ``record`` has only what no other column says, deflated: loadouts, actions and
reason. All else follows from the row, its tournament and its field, bit for bit. A record of which
that is not true (one that an earlier version stored damaged) is stored whole.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from functools import lru_cache
from math import copysign
from typing import Any, TypeAlias

import msgspec

from arena.core.errors import AlteredResults, ParseError
from arena.core.outcome import Fault, Outcome, Termination
from arena.core.record import MatchKey, MatchRecord, Measurement, PlayedMatch
from arena_results.checksums import MATCH
from arena_results.rows import MatchRow

Values: TypeAlias = dict[str, object]
"""A row: value by column."""

_WINDOW = 9
"""Base-2 logarithm of the deflate window: the least, for records are short."""
_LONGEST = 1 << 28
"""Bytes of the longest record that is read."""


class _Rest(msgspec.Struct, frozen=True, array_like=True):
    """The part of a record that is in no other column."""

    loadouts: tuple[bytes, ...]
    actions: bytes
    reason: str


class Packer:
    """Packs the matches of one tournament.

    Args:
        game: The tournament's game, as its ruleset and its engine.
        keys: Key of each participant, by index into the field.

    Attributes:
        indices: The index of each key.
    """

    def __init__(self, game: str, ruleset: str, engine: str, keys: Sequence[str]) -> None:
        self._terms = game, ruleset, engine
        self._keys = dict(enumerate(keys))
        self.indices = {key: index for index, key in enumerate(keys)}

    def row(self, tournament: int, played: PlayedMatch) -> Values:
        """Returns the row of a match; ``KeyError`` for a seat that is not in the field."""
        key, record, measured = played.key, played.record, played.measurement
        outcome = record.outcome
        row: Values = {
            "tournament_id": tournament,
            "round": key.round,
            "pairing": key.pairing,
            "leg": key.leg,
            "seats": pack([self.indices[seat] for seat in record.seats]),
            "seed": record.seed,
            "returns": pack_floats(outcome.returns),
            "scores": pack(outcome.scores),
            "termination": usual(outcome.termination.value, Termination.RULES.value),
            "offender": outcome.offender,
            "move": outcome.move,
            "expelled": pack(outcome.expelled),
            "nanoseconds": pack(measured.nanoseconds),
            "requests": pack(measured.requests),
            "isolation": usual(measured.isolation, _TRUSTED),
            "error": measured.error,
            "cpu_nanoseconds": pack(measured.cpu_nanoseconds),
            "record": pack_rest(record),
        }
        return MATCH.sealed(self.completed(row, record.to_bytes()))

    def completed(self, row: Values, record: bytes) -> Values:
        """Puts the whole record into a row from which its bytes do not follow."""
        found = [row[name] for name in RECORD_COLUMNS]
        try:
            follows = self.record(found).to_bytes() == record
        except (ParseError, ValueError, msgspec.MsgspecError):
            follows = False
        if not follows:
            row["record"] = _deflated(record)
        return row

    def record(self, values: Sequence[Any]) -> MatchRecord:
        """Returns the record of a match.

        Args:
            values: Those of the columns ``RECORD_COLUMNS``.
        """
        seats, seed, returns, scores, termination, offender, move, expelled, packed = values
        rest = _inflated(packed)
        if isinstance(rest, bytes):
            return MatchRecord.from_bytes(rest)
        try:
            seated = tuple([self._keys[seat] for seat in unpack_ints(seats)])
        except KeyError as error:
            raise ParseError(f"not a match record: the field has no {error}") from None
        return MatchRecord(
            *self._terms,
            seed,
            seated,
            rest.loadouts,
            rest.actions,
            Outcome(
                unpack_floats(returns),
                unpack_ints(scores),
                _TERMINATIONS[termination],
                offender,
                move,
                rest.reason,
                unpack_faults(expelled),
            ),
        )

    def played(self, row: Sequence[Any]) -> PlayedMatch:
        """Returns the match of a row as ``MATCH`` selects it.

        Raises:
            AlteredResults: There is no record in it.
        """
        tournament, *key = _KEY(row)
        try:
            record = self.record(_OF_RECORD(row))
        except ParseError as error:
            where = f"tournament {tournament}, match {MatchKey(*key)}"
            raise AlteredResults(f"{where}: {error}") from None
        nanoseconds, requests, isolation, output, cpu_nanoseconds = _MEASUREMENT(row)
        return PlayedMatch(
            MatchKey(*key),
            record,
            Measurement(
                _unpack_times(nanoseconds),
                unpack_ints(requests),
                isolation or _TRUSTED,
                output,
                _unpack_times(cpu_nanoseconds),
            ),
        )


def match_row(row: Sequence[Any]) -> MatchRow:
    """Returns the columns of a match from its row as ``MATCH`` selects it."""
    return match_row_of(_ROW(row))


def stored_row(row: Values) -> MatchRow:
    """Returns the columns of a match from its packed row."""
    return match_row_of([row[name] for name in ROW_COLUMNS])


def match_row_of(values: Sequence[Any]) -> MatchRow:
    """Returns the columns of a match from the values of ``ROW_COLUMNS``."""
    *key, seats, seed, returns, scores, termination, offender, move, expelled, isolation = values
    return MatchRow(
        MatchKey(*key),
        unpack_ints(seats),
        seed,
        unpack_floats(returns),
        unpack_ints(scores),
        _TERMINATIONS[termination],
        offender,
        move,
        unpack_faults(expelled),
        isolation or _TRUSTED,
    )


def usual(value: str, default: str) -> str | None:
    """Returns what stands for a value in its column: nothing for the most usual one."""
    return None if value == default else value


def pack_floats(values: Sequence[float]) -> bytes:
    """Packs floats, whole ones as integers; -0.0 is none."""
    return pack([_shortest(float(value)) for value in values])


def _shortest(value: float) -> float:
    whole = value.is_integer() and abs(value) < 2**53 and (value or copysign(1, value) > 0)
    return int(value) if whole else value


def pack_rest(record: MatchRecord) -> bytes:
    """Packs the part of a record that is in no other column."""
    return _deflated(_Rest(record.loadouts, record.actions, record.outcome.reason))


def _deflated(rest: object) -> bytes:
    deflating = zlib.compressobj(wbits=-_WINDOW, memLevel=1)
    return deflating.compress(pack(rest)) + deflating.flush()


def _inflated(packed: bytes) -> _Rest | bytes:
    inflating = zlib.decompressobj(wbits=-_WINDOW)
    try:
        data = inflating.decompress(packed, _LONGEST)
    except zlib.error as error:
        raise ParseError(f"not a match record: {error}") from None
    if not inflating.eof or inflating.unused_data:
        raise ParseError("not a match record: it ends elsewhere")
    rest: _Rest | bytes = _decode(data)
    return rest


pack = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(_Rest | bytes).decode
_unpack_times = msgspec.msgpack.Decoder(tuple[int, ...]).decode
# The same few values come back in match after match.
unpack_ints = lru_cache(4096)(_unpack_times)
unpack_floats = lru_cache(4096)(msgspec.msgpack.Decoder(tuple[float, ...]).decode)
unpack_faults = lru_cache(4096)(msgspec.msgpack.Decoder(tuple[Fault, ...]).decode)


class _Terminations(dict[str | None, Termination]):
    """Finds terminations by their values; whatever no writing function stored is no key of it."""

    def __missing__(self, value: object) -> Termination:
        raise ValueError(f"{value!r} is no termination")


_TERMINATIONS = _Terminations({each.value: each for each in Termination})
_TERMINATIONS[None] = Termination.RULES
_TRUSTED = Measurement((), ()).isolation
RECORD_COLUMNS = (
    *("seats", "seed", "returns", "scores"),
    *("termination", "offender", "move", "expelled", "record"),
)
"""Columns from which a record follows."""
_OF_RECORD = MATCH.picks(*RECORD_COLUMNS)
_KEY = MATCH.picks("tournament_id", "round", "pairing", "leg")
ROW_COLUMNS = ("round", "pairing", "leg", *RECORD_COLUMNS[:-1], "isolation")
"""Columns of a ``MatchRow``."""
_ROW = MATCH.picks(*ROW_COLUMNS)
_MEASUREMENT = MATCH.picks("nanoseconds", "requests", "isolation", "error", "cpu_nanoseconds")

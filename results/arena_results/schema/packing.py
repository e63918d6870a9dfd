"""Packs matches into rows of the table ``match``, and reads them back.

Tuples are msgpack arrays, in which whole utilities are integers. No termination stands for the
rules' own ending, no isolation for trusted bots. A row holds each fact once: of a
record the column ``record`` has only what no other column says, deflated: loadouts, actions and
reason. All else follows from the row, its tournament and its field, bit for bit. A record of which
that is not true is stored whole.

Records are short, and alike: they are deflated by a dictionary, the end of the first ones of their
tournament, as if these stood before each of them.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from functools import lru_cache
from math import copysign
from typing import Any, TypeAlias, cast

import msgspec

from arena.core.described import described
from arena.core.errors import AlteredResults, ParseError
from arena.core.outcome import Fault, Outcome, Termination
from arena.core.record import MatchKey, MatchRecord, Measurement, PlayedMatch
from arena_results.schema.checksums import MATCH
from arena_results.schema.rows import MatchRow

Values: TypeAlias = dict[str, object]
"""A row: value by column."""

_WINDOW = 9
"""Base-2 logarithm of the deflate window: the least, for records are short."""
_REACH = 250
"""Bytes of a dictionary: in such a window, deflated bytes refer no farther back."""
_MAX_LENGTH = 1 << 28
"""Bytes of the longest record that is read."""


class _Rest(msgspec.Struct, frozen=True, array_like=True):
    loadouts: tuple[bytes, ...]
    actions: bytes
    reason: str


class Deflater:
    """Deflates parts of records, and inflates them.

    Args:
        dictionary: Bytes that are alike; empty for none.
    """

    def __init__(self, dictionary: bytes = b"") -> None:
        # Copies of objects that have read the dictionary are made in less time than new ones.
        self._deflating = zlib.compressobj(wbits=-_WINDOW, memLevel=1, zdict=dictionary).copy
        self._inflating = zlib.decompressobj(wbits=-_WINDOW, zdict=dictionary).copy
        self._has_dictionary = bool(dictionary)

    def deflated(self, data: bytes) -> bytes:
        """Returns the bytes deflated, by the dictionary."""
        deflating = self._deflating()
        return deflating.compress(data) + deflating.flush()

    def inflated(self, deflated: bytes) -> bytes:
        """Returns what was deflated; raises ``ParseError`` for bytes that were not deflated so."""
        inflating = self._inflating()
        try:
            data = inflating.decompress(deflated, _MAX_LENGTH)
        except zlib.error as error:
            if not self._has_dictionary and "too far back" in str(error):
                missing = "the dictionary of its tournament is missing, or it is damaged"
                raise ParseError(f"its record cannot be read: {missing}") from None
            raise ParseError(f"not a match record: {error}") from None
        if not inflating.eof or inflating.unused_data:
            raise ParseError("not a match record: it ends elsewhere")
        return data


class Packer:
    """Packs the matches of one tournament.

    Args:
        game: The tournament's game, as its ruleset and its engine.
        keys: Key of each participant, by index into the field.
        dictionary: By which records are deflated (``learned``); empty for none.

    Attributes:
        indices: The index of each key.
    """

    def __init__(
        self, game: str, ruleset: str, engine: str, keys: Sequence[str], dictionary: bytes = b""
    ) -> None:
        self._terms = game, ruleset, engine
        self._dictionary, self._deflater = dictionary, Deflater(dictionary)
        self._keys = dict(enumerate(keys))
        self.indices = {key: index for index, key in enumerate(keys)}

    def use(self, dictionary: bytes) -> None:
        """Continues with the dictionary of the tournament, which was made since."""
        if dictionary != self._dictionary:
            self._dictionary, self._deflater = dictionary, Deflater(dictionary)

    def row(self, tournament: int, played: PlayedMatch) -> tuple[Any, ...]:
        """Returns the row of a match as ``MATCH`` selects it, with its checksum.

        Raises:
            KeyError: For a seat that is not in the field.
        """
        key, record, measured = played.key, played.record, played.measurement
        outcome = record.outcome
        returns, same_returns = _returns(pack(outcome.returns))
        scores, expelled = pack(outcome.scores), pack(outcome.expelled)
        seats = pack([self.indices[seat] for seat in record.seats])
        packed = self._deflater.deflated(_rest(record))
        terms = record.game, record.ruleset, record.engine
        termination = usual(outcome.termination.value, Termination.RULES.value)
        if terms != self._terms or not same_returns or not _are_ints(scores) or outcome.expelled:
            row: Values = {"record": packed, "seats": seats, "seed": record.seed}
            row |= {"returns": returns, "scores": scores, "expelled": expelled}
            row |= {"offender": outcome.offender, "move": outcome.move, "termination": termination}
            packed = cast("bytes", self.completed(row, record.to_bytes())["record"])
        # In the order of the names: a dictionary for each match would take half as long again.
        return MATCH.sealed_values(
            (
                pack(measured.cpu_nanoseconds),
                measured.error,
                expelled,
                usual(measured.isolation, _TRUSTED),
                key.leg,
                outcome.move,
                pack(measured.nanoseconds),
                outcome.offender,
                key.pairing,
                packed,
                pack(measured.requests),
                returns,
                key.round,
                scores,
                seats,
                record.seed,
                termination,
                tournament,
            )
        )

    def completed(self, row: Values, record: bytes) -> Values:
        """Places the whole record into a row from which its bytes do not follow."""
        found = [row[name] for name in RECORD_COLUMNS]
        try:
            follows = self.record(found).to_bytes() == record
        except (ParseError, ValueError, msgspec.MsgspecError):
            follows = False
        if not follows:
            row["record"] = self._deflater.deflated(pack(record))
        return row

    def record(self, values: Sequence[Any]) -> MatchRecord:
        """Returns the record of a match.

        Args:
            values: Those of the columns ``RECORD_COLUMNS``.
        """
        seats, seed, returns, scores, termination, offender, move, expelled, packed = values
        rest: _Rest | bytes = _decode(self._deflater.inflated(packed))
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


def learned(matches: Sequence[PlayedMatch]) -> bytes:
    """Returns the dictionary of a tournament that begins with these matches."""
    return b"".join([_rest(match.record) for match in matches[:_REACH]])[-_REACH:]


def _rest(record: MatchRecord) -> bytes:
    return pack(_Rest(record.loadouts, record.actions, record.outcome.reason))


pack = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(described(_Rest | bytes)).decode
_unpack_times = msgspec.msgpack.Decoder(tuple[int, ...]).decode
# The same few values come back in match after match.
unpack_ints = lru_cache(4096)(_unpack_times)
unpack_floats = lru_cache(4096)(msgspec.msgpack.Decoder(tuple[float, ...]).decode)
unpack_faults = lru_cache(4096)(msgspec.msgpack.Decoder(described(tuple[Fault, ...])).decode)


@lru_cache(4096)
def _returns(exact: bytes) -> tuple[bytes, bool]:
    """Returns packed utilities, and whether the same follow from them, by their bytes in a record.

    By their bytes, as values that are equal, like 1 and 1.0, are not the same there.
    """
    packed = pack_floats(msgspec.msgpack.decode(exact))
    return packed, pack(unpack_floats(packed)) == exact


@lru_cache(4096)
def _are_ints(exact: bytes) -> bool:
    try:
        return pack(unpack_ints(exact)) == exact
    except msgspec.MsgspecError:
        return False


class _Terminations(dict[str | None, Termination]):
    """Finds terminations by their stored values; has no other keys."""

    def __missing__(self, value: object) -> Termination:
        raise ValueError(f"expected a termination, got {value!r}")


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

"""The record of a match (reproducible) and its measurement (everything else)."""

from __future__ import annotations

import msgspec
from msgspec.structs import astuple

from arena.core.described import described
from arena.core.errors import ParseError
from arena.core.outcome import Outcome


class MatchKey(msgspec.Struct, frozen=True, array_like=True, gc=False, order=True):
    """The key of a match within its tournament; all three numbers count from 1.

    Attributes:
        round: Round of the tournament.
        pairing: Pairing (board) of the round.
        leg: Number of the match within the pairing, mirrored sets one after another.
    """

    round: int
    pairing: int
    leg: int

    def __str__(self) -> str:
        return f"{self.round}.{self.pairing}.{self.leg}"


class MatchRecord(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The facts that replay a match bit for bit, and none that differ from run to run.

    Attributes:
        ruleset: Name of the ruleset, with its options.
        engine: Version of the game's rules engine.
        seed: Seed of the deal; mirrored matches share it.
        seats: Key of the participant in each seat.
        loadouts: Each seat's loadout, in the game's canonical form.
        actions: Ids of all decisions in order, as ``pack_ids`` writes them.
    """

    game: str
    ruleset: str
    engine: str
    seed: int
    seats: tuple[str, ...]
    loadouts: tuple[bytes, ...]
    actions: bytes
    outcome: Outcome

    def to_bytes(self) -> bytes:
        """Returns the canonical bytes (msgpack).

        An outcome is written with its expulsions only when there are some.
        """
        if self.outcome.expelled:
            return _encode(self)
        return _encode((*astuple(self)[:-1], astuple(self.outcome)[:-1]))

    @classmethod
    def from_bytes(cls, data: bytes) -> MatchRecord:
        """Decodes the bytes of ``to_bytes``; raises ``ParseError`` for any others."""
        try:
            return _decode(data)
        except (msgspec.MsgspecError, ValueError) as error:  # a ValueError: text that is no UTF-8
            raise ParseError(f"not a match record: {error}") from None


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(described(MatchRecord)).decode


class SeatLog(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The log of one seat's bot in one match.

    Attributes:
        text: Its output, or the end of it after a line with the number of bytes cut off.
    """

    seat: int
    text: str


class Measurement(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The facts of a match that differ from run to run; never in its record, never in ratings.

    Attributes:
        nanoseconds: Time each seat's bot used, wall clock; in batches an equal share of it.
        requests: Number of requests each seat answered: its decisions, its start and its offer.
        isolation: The bots' isolation level, e.g. ``"confined"``; levels by seat, separated by
            commas, if they differ.
        error: The offending bot's own traceback or message, for adjudicated endings.
        cpu_nanoseconds: CPU time each seat's bot used, in batches an equal share of it; 0 for a
            trusted seat, which has no clock of its own; empty when all are trusted.
        logs: Output of untrusted bots that broke the match, or of all on request; stored in a table
            of its own.
    """

    nanoseconds: tuple[int, ...]
    requests: tuple[int, ...]
    isolation: str = "trusted"
    error: str = ""
    cpu_nanoseconds: tuple[int, ...] = ()
    logs: tuple[SeatLog, ...] = ()


class PlayedMatch(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A played match: its key, record and measurement, as it is stored.

    Attributes:
        place: Name of the place that played it for a remote executor, such as a worker of a
            cluster; empty for this machine. It is in no record and in no export.
    """

    key: MatchKey
    record: MatchRecord
    measurement: Measurement
    place: str = ""

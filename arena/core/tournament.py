"""The words of tournaments, so that hooks on floor 2 can speak of them. FIDE's terms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import msgspec

from arena.core.errors import BadInput
from arena.core.record import MatchKey

SHOWN_DIGITS = 12
"""Hexadecimal digits of a content hash that people are shown, and that earlier versions stored."""


def same_content(stored: str, found: str) -> bool:
    """Compares a stored content hash with that of the content found.

    Args:
        stored: 64 hexadecimal digits, or the 12 that earlier versions stored.
        found: 64 hexadecimal digits.
    """
    return stored == (found[:SHOWN_DIGITS] if len(stored) == SHOWN_DIGITS else found)


class Participant(msgspec.Struct, frozen=True):
    """An entered bot version; ratings belong to it.

    Attributes:
        name: Name with its parameters, e.g. ``"stand(at=17)"``; unique within a tournament.
        version: Version of what it came in.
        content: SHA-256 of its code, 64 hexadecimal digits; 12 where an earlier version stored it.
    """

    name: str
    version: str
    content: str

    @property
    def key(self) -> str:
        """Unique over all tournaments: ``name@version+content``."""
        return f"{self.name}@{self.version}+{self.content}"

    @property
    def label(self) -> str:
        """The key for people: with the digits of the content that are shown."""
        return f"{self.name}@{self.version}+{self.content[:SHOWN_DIGITS]}"


class Pairing(msgspec.Struct, frozen=True):
    """Who meets whom: indices into the field; the first seat is FIDE's white.

    Attributes:
        seats: 2-6 distinct indices into the field.
    """

    seats: tuple[int, ...]


class Round(msgspec.Struct, frozen=True):
    """One round: its pairings in board order, and who rests.

    Attributes:
        number: 1 and up.
        pairings: The pairings; the pairing number of a place counts them from 1.
        byes: Indices of participants without an opponent.
    """

    number: int
    pairings: tuple[Pairing, ...]
    byes: tuple[int, ...] = ()


class PairingResult(msgspec.Struct, frozen=True):
    """What came of one pairing.

    Attributes:
        pairing: Who met.
        points: Match points each of them took over the pairing's matches: of each match the
            share of the opponents that it beat, a tie half; of two, a won match 1, a drawn one
            1/2 (same order as ``pairing.seats``).
        duels: For more than two, what each (row) took from each other (column): 1, 1/2 or 0 a
            match; nothing from itself. Of two, ``points`` says it all.
        won: For more than two, the number of matches that each finished alone on top.
    """

    pairing: Pairing
    points: tuple[float, ...]
    duels: tuple[tuple[float, ...], ...] = ()
    won: tuple[int, ...] = ()

    def against(self, seat: int, other: int) -> float:
        """Match points that one seat took from another: 1, 1/2 or 0 a match."""
        return self.duels[seat][other] if self.duels else self.points[seat]


class RoundResult(msgspec.Struct, frozen=True):
    """A finished round.

    Attributes:
        round: What was paired.
        results: One a pairing, in the order of ``round.pairings``.
    """

    round: Round
    results: tuple[PairingResult, ...]


class Entrant(msgspec.Struct, frozen=True):
    """A member of the field, for pairing.

    Attributes:
        name: Shown in errors.
        rating: Its rating when the tournament began; breaks no tie unless seeding is by rating.
    """

    name: str
    rating: float = 1500.0


class Tables(msgspec.Struct, frozen=True):
    """How many sit at a table.

    Attributes:
        most: Seats of a full table: what the tournament was asked for, 2 and up.
        least: The fewest that the game can seat, 2 .. ``most``.
    """

    most: int = 2
    least: int = 2

    def sizes(self, entrants: int) -> tuple[int, ...]:
        """How many sit at each table of one round, the largest first; whoever is left rests.

        As few tables as seat everybody, as equal as possible: 7 entrants at tables of up to 6
        sit 4 and 3. Where a table would fall below ``least`` there is one less, and some rest.

        Args:
            entrants: Size of the field.

        Raises:
            BadInput: The field does not fill one table.
        """
        if entrants < self.least:
            raise BadInput(f"a table needs at least {self.least} entrants, not {entrants}")
        tables = min(-(-entrants // self.most), entrants // self.least)
        size, larger = divmod(min(entrants, tables * self.most), tables)
        return tuple([size + 1] * larger + [size] * (tables - larger))


PAIRS = Tables()
"""Tables of two."""


@runtime_checkable
class Format(Protocol):
    """A kind of tournament: pure; the same field and results give the same round.

    Attributes:
        name: What people type, e.g. ``"swiss"``.
        summary: One line for lists.
        seats: The sizes of a full table that it can pair: ``range(2, 3)`` for pairs.
    """

    name: str
    summary: str
    seats: range

    def rounds(self, entrants: int, requested: int | None, tables: Tables = PAIRS) -> int:
        """How many rounds will be played.

        Args:
            entrants: Size of the field.
            requested: What the user asked for; ``None`` takes the format's default.
            tables: How many sit at a table; ``tables.most`` is one of ``seats``.

        Raises:
            BadInput: The field or the request does not fit the format.
        """

    def next_round(
        self,
        field: Sequence[Entrant],
        played: Sequence[RoundResult],
        rounds: int,
        tables: Tables = PAIRS,
    ) -> Round | None:
        """The next round, or ``None`` when the tournament is over.

        Args:
            field: The entrants in initial order (pairing number 1 first).
            played: Every finished round.
            rounds: What ``rounds`` returned.
            tables: How many sit at a table.
        """

    def scoring(self) -> str:
        """How standings score a pairing: a name of ``arena_tournaments.scoring.SCORINGS``.

        ``"pairing"`` (1, 1/2, 0 by majority) or ``"match"`` for two; ``"table"`` or
        ``"table-swiss"`` for more.
        """


class Job(msgspec.Struct, frozen=True, array_like=True):
    """One scheduled match; everything is fixed at scheduling.

    Attributes:
        key: Its key within the tournament.
        seed: Seed of the deal; the legs of one mirrored group share it.
        bot_seed: The bots' private seeds come from it; different in every leg.
        seats: Index into the field of the participant in each seat.
    """

    key: MatchKey
    seed: int
    bot_seed: int
    seats: tuple[int, ...]

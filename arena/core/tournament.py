"""The words of tournaments, so that hooks on floor 2 can speak of them. FIDE's terms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import msgspec

from arena.core.record import Place


class Participant(msgspec.Struct, frozen=True):
    """An entered bot version; ratings belong to it.

    Attributes:
        name: Name with its parameters, e.g. ``"stand(at=17)"``; unique within a tournament.
        version: Version of what it came in.
        content: First 12 hexadecimal digits of the SHA-256 of its code.
    """

    name: str
    version: str
    content: str

    @property
    def key(self) -> str:
        """Unique over all tournaments: ``name@version+content``."""
        return f"{self.name}@{self.version}+{self.content}"


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
        points: Match points each of them took over the pairing's matches: a won match 1,
            a drawn one 1/2 (same order as ``pairing.seats``).
    """

    pairing: Pairing
    points: tuple[float, ...]


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


@runtime_checkable
class Format(Protocol):
    """A kind of tournament: pure; the same field and results give the same round.

    Attributes:
        name: What people type, e.g. ``"swiss"``.
        summary: One line for lists.
    """

    name: str
    summary: str

    def rounds(self, entrants: int, requested: int | None) -> int:
        """How many rounds will be played.

        Args:
            entrants: Size of the field.
            requested: What the user asked for; ``None`` takes the format's default.

        Raises:
            BadInput: The field or the request does not fit the format.
        """

    def next_round(
        self, field: Sequence[Entrant], played: Sequence[RoundResult], rounds: int
    ) -> Round | None:
        """The next round, or ``None`` when the tournament is over.

        Args:
            field: The entrants in initial order (pairing number 1 first).
            played: Every finished round.
            rounds: What ``rounds`` returned.
        """

    def scoring(self) -> str:
        """How standings score a pairing: ``"pairing"`` (1, 1/2, 0 by majority) or ``"match"``."""


class Job(msgspec.Struct, frozen=True, array_like=True):
    """One scheduled match; everything is fixed at scheduling.

    Attributes:
        place: Where it stands in the tournament.
        seed: Seed of the deal; the legs of one mirrored group share it.
        bot_seed: The bots' private seeds come from it; different in every leg.
        seats: Index into the field of the participant in each seat.
    """

    place: Place
    seed: int
    bot_seed: int
    seats: tuple[int, ...]

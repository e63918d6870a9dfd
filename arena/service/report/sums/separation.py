"""Reports how far the ranks of a tournament are separated, where it plays until they are."""

from __future__ import annotations

from collections.abc import Sequence
from math import log

import msgspec

from arena.core.table import Column, Table
from arena.core.tournaments.format import Format, Neighbours, RoundResult

ELO = 400 / log(10)
"""Elo points of a natural unit of strength."""


SEPARATION = (
    Column("rank", "#", right=True),
    Column("upper", "stronger", drop=0),
    Column("lower", "than", drop=0),
    Column("elo", "Elo", right=True, digits=0),
    Column("low", "low", right=True, digits=0),
    Column("high", "high", right=True, digits=0),
    Column("separated", "ranks", cell=lambda row: "separated" if row["separated"] else "undecided"),
)
"""The columns of neighbours in the order of strength."""


class Separation(msgspec.Struct, frozen=True):
    """The neighbours in the order of strength, and whether they are separated.

    Attributes:
        confidence: Chance, in percent, that no neighbours are ever called separated wrongly.
        neighbours: From the strongest down, with indices into the field.
    """

    confidence: float
    names: tuple[str, ...]
    neighbours: tuple[Neighbours, ...]

    @property
    def complete(self) -> bool:
        """True if all ranks are separated."""
        return all(each.separated for each in self.neighbours)

    def rows(self) -> list[dict[str, object]]:
        """The neighbours, one mapping each, with differences in Elo."""
        return [
            {
                "rank": rank,
                "upper": self.names[each.upper],
                "lower": self.names[each.lower],
                "elo": round(each.ahead * ELO, 1),
                "low": round(each.low * ELO, 1),
                "high": round(each.high * ELO, 1),
                "separated": each.separated,
            }
            for rank, each in enumerate(self.neighbours, 1)
        ]

    def table(self) -> Table:
        """The same for people."""
        title = f"Ranks separated with {self.confidence:g} % confidence, however often one looks"
        return Table(title=title, columns=SEPARATION, rows=self.rows())

    def document(self) -> dict[str, object]:
        """The part of a tournament's JSON document."""
        return {
            "confidence": self.confidence,
            "separated": self.complete,
            "neighbours": self.rows(),
        }


def separation(
    format: Format, names: Sequence[str], played: Sequence[RoundResult]
) -> Separation | None:
    """Returns the separation of the ranks; ``None`` in formats that do not play until there is."""
    if not format.by_strength:
        return None
    neighbours = format.neighbours(len(names), played)
    return Separation(format.confidence, tuple(names), tuple(neighbours))

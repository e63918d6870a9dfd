"""An organiser's decisions on the field, the pairings and the ties of a tournament."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum

import msgspec

from arena.core.tournaments.format import Absence


class RulingKind(StrEnum):
    """The kinds of decisions."""

    ADD = "add"
    """A late entry."""
    WITHDRAW = "withdraw"
    DISQUALIFY = "disqualify"
    BYE = "bye"
    """A bye that was asked for."""
    REST = "rest"
    """Plays no match until it returns: it has used up its time (leagues)."""
    RETURN = "return"
    PAIR = "pair"
    """Pairings of one round that were made by hand."""
    FORBID = "forbid"
    """Entries that never meet, from some round on."""
    LOTS = "lots"
    """An order drawn from the tournament's key, for entries that the standings leave level."""


NAMES_SEVERAL = frozenset({RulingKind.PAIR, RulingKind.FORBID, RulingKind.LOTS})
"""Kinds that name entries together (``Ruling.entries``)."""
LEAVES = frozenset({RulingKind.WITHDRAW, RulingKind.DISQUALIFY})
"""Kinds by which an entry plays no more."""


class Ruling(msgspec.Struct, frozen=True, kw_only=True):
    """One decision of an organiser.

    Attributes:
        entry: Index of the entry in the field; of those that name several, the first.
        round: First round that is paired by it; of a bye, its round.
        now: Whether it holds in the round before already, which was running: what its entry has
            not played of that is forfeited, or of one that rests left out for both; of lots,
            whether a round was running.
        points: Of a bye what it scores, of a late entry what each missed round scores, as a share
            of what a pairing of the round is worth.
        void: Whether all results of the entry are annulled.
        reason: Text for people.
        entries: Entries that are named together: the pairings of a round, first seat first, where
            one entry by itself has the bye; entries that never meet; or entries in the order in
            which they were drawn. Of several pairings of one entry in a round, the last stands.
        by: The organiser who made it on the web site; empty for one of the command line.
    """

    kind: RulingKind
    entry: int
    round: int
    now: bool = False
    points: float = 0.0
    void: bool = False
    reason: str = ""
    entries: tuple[tuple[int, ...], ...] = ()
    by: str = ""

    @property
    def about(self) -> frozenset[int]:
        """The entries that it is about."""
        if self.kind not in NAMES_SEVERAL:
            return frozenset((self.entry,))
        return frozenset(index for group in self.entries for index in group)

    @property
    def since(self) -> int:
        """The first round that it changes."""
        return self.round - self.now


def absences(rulings: Sequence[Ruling], round: int) -> tuple[Absence, ...]:
    """Returns the entries that do not play a round, of those that were in the field by then."""
    found: dict[int, Absence] = {}
    for each in rulings:
        if each.kind in LEAVES and each.since <= round:
            found[each.entry] = Absence(each.entry, gone=each.round <= round)
        elif each.kind is RulingKind.BYE and each.round == round:
            found.setdefault(each.entry, Absence(each.entry, each.points))
        elif each.kind is RulingKind.REST and each.since <= round:
            found.setdefault(each.entry, Absence(each.entry, rests=True))
        elif each.kind is RulingKind.RETURN and each.round <= round and rests(found, each.entry):
            del found[each.entry]
    return tuple(found[index] for index in sorted(found))


def rests(away: Mapping[int, Absence], entry: int) -> bool:
    """Returns whether an entry is absent because it rests."""
    return entry in away and away[entry].rests

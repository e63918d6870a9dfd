"""Rounds, and the organiser's decisions, as rows and in words."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from arena.core.text.printable import joined
from arena.core.tournaments.format import PairingResult, RoundResult
from arena.core.tournaments.rulings import NAMES_SEVERAL, Ruling, RulingKind

LISTED = 8
"""Pairings, or bots, that a text of a decision lists."""


class Made(msgspec.Struct, frozen=True):
    """An organiser's decision that was stored, and the names of the field."""

    ruling: Ruling
    names: tuple[str, ...]

    def document(self) -> dict[str, object]:
        """The decision as in the JSON document of the tournament."""
        return ruling_row(self.ruling, self.names)

    def __str__(self) -> str:
        return ruling_text(self.ruling, self.names)


def ruling_row(ruling: Ruling, names: Sequence[str]) -> dict[str, object]:
    """An organiser's decision as a row; the keys are those of the JSON document."""
    several = ruling.kind in NAMES_SEVERAL
    row: dict[str, object] = {
        "kind": ruling.kind.value,
        "name": names[ruling.entry] if ruling.entries or not several else "",
        "round": ruling.round,
        "now": ruling.now,
        "points": ruling.points,
        "void": ruling.void,
        "reason": ruling.reason,
    }
    if several:
        row["names"] = [[names[entry] for entry in group] for group in ruling.entries]
    if ruling.by:
        row["by"] = ruling.by
    return row


def departures(rulings: Sequence[Ruling]) -> dict[int, str]:
    """Returns the bots that left, by index into the field: withdrawn or disqualified."""
    words = {RulingKind.WITHDRAW: "withdrawn", RulingKind.DISQUALIFY: "disqualified"}
    return {each.entry: words[each.kind] for each in rulings if each.kind in words}


def ruling_text(ruling: Ruling, names: Sequence[str]) -> str:
    """An organiser's decision in words, and who made it where that is known."""
    return _text(ruling, names) + (f", by {ruling.by}" if ruling.by else "")


def _text(ruling: Ruling, names: Sequence[str]) -> str:
    if ruling.kind in NAMES_SEVERAL:
        why = f" ({ruling.reason})" if ruling.reason else ""
        return _several_text(ruling, names) + why
    name, points = names[ruling.entry], f"{ruling.points:g}"
    if ruling.kind is RulingKind.ADD:
        missed = f", {points} for each round missed" if ruling.round > 1 else ""
        return f"{name} enters in round {ruling.round}{missed}"
    if ruling.kind is RulingKind.BYE:
        return f"{name} has a bye in round {ruling.round} for {points}"
    if ruling.kind is RulingKind.REST:
        return f"{name} rests from round {ruling.since} on: {ruling.reason}"
    if ruling.kind is RulingKind.RETURN:
        return f"{name} plays again from round {ruling.round} on"
    when = f"in round {ruling.since}" if ruling.now else f"before round {ruling.round}"
    results = "its results are annulled" if ruling.void else "its results stand"
    if ruling.kind is RulingKind.WITHDRAW:
        why = f" ({ruling.reason})" if ruling.reason else ""
        return f"{name} withdraws {when}{why}; {results}"
    return f"{name} is disqualified {when} ({ruling.reason}); {results}"


def _several_text(ruling: Ruling, names: Sequence[str]) -> str:
    groups = [[names[entry] for entry in group] for group in ruling.entries]
    if ruling.kind is RulingKind.PAIR:
        pairings = [
            " - ".join(each) if len(each) > 1 else f"{each[0]} has the bye" for each in groups
        ]
        if not pairings:
            return f"round {ruling.round} is left to the format"
        return f"round {ruling.round} is paired by hand: {_listed(pairings)}"
    if ruling.kind is RulingKind.FORBID:
        texts = [joined(group) for group in groups]
        return f"{'; '.join(texts)} never meet from round {ruling.round} on"
    return f"lots are drawn in the order {'; '.join(map(_listed, groups))}"


def _listed(texts: Sequence[str]) -> str:
    more = len(texts) - LISTED
    return ", ".join(texts[:LISTED]) + (f" and {more} more" if more > 0 else "")


def round_row(names: Sequence[str], result: RoundResult, counted: RoundResult) -> dict[str, object]:
    """A round as in the JSON document of its tournament.

    Args:
        counted: The same in match points, also by amount.
    """
    shown: dict[str, object] = {
        "round": result.round.number,
        "pairings": [
            _pairing(names, row, taken.points)
            for row, taken in zip(result.results, counted.results, strict=True)
        ],
        "byes": [names[index] for index in result.round.byes],
    }
    if absent := result.round.absent:
        shown["absent"] = [{"name": names[e.index], "points": e.points} for e in absent]
    return shown


def _pairing(
    names: Sequence[str], row: PairingResult, points: Sequence[float]
) -> dict[str, object]:
    shown: dict[str, object] = {
        "names": [names[seat] for seat in row.pairing.seats],
        "points": points,
    }
    if row.amounts:
        shown["amounts"] = row.amounts
    if row.forfeited:
        shown["forfeited"] = [names[index] for index in row.forfeited]
    if row.void:
        shown["void"] = True
    return shown

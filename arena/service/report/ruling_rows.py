"""Rounds, and the organiser's decisions, as rows and in words."""

from __future__ import annotations

from collections.abc import Sequence

from arena.core.tournaments.format import PairingResult, RoundResult
from arena.core.tournaments.rulings import Ruling, RulingKind


def ruling_row(ruling: Ruling, names: Sequence[str]) -> dict[str, object]:
    """An organiser's decision as a row; the keys are those of the JSON document."""
    return {
        "kind": ruling.kind.value,
        "name": names[ruling.entry],
        "round": ruling.round,
        "now": ruling.now,
        "points": ruling.points,
        "void": ruling.void,
        "reason": ruling.reason,
    }


def ruling_text(ruling: Ruling, names: Sequence[str]) -> str:
    """An organiser's decision in words."""
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
        return f"{name} withdraws {when}; {results}"
    return f"{name} is disqualified {when} ({ruling.reason}); {results}"


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

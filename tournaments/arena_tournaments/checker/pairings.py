"""Pairs each round of a report again from the rounds before it, and names what differs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec
from msgspec.structs import replace

from arena.core.errors import BadInput
from arena_tournaments.checker.finding import Finding
from arena_tournaments.checker.mending import cells_of_round
from arena_tournaments.dutch.field import Field, field_of, first_colour
from arena_tournaments.dutch.rounds import Pairs, board_order, pair_field
from arena_tournaments.trf.report import Cell, Report


class Paired(msgspec.Struct, frozen=True, kw_only=True):
    """A round, paired again.

    Attributes:
        free: Whether the arbiter decides: the rules allow no pairing, or it was made by hand.
        note: Why the round could not be paired again; empty if it could.
    """

    round: int
    findings: tuple[Finding, ...] = ()
    free: bool = False
    note: str = ""


def paired_again(report: Report, last: int) -> Iterator[Paired]:
    """Pairs the rounds up to the last again.

    A report without the number of its rounds is one of a finished event, unless its last round is
    paired as one that others follow.
    """
    whole = replace(report, rounds=report.rounds or report.played_rounds)
    if not report.initial_colour and last:
        whole = min(_by_initial_colour(whole), key=lambda each: len(_paired(each, 1).findings))
    for round in range(1, last + 1):
        if round in report.by_hand:
            note = f"round {round} is not paired again: a comment (###) says it was paired by hand"
            yield Paired(round=round, free=True, note=note)
            continue
        found = _paired(whole, round)
        if found.findings and not report.rounds and round == whole.rounds:
            running = _paired(replace(whole, rounds=round + 1), round)
            if not running.findings:
                found = running
        yield found


def _by_initial_colour(report: Report) -> list[Report]:
    """Returns a report with each initial colour, the one that its first game shows first."""
    players = report.players
    if not report.by_line:
        players = tuple(sorted(players, key=lambda player: player.number))
    colours = ("b", "w") if first_colour(players) == "b" else ("w", "b")
    return [replace(report, initial_colour=colour) for colour in colours]


def report_before(report: Report, round: int) -> Report:
    """Returns a report as it stood before a round; players that are not paired are absent."""
    players = tuple(
        replace(player, points=None, cells=player.cells[: round - 1]) for player in report.players
    )
    entries = cells_of_round(report, round)
    away = {(round, each): cell.result for each, cell in entries.items() if not cell.paired}
    adjustments = {
        number: tuple(each for each in mine if each.result or each.round < round)
        for number, mine in report.adjustments.items()
    }
    return replace(report, players=players, byes=away, absent=frozenset(), adjustments=adjustments)


def _paired(report: Report, round: int) -> Paired:
    before = report_before(report, round)
    if before.played_rounds != round - 1:
        return Paired(round=round, note=f"round {round} is not paired again: none is before it")
    field = field_of(before)
    cells = cells_of_round(report, round)
    try:
        pairs = pair_field(field)
    except BadInput as error:
        return Paired(round=round, note=f"round {round} is not paired again: {error}")
    if pairs is None:
        return Paired(
            round=round,
            free=True,
            note=f"round {round}: the rules allow no pairing (C.04.3, 1.9.3): the arbiter decided",
        )
    return Paired(round=round, findings=tuple(_differences(field, round, cells, pairs)))


def _differences(
    field: Field, round: int, cells: Mapping[int, Cell], pairs: Pairs
) -> Iterator[Finding]:
    boards = _boards(field, cells)
    expected = {frozenset(pair): pair for pair in pairs if pair[1]}
    partner = {number: pair for pair in pairs for number in pair if number}
    for board, (white, black) in enumerate(boards, 1):
        right = expected.get(frozenset((white, black)))
        unclear = cells[white].colour == "-" or cells[white].colour == cells[black].colour
        if right == (white, black) or (right and unclear):
            continue
        text = "White and Black are exchanged" if right else "the rules pair otherwise"
        yield Finding(
            kind="colour" if right else "pairing",
            finding=text,
            round=round,
            board=board,
            player=white,
            expected=_text(right or partner.get(white)),
            found=_text((white, black)),
        )
    rests = [pair[0] for pair in pairs if not pair[1]]
    given = [number for number, cell in cells.items() if cell.result == "U"]
    if rests != given:
        yield Finding(
            kind="bye",
            finding="the allocated bye is another player's",
            round=round,
            player=given[0] if given else 0,
            expected=" ".join(map(str, rests)),
            found=" ".join(map(str, given)),
        )


def _boards(field: Field, cells: Mapping[int, Cell]) -> list[tuple[int, int]]:
    """Returns the pairs of a round in board order, White first where colours are known."""
    entries = {entry.number: entry for entry in field.entries}
    pairs = [
        (number, cell.opponent)
        for number, cell in cells.items()
        if cell.opponent
        and (number < cell.opponent if cell.colour == "-" else cell.colour == "w")
        and cells[cell.opponent].opponent == number
    ]
    # Of a game whose colours contradict each other, the lower number stands first.
    once = {frozenset(pair): pair for pair in sorted(pairs, reverse=True)}
    return sorted(once.values(), key=lambda pair: board_order(entries[pair[0]], entries[pair[1]]))


def _text(pair: tuple[int, int] | None) -> str:
    if pair is None:
        return ""
    white, black = pair
    return f"{white} - {black}" if black else f"{white} - bye"

"""Pairs each round of a report again from the rounds before it, and names what differs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import permutations

import msgspec
from msgspec.structs import replace

from arena.core.errors import BadInput
from arena_tournaments.checker.finding import Finding
from arena_tournaments.checker.mending import cells_of_round
from arena_tournaments.dutch.cycles import cycle_of_next, pair_in_cycle
from arena_tournaments.dutch.field import Field, field_of, first_colour
from arena_tournaments.dutch.rounds import Pairs, board_order, pair_field
from arena_tournaments.pairing.factors import Pair, cycle_of
from arena_tournaments.pairing.repair import NOBODY, seated_round
from arena_tournaments.trf.history import RULES, history_of_report
from arena_tournaments.trf.report import Cell, Forbidden, Player, Report


class Paired(msgspec.Struct, frozen=True, kw_only=True):
    """A round, paired again.

    Attributes:
        free: Whether the arbiter decides: the rules allow no pairing, or it was made by hand.
        begin: Number of the rounds before its cycle; meetings and byes in them do not count.
        by_rules: Whether it was paired by the rules alone, which also bind its colours.
        note: Why the round could not be paired again; empty if it could.
    """

    round: int
    findings: tuple[Finding, ...] = ()
    free: bool = False
    begin: int = 0
    by_rules: bool = True
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
    begin, by_rules = 0, True
    try:
        if cyclic(report, round):
            begin, pairs, by_rules = _in_cycle(before, field, last=round == report.rounds)
        else:
            pairs = pair_field(field)
    except BadInput as error:
        return Paired(round=round, note=f"round {round} is not paired again: {error}")
    if pairs is None:
        return Paired(
            round=round,
            free=True,
            begin=begin,
            note=f"round {round}: the rules allow no pairing (C.04.3, 1.9.3): the arbiter decided",
        )
    found = tuple(_differences(field, round, cells, pairs))
    return Paired(round=round, findings=found, begin=begin, by_rules=by_rules)


def cyclic(report: Report, round: int) -> bool:
    """Returns whether a round is paired in cycles: there are more rounds than opponents.

    Late entries have the last numbers, and count from the first round that they were paired in.
    """
    there = [
        place
        for place, player in enumerate(_in_order(report), 1)
        if any(cell.paired for cell in player.cells[:round])
    ]
    return report.rounds > cycle_of(max(there, default=0))


def _in_cycle(before: Report, field: Field, *, last: bool) -> tuple[int, Pairs | None, bool]:
    """Pairs the next round of a cycle as ``cycles`` does.

    Returns:
        The number of rounds before the cycle, the pairs, and whether they are by the rules.
    """
    numbers = [player.number for player in _in_order(before)]
    place = {number: index for index, number in enumerate(numbers)}
    present = sorted(place[entry.number] for entry in field.entries)
    round = before.played_rounds + 1
    groups = [
        each for each in before.forbidden if each.first_round <= round <= (each.last_round or round)
    ]

    def rules(forgotten: int, apart: Pair | None) -> list[Pair] | None:
        more = () if apart is None else (Forbidden(1, 0, tuple([numbers[n] for n in apart])),)
        pairs = pair_field(
            field_of(replace(before, forbidden=(*before.forbidden, *more)), forgotten)
        )
        return (
            None
            if pairs is None
            else [(place[one], place[other] if other else NOBODY) for one, other in pairs]
        )

    apart = {
        pair
        for group in groups
        for pair in permutations([place[each] for each in group.numbers if each in place], 2)
    }
    begin = cycle_of_next(before, present, apart).begin
    found = pair_in_cycle(before, present, apart, rules, last=last)
    if found is None:
        return begin, None, True
    seated = found.pairs
    if not found.by_rules:
        past = history_of_report(before, RULES[-1])
        made = seated_round(past, round, found.pairs, reverse=True)
        boards = [(first, second) for first, second in (each.seats for each in made.pairings)]
        seated = [*boards, *((each, NOBODY) for each in made.byes)]
    pairs = tuple((numbers[one], 0 if other == NOBODY else numbers[other]) for one, other in seated)
    return begin, pairs, found.by_rules


def _in_order(report: Report) -> list[Player]:
    return sorted(report.players, key=lambda player: player.number)


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

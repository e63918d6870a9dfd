"""Writes tournaments of ours as reports."""

from __future__ import annotations

from collections.abc import Sequence

from arena.core.tournament import RoundResult
from arena_tournaments.scoring import PAIRING
from arena_tournaments.trf.report import Cell, Forbidden, Player, Report

_RESULTS = {1.0: "1", 0.5: "=", 0.0: "0"}


def report_of_swiss(
    names: Sequence[str],
    played: Sequence[RoundResult],
    rounds: int,
    *,
    name: str = "",
    ranks: Sequence[int] = (),
    acceleration: str | None = None,
    forbidden: Sequence[Sequence[str]] = (),
) -> Report:
    """Returns a Swiss as a report: results 1, 1/2, 0 by majority, byes as allocated ones.

    The place in the field, from 1, is the pairing number; pairing number 1 has White in the first
    round. The number of rounds that there will be is part of it: the last has rules of its own.

    Args:
        names: The field's names in initial order.
        ranks: Places in the standings, in field order.
        acceleration: ``"baku"`` for Baku acceleration.
        forbidden: Groups of names of whom no two are to meet.
    """
    cells: list[list[Cell]] = [[] for _ in names]
    points = [0] * len(names)
    for past in played:
        for result in past.results:
            first, second = result.pairing.seats
            for index, opponent, colour, score in zip(
                (first, second), (second, first), "wb", PAIRING.scores(result), strict=True
            ):
                cells[index].append(Cell(opponent + 1, colour, _RESULTS[score]))
                points[index] += round(10 * score)
        for index in past.round.byes:
            cells[index].append(Cell(result="U"))
            points[index] += round(10 * PAIRING.bye)
    players = tuple(
        Player(
            number=index + 1,
            name=" ".join(each.split()),
            points=points[index],
            rank=ranks[index] if ranks else 0,
            cells=tuple(cells[index]),
        )
        for index, each in enumerate(names)
    )
    place = {each: index + 1 for index, each in enumerate(names)}
    groups = (tuple(place[each] for each in group if each in place) for group in forbidden)
    return Report(
        name=name,
        rounds=rounds,
        players=players,
        initial_colour="w",
        system="FIDE_DUTCH_BAKU" if acceleration else "",
        forbidden=tuple(Forbidden(1, 0, group) for group in groups if len(group) > 1),
    )

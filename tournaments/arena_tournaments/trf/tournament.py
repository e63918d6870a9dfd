"""Writes tournaments of ours as reports."""

from __future__ import annotations

from collections.abc import Sequence

from arena.core.tournaments.format import RoundResult
from arena.core.tournaments.rulings import Ruling
from arena_tournaments.scoring.scoring import PAIRING, unpaired
from arena_tournaments.trf.report import Acceleration, Cell, Forbidden, Player, Report

_RESULTS = {1.0: "1", 0.5: "=", 0.0: "0"}
_FORFEITS = {1.0: "+", 0.0: "-"}
_BYES = {1.0: "F", 0.5: "H", 0.0: "Z"}


def report_of_swiss(
    names: Sequence[str],
    played: Sequence[RoundResult],
    rounds: int,
    *,
    name: str = "",
    ranks: Sequence[int] = (),
    acceleration: str | None = None,
    forbidden: Sequence[Sequence[str]] = (),
    forbidden_later: Sequence[Forbidden] = (),
    absent: Sequence[int] = (),
    late: int = 0,
    byes: Sequence[Ruling] = (),
) -> Report:
    """Returns a Swiss as a report: results 1, 1/2, 0 by majority, byes as allocated ones.

    Who forfeits before the first match has ``-``, who does so later has lost; who rests on request,
    is not there, or met somebody whose results are annulled has a bye of that many points.

    The place in the field, from 1, is the pairing number; pairing number 1 has White in the first
    round. The number of rounds that there will be is part of it: the last has rules of its own.

    Args:
        names: The field's names in initial order.
        ranks: Places in the standings, in field order.
        acceleration: ``"baku"`` for Baku acceleration.
        forbidden: Groups of names of whom no two are to meet.
        forbidden_later: Further groups, forbidden from some round on.
        absent: Who is not paired in the next round.
        late: Number of late entries, which are the last; they are not accelerated.
        byes: Byes on request in rounds to come.
    """
    cells, points = _played(len(names), played)
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
        system="FIDE_DUTCH_BAKU" if acceleration and not late else "",
        accelerations=baku(len(names) - late, rounds) if acceleration and late else (),
        absent=frozenset([index + 1 for index in absent]),
        byes={(each.round, each.entry + 1): _BYES[each.points] for each in byes},
        forbidden=(
            *(Forbidden(1, 0, group) for group in groups if len(group) > 1),
            *forbidden_later,
        ),
    )


def _played(entrants: int, played: Sequence[RoundResult]) -> tuple[list[list[Cell]], list[int]]:
    cells: list[list[Cell]] = [[] for _ in range(entrants)]
    points = [0] * entrants
    for past in played:
        for result in past.results:
            if result.void:
                continue
            first, second = result.pairing.seats
            unplayed = result.forfeited and sum(result.points) == result.awarded
            letters = _FORFEITS if unplayed else _RESULTS
            for index, opponent, colour, score in zip(
                (first, second), (second, first), "wb", PAIRING.scores(result), strict=True
            ):
                cells[index].append(Cell(opponent + 1, colour, letters[score]))
                points[index] += round(10 * score)
        for index, score in unpaired(PAIRING, past):
            allocated = index in past.round.byes
            cells[index].append(Cell(result="U" if allocated else _BYES[score]))
            points[index] += round(10 * score)
    return cells, points


def baku(entrants: int, rounds: int) -> tuple[Acceleration, ...]:
    """Returns the virtual points of Baku acceleration (C.04.5.1) as records.

    The first half of the entrants, rounded up to an even number, has in the first half of the
    rounds a point more, and in the second half of those half a point.
    """
    last = 2 * -(-entrants // 4)
    accelerated = (rounds + 1) // 2
    whole = (accelerated + 1) // 2
    spans = (10, 1, whole), (5, whole + 1, accelerated)
    return tuple(
        Acceleration(points, first, end, 1, last) for points, first, end in spans if first <= end
    )

"""Writes tournaments of ours as reports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from arena.core.tournaments.format import RoundResult, Scoring
from arena.core.tournaments.rulings import Ruling
from arena_tournaments.pairing.factors import cycle_of
from arena_tournaments.scoring.ranking import tie_break
from arena_tournaments.scoring.scoring import PAIRING, history, unpaired
from arena_tournaments.trf.report import (
    USUAL_POINTS,
    Acceleration,
    Cell,
    Forbidden,
    Player,
    Report,
    by_hand,
)

_RESULTS = {1.0: "1", 0.5: "=", 0.0: "0"}
_FORFEITS = {1.0: "+", 0.0: "-"}
_BYES = {1.0: "F", 0.5: "H", 0.0: "Z"}


def report_of_swiss(
    names: Sequence[str],
    played: Sequence[RoundResult],
    rounds: int,
    *,
    scoring: Scoring = PAIRING,
    name: str = "",
    ranks: Sequence[int] = (),
    acceleration: str | None = None,
    forbidden: Sequence[Sequence[str]] = (),
    forbidden_later: Sequence[Forbidden] = (),
    absent: Sequence[int] = (),
    late: int = 0,
    byes: Sequence[Ruling] = (),
    hand: Sequence[int] = (),
) -> Report:
    """Returns a Swiss as a report: results 1, 1/2, 0 by majority, byes as allocated ones.

    Who forfeits before the first match has ``-``, who does so later has lost; who rests on request,
    is not there, or met somebody whose results are annulled has a bye of that many points.

    The place in the field, from 1, is the pairing number; pairing number 1 has White in the first
    round. The number of rounds that there will be is part of it: the last has rules of its own.

    Args:
        names: The field's names in initial order.
        scoring: The event's points, and its tie-breaks if it has its own.
        ranks: Places in the standings, in field order; 0 for bots that are out of them.
        acceleration: ``"baku"`` for Baku acceleration, of the first cycle only.
        forbidden: Groups of names of whom no two are to meet.
        forbidden_later: Further groups, forbidden from some round on.
        absent: Who is not paired in the next round.
        late: Number of late entries, which are the last; they are not accelerated.
        byes: Byes on request in rounds to come.
        hand: Rounds with pairings made by hand; each becomes a comment.
    """
    points = points_of(scoring)
    place = {each: index + 1 for index, each in enumerate(names)}
    early = len(names) - late
    written = late or rounds > cycle_of(early)  # else the type of tournament says it
    groups = (tuple(place[each] for each in group if each in place) for group in forbidden)
    return Report(
        name=name,
        rounds=rounds,
        players=_players(names, played, scoring, ranks),
        initial_colour="w",
        system="FIDE_DUTCH_BAKU" if acceleration and not written else "",
        points=points,
        tie_breaks=_encoded(scoring.tie_breaks) if scoring.own else (),
        accelerations=baku(early, min(rounds, cycle_of(early)), points)
        if acceleration and written
        else (),
        absent=frozenset([index + 1 for index in absent]),
        other=tuple(map(by_hand, hand)),
        byes={(each.round, each.entry + 1): _BYES[each.points] for each in byes},
        forbidden=(
            *(Forbidden(1, 0, group) for group in groups if len(group) > 1),
            *forbidden_later,
        ),
    )


def _players(
    names: Sequence[str], played: Sequence[RoundResult], scoring: Scoring, ranks: Sequence[int]
) -> tuple[Player, ...]:
    cells, past = _played(len(names), played), history(len(names), played, scoring)
    return tuple(
        Player(
            number=index + 1,
            name=" ".join(each.split()),
            points=_held(past.score(index)),
            rank=ranks[index] if ranks else 0,
            cells=tuple(cells[index]),
        )
        for index, each in enumerate(names)
    )


def points_of(scoring: Scoring) -> dict[str, int]:
    """Returns the points of an event by the codes of a report, in tenths."""
    win, draw, loss = scoring.points
    values = {
        **dict.fromkeys(("WW", "BW", "FW", "FPB"), win),
        **dict.fromkeys(("WD", "BD", "HPB"), draw),
        **dict.fromkeys(("WL", "BL"), loss),
        "FL": scoring.forfeit_points,
        "ZPB": 0.0,
        "PAB": scoring.of_bye(),
    }
    return {code: round(10 * values[code]) for code in USUAL_POINTS}


def _held(points: float) -> int | None:
    """Returns points in tenths; ``None`` where the four columns of a report cannot hold them."""
    tenths = round(10 * points)
    return tenths if tenths < 1000 or (tenths % 10 == 0 and tenths < 100_000) else None


def _encoded(tie_breaks: Sequence[str]) -> tuple[str, ...]:
    """Returns the tie-breaks that a report can name."""
    chosen = [tie_break(each, without="ratings") for each in tie_breaks]
    return tuple([each.name for each in chosen if each.row.data != "matches"])


def _played(entrants: int, played: Sequence[RoundResult]) -> list[list[Cell]]:
    cells: list[list[Cell]] = [[] for _ in range(entrants)]
    for number, past in enumerate(played, 1):
        for result in past.results:
            if result.void:
                continue
            first, second = result.pairing.seats
            letters = _FORFEITS if result.unplayed else _RESULTS
            for index, opponent, colour, score in zip(
                (first, second), (second, first), "wb", PAIRING.scores(result), strict=True
            ):
                cells[index].append(Cell(opponent + 1, colour, letters[score]))
        for index, score in unpaired(PAIRING, past):
            allocated = index in past.round.byes
            cells[index].append(Cell(result="U" if allocated else _BYES[score]))
        for mine in cells:
            if len(mine) < number:  # it was not there yet
                mine.append(Cell())
    return cells


def baku(
    entrants: int, rounds: int, points: Mapping[str, int] = USUAL_POINTS
) -> tuple[Acceleration, ...]:
    """Returns the virtual points of Baku acceleration (C.04.5.1) as records.

    The first half of the entrants, rounded up to an even number, has in the first half of the
    rounds the points of a win more, and in the second half of those the points of a draw.
    """
    last = 2 * -(-entrants // 4)
    accelerated = (rounds + 1) // 2
    whole = (accelerated + 1) // 2
    spans = (points["WW"], 1, whole), (points["WD"], whole + 1, accelerated)
    return tuple(
        Acceleration(virtual, first, end, 1, last) for virtual, first, end in spans if first <= end
    )

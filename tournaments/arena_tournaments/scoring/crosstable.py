"""Computes crosstables as data: the points of each participant against each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations

import msgspec

from arena.core.tournaments.format import RoundResult, Scoring
from arena_tournaments.scoring.scoring import Turn, history, tidy
from arena_tournaments.scoring.standings import Standing


class Meeting(msgspec.Struct, frozen=True, kw_only=True):
    """One participant's round in a crosstable by rounds.

    Attributes:
        opponent: Line of the opponent in the standings, from 1; ``None`` for a bye.
        first: Whether the participant had the first seat (FIDE's white).
        score: What the round gave.
        points: Match points it took; a bye takes none.
    """

    opponent: int | None
    first: bool
    score: float
    points: float


def points_by_pair(
    table: Sequence[Standing], played: Sequence[RoundResult]
) -> tuple[tuple[float | None, ...], ...]:
    """Returns the match points that each line of the standings took from each other line.

    A match at a table counts 1, 1/2 or 0 against each opponent.

    Returns:
        A square matrix, row against column; ``None`` for those who have not met.
    """
    taken: dict[tuple[int, int], float] = {}
    for past in played:
        for result in past.results:
            if result.void:
                continue
            for (seat, one), (place, other) in permutations(enumerate(result.pairing.seats), 2):
                points = taken.get((one, other), 0.0)
                taken[one, other] = points + result.against(seat, place)
    return tuple(tuple(taken.get((line.index, column.index)) for column in table) for line in table)


def amounts_by_pair(
    table: Sequence[Standing], played: Sequence[RoundResult]
) -> tuple[tuple[float | None, ...], ...]:
    """Returns the mean amount per match of each line, over its matches with each other line.

    Returns:
        A square matrix, row against column; ``None`` for those who have not met.
    """
    taken: dict[tuple[int, int], tuple[float, int]] = {}
    for past in played:
        for result in (each for each in past.results if each.amounts):  # not if annulled
            for (seat, one), (_, other) in permutations(enumerate(result.pairing.seats), 2):
                amount, matches = taken.get((one, other), (0.0, 0))
                taken[one, other] = amount + result.amounts[seat], matches + result.matches
    means = {pair: tidy(amount / matches) for pair, (amount, matches) in taken.items() if matches}
    return tuple(tuple(means.get((line.index, column.index)) for column in table) for line in table)


def meetings_by_round(
    table: Sequence[Standing], played: Sequence[RoundResult], scoring: Scoring
) -> tuple[tuple[tuple[Meeting, ...], ...], ...]:
    """Returns the meetings of each line in each round, opponents named by their line.

    The rounds are of pairings of two. A line that a round leaves out has no meeting in it.
    """
    line_of = {line.index: number for number, line in enumerate(table, 1)}
    entrants = 1 + max(line_of)
    rounds = [history(entrants, [past], scoring).turns for past in played]
    return tuple(
        tuple(tuple([_meeting(turn, line_of) for turn in turns[line.index]]) for turns in rounds)
        for line in table
    )


def _meeting(turn: Turn, line_of: Mapping[int, int]) -> Meeting:
    return Meeting(
        opponent=line_of[turn.opponents[0]] if turn.opponents else None,
        first=turn.first,
        score=turn.score,
        points=turn.points if turn.opponents else 0.0,
    )

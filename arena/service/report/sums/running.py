"""The round of a tournament that is being played: its pairings, and the points they give so far."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import groupby

import msgspec
from arena_results.schema.rows import PairingSums, Status
from arena_tournaments.play.rulings import ruled
from arena_tournaments.scoring.scoring import history, tidy
from arena_tournaments.scoring.standings import Standing

from arena.core.tournaments.format import PairingResult, Round, RoundResult, Scoring
from arena.service.report.sums.tallies import legs_so_far, result_so_far
from arena.service.setup.decoded import Decoded


class Meeting(msgspec.Struct, frozen=True, kw_only=True):
    """A pairing of the round.

    Attributes:
        number: Its number in the round, from 1.
        seats: Who meets, by index into the field.
        values: What each took so far: match points, or amounts.
        matches: Number of its matches that are played.
        expected: Number of its matches, as far as results decide it.
        over: Whether all of them are played, or somebody is absent.
        forfeited: Who did not play all of them.
    """

    number: int
    seats: tuple[int, ...]
    values: tuple[float, ...]
    matches: int
    expected: int
    over: bool
    forfeited: tuple[int, ...] = ()

    @property
    def begun(self) -> bool:
        """True if it has a result so far."""
        return bool(self.matches or self.forfeited)


class Running(msgspec.Struct, frozen=True, kw_only=True):
    """The round that is being played, or was stopped.

    Attributes:
        pairings: Its pairings in board order.
        gained: The points of the round so far by index into the field, as if it ended now; without
            those whose pairing has not begun. Empty where the format ranks by something else.
        counted: Whether the scores of the standings have these points already.
    """

    round: Round
    pairings: tuple[Meeting, ...]
    gained: Mapping[int, float]
    counted: bool

    @property
    def matches(self) -> int:
        """Number of matches that are played."""
        return sum(each.matches for each in self.pairings)

    @property
    def expected(self) -> int:
        """Number of matches of the round, as far as results decide it."""
        left = sum(each.expected for each in self.pairings if not each.over)
        return left + sum(each.matches for each in self.pairings if each.over)

    @property
    def over(self) -> int:
        """Number of pairings that are over."""
        return sum(each.over for each in self.pairings)


def running_round(
    decoded: Decoded, played: Collection[RoundResult], scoring: Scoring | None
) -> Running | None:
    """Returns the round that is being played; ``None`` between rounds and after the last one.

    Args:
        played: The rounds that count in the standings.
        scoring: By what pairings of the round score; ``None`` where they give no points.
    """
    stored = decoded.stored
    if not stored.rounds or stored.summary.status is Status.FINISHED:
        return None
    made = stored.rounds[-1]
    so_far, complete = result_so_far(decoded, made)
    if complete:
        return None
    (result,) = ruled([so_far], stored.rulings)
    pairings = _meetings(decoded, made, result)
    return Running(
        round=made,
        pairings=pairings,
        gained=_gained(len(stored.names), result, pairings, scoring) if scoring else {},
        counted=any(past.round.number == made.number for past in played),
    )


def _meetings(decoded: Decoded, made: Round, result: RoundResult) -> tuple[Meeting, ...]:
    stored, legs = decoded.stored, legs_so_far(decoded, made)
    return tuple(
        [
            _meeting(
                each,
                number,
                stored.sums.get((made.number, number), PairingSums()).matches,
                expected,
                absent=not made.away.isdisjoint(each.pairing.seats),
            )
            for number, (each, expected) in enumerate(zip(result.results, legs, strict=True), 1)
        ]
    )


def _meeting(
    result: PairingResult, number: int, matches: int, expected: int, *, absent: bool
) -> Meeting:
    return Meeting(
        number=number,
        seats=result.pairing.seats,
        values=result.amounts or result.points,
        matches=matches,
        expected=max(expected, matches),
        over=absent or matches >= expected,
        forfeited=result.forfeited,
    )


def _gained(
    entries: int, result: RoundResult, pairings: Sequence[Meeting], scoring: Scoring
) -> dict[int, float]:
    waiting = {index for each in pairings if not each.begun for index in each.seats}
    past = history(entries, [result], scoring)
    return {
        index: past.score(index)
        for index, turns in enumerate(past.turns)
        if turns and index not in waiting
    }


def so_far(
    table: Sequence[Standing], running: Running, last: Collection[int] = ()
) -> tuple[Standing, ...]:
    """Returns standings with the points of the round that is being played.

    Tie-breaks have the rounds before: equals stand as they stood before the round.

    Args:
        table: The standings before the round, the best first.
        last: The entries that stay last.
    """
    if running.counted or not running.gained:
        return tuple(table)
    found = [
        msgspec.structs.replace(line, score=tidy(line.score + running.gained.get(line.index, 0.0)))
        for line in table
    ]
    found.sort(key=lambda line: (line.index in last, -line.score, line.rank))
    ranked: list[Standing] = []
    for _, level in groupby(found, key=lambda line: (line.score, line.rank)):
        rank = len(ranked) + 1
        ranked += [msgspec.structs.replace(line, rank=rank) for line in level]
    return tuple(ranked)

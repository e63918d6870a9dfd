"""From results to scores: what a pairing and a bye are worth, and each participant's history."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import msgspec

from arena.core.errors import UnknownName
from arena.core.tournament import PairingResult, RoundResult


class Scoring(msgspec.Struct, frozen=True, kw_only=True):
    """One way to score pairings.

    Attributes:
        name: What ``Format.scoring`` returns.
        summary: One line for people.
        scores: The score of each seat of a pairing, in seat order.
        bye: What a bye scores. 0: a bye is no round at all, its rester misses nothing.
        tie_breaks: Names of the tie-breaks in order (``tournaments.tiebreaks``).
    """

    name: str
    summary: str
    scores: Callable[[PairingResult], tuple[float, ...]]
    bye: float
    tie_breaks: tuple[str, ...]


def _by_majority(result: PairingResult) -> tuple[float, ...]:
    """One point a pairing, for who took most match points; who took as many share it."""
    most = max(result.points)
    share = 1.0 / result.points.count(most)
    return tuple(share if points == most else 0.0 for points in result.points)


def _as_they_are(result: PairingResult) -> tuple[float, ...]:
    return result.points


SCORINGS: Mapping[str, Scoring] = {
    row.name: row
    for row in (
        Scoring(
            name="pairing",
            summary="a pairing scores 1, 1/2 or 0 by the majority of its match points, a bye 1",
            scores=_by_majority,
            bye=1.0,
            tie_breaks=("MPTS", "BH-C1", "BH", "SB", "DE", "WIN", "BWG"),
        ),
        Scoring(
            name="match",
            summary="every match scores 1, 1/2 or 0, a bye nothing",
            scores=_as_they_are,
            bye=0.0,
            # The order that FIDE's handbook used to recommend for a round robin (C.02); C.07
            # defines the same tie-breaks and leaves their order to the organiser.
            tie_breaks=("DE", "WIN", "SB", "KS"),
        ),
    )
}
"""All scorings by name."""


def scoring_named(name: str) -> Scoring:
    """The scoring of that name; raises ``UnknownName``."""
    if name not in SCORINGS:
        raise UnknownName("scoring", name, SCORINGS)
    return SCORINGS[name]


class Turn(msgspec.Struct, frozen=True, kw_only=True):
    """One round of one participant.

    Attributes:
        score: What the round gave.
        worth: The most it could give: 1, or a pairing's number of matches. Zero for a round in
            which the format gave the participant nothing to play for (a round robin's bye).
        points: Match points taken. For a bye, half of those a pairing of its round played for:
            its rester shall neither win nor lose by them.
        opponent: Index of the opponent; ``None`` for a bye or an absence.
        first: Whether the participant had the first seat.
        played: False for a forfeit, won or lost, against ``opponent``.
        voluntary: Unplayed by the participant's own doing: a requested bye of less than the
            full point, an absence, a forfeit lost (C.07, 16.5). Formats of ours have none.
    """

    score: float
    worth: float = 1.0
    points: float = 0.0
    opponent: int | None = None
    first: bool = False
    played: bool = True
    voluntary: bool = False


class History(msgspec.Struct, frozen=True):
    """What everybody has done so far.

    Attributes:
        turns: One row a participant, in field order; one turn a finished round.
    """

    turns: tuple[tuple[Turn, ...], ...]

    def score(self, index: int) -> float:
        """The sum of a participant's scores."""
        return sum((turn.score for turn in self.turns[index]), 0.0)

    def match_points(self, index: int) -> float:
        """Match points that a participant took in pairings; byes add none."""
        turns = self.turns[index]
        return sum((turn.points for turn in turns if turn.opponent is not None), 0.0)


def history(entrants: int, played: Sequence[RoundResult], scoring: str) -> History:
    """Collects everybody's turns from finished rounds of pairings of two.

    Args:
        entrants: Size of the field.
        played: Every finished round.
        scoring: Name of the scoring.

    Raises:
        UnknownName: There is no such scoring.
    """
    rule = scoring_named(scoring)
    rows: list[list[Turn]] = [[] for _ in range(entrants)]
    for past in played:
        for result in past.results:
            scores = rule.scores(result)
            for seat, index in enumerate(result.pairing.seats):
                rows[index].append(
                    Turn(
                        score=scores[seat],
                        worth=sum(scores),
                        points=result.points[seat],
                        opponent=result.pairing.seats[1 - seat],
                        first=seat == 0,
                    )
                )
        at_stake = max((sum(result.points) for result in past.results), default=0.0)
        for index in past.round.byes:
            share = at_stake / 2 if rule.bye else 0.0
            rows[index].append(Turn(score=rule.bye, worth=rule.bye, points=share))
    return History(tuple(map(tuple, rows)))

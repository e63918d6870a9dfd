"""Plays off a tie at the cut to the next stage of a tournament.

The bots that are level play a round robin. A pairing that is drawn to the end counts half for both.
Bots above the cut enter, and bots below it do not. The bots still level at it play again, a few
times at most. Then the order before the play-off decides. Several ties at one cut are played off
side by side, in the same rounds.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

import msgspec

from arena.core.tournaments.format import Pairing, Round, RoundResult
from arena_tournaments.formats.round_robin import berger_round
from arena_tournaments.pairing.factors import cycle_of
from arena_tournaments.scoring.scoring import ELIMINATION, tidy

CutTies: TypeAlias = Literal["order", "playoff", "share"]
"""The ways to decide which bots that are level at a cut enter the next stage."""
MAX_LEVEL = 8
"""The most bots that play off a tie; where more are level, the order decides."""
MAX_TIMES = 3
"""The most round robins of bots that stay level."""


class PlayOff(msgspec.Struct, frozen=True):
    """A play-off as it stands.

    Attributes:
        order: Everybody in it, the first to enter first; those in one group are level.
        rounds: Number of its rounds that are played.
        following: Its next round; ``None`` once it is over. The number is that within it.
    """

    order: tuple[tuple[int, ...], ...]
    rounds: int
    following: Round | None = None


def most_rounds(entrants: int) -> int:
    """Returns the number of rounds that a play-off among some of a stage can take."""
    return MAX_TIMES * cycle_of(min(entrants, MAX_LEVEL))


def side_by_side(offs: Sequence[PlayOff]) -> Round | None:
    """Returns the next round of play-offs in the same rounds; ``None`` once all are over."""
    open = [each.following for each in offs if each.following is not None]
    if not open:
        return None
    return Round(
        number=open[0].number,
        pairings=tuple([pairing for each in open for pairing in each.pairings]),
        byes=tuple([index for each in open for index in each.byes]),
    )


def play_off(
    level: Sequence[int], places: int, later: Sequence[RoundResult], most: int | None = None
) -> PlayOff:
    """Returns the play-off of bots for fewer places.

    Args:
        level: The bots, in the order that decides in the end.
        places: How many of them enter the next stage.
        later: The rounds after the stage, of which the play-off has the first; other bots may
            play in them, too.
        most: How many rounds there are for it; ``None`` for as many as it needs.
    """
    above: list[tuple[int, ...]] = []
    below: list[tuple[int, ...]] = []
    still, played = tuple(level), 0
    for time in range(MAX_TIMES):
        size = cycle_of(len(still))
        if most is not None and played + size > most:
            break
        rounds = later[played : played + size]
        played += len(rounds)
        if len(rounds) < size:
            following = _round(still, len(rounds) + 1, played + 1, reverse=time % 2 == 1)
            return PlayOff((*above, still, *below), played, following)
        ahead, still, behind = _cut(_ranked(still, rounds), places)
        above += ahead
        below = behind + below
        places -= sum(map(len, ahead))
        if not still:
            break
    return PlayOff(tuple(filter(None, (*above, still, *below))), played)


def _round(level: Sequence[int], row: int, number: int, *, reverse: bool) -> Round:
    pairings: list[Pairing] = []
    byes: list[int] = []
    for pair in berger_round(len(level), row):
        if len(level) in pair:
            byes.append(level[min(pair)])
        else:
            first, second = reversed(pair) if reverse else pair
            pairings.append(Pairing((level[first], level[second])))
    return Round(number, tuple(pairings), tuple(byes))


def _ranked(level: Sequence[int], rounds: Sequence[RoundResult]) -> list[tuple[int, ...]]:
    """Returns groups of bots with equally many pairings won, the most first."""
    won = dict.fromkeys(level, 0.0)
    for past in rounds:
        for result in past.results:
            if not won.keys() >= {*result.pairing.seats}:
                continue
            for index, score in zip(result.pairing.seats, ELIMINATION.scores(result), strict=True):
                won[index] += score
    groups: dict[float, list[int]] = {}
    for index in level:
        groups.setdefault(tidy(won[index]), []).append(index)
    return [tuple(groups[score]) for score in sorted(groups, reverse=True)]


def _cut(
    groups: Sequence[tuple[int, ...]], places: int
) -> tuple[list[tuple[int, ...]], tuple[int, ...], list[tuple[int, ...]]]:
    """Returns the groups above the cut, the one that it goes through, and the groups below."""
    ahead: list[tuple[int, ...]] = []
    for number, group in enumerate(groups):
        if places < len(group):
            if not places:
                return ahead, (), [*groups[number:]]
            return ahead, group, [*groups[number + 1 :]]
        ahead.append(group)
        places -= len(group)
    return ahead, (), []

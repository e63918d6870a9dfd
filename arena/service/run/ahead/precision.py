"""Estimates how precisely a tournament will know strengths, and how many matches more would take.

The matches of a calibration show how much one match says; the format's rounds show who meets whom.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from math import ceil, log, sqrt
from statistics import fmean, variance

import msgspec
from arena_tournaments.play.runner import Plan
from arena_tournaments.play.schedule import match_points

from arena.core.errors import BadInput
from arena.core.record import MatchKey
from arena.core.tournaments.format import Format, Round
from arena.core.tournaments.rating import Z95

ELO = 400 / log(10)
EQUALS = 0.25
"""Information about a difference of strengths, in natural units, in a match of equals."""
ENOUGH = 30
"""Degrees of freedom from which the spread of a calibration's deals is taken."""
MAX_MATCHES = 10**9
"""Matches beyond which a precision is refused."""


class Precision(msgspec.Struct, frozen=True, kw_only=True):
    """The precision that a tournament will reach, and what another one takes; in Elo.

    Attributes:
        elo: Half the 95 % interval of a strength about the mean of the field, on average.
        asked: The half that was asked for.
        games: Matches a pairing that it takes; ``None`` where the number of pairings is not fixed.
        matches: Matches in everything that it takes.
        separable: Difference of neighbours that the matches would separate, about, in a format
            that plays until ranks are separated.
    """

    elo: float
    asked: float | None = None
    games: int | None = None
    matches: int | None = None
    separable: float | None = None


def information(played: Iterable[tuple[MatchKey, Sequence[float]]], group: int) -> float:
    """Returns the information about a difference of strengths in a match of such bots.

    Args:
        played: Keys and returns of matches of two, of several deals a pairing.
        group: Matches of a deal.
    """
    deals: dict[tuple[int, int], dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    for key, returns in played:
        points = match_points(tuple(returns))[(key.leg - 1) % 2]
        deals[key.round, key.pairing][(key.leg - 1) // group].append(points)
    means = [
        [fmean(points) for points in found.values() if len(points) == group]
        for found in deals.values()
    ]
    means = [each for each in means if len(each) > 1]
    freedom = sum(len(each) - 1 for each in means)
    if freedom < ENOUGH:
        return EQUALS
    chances = [(sum(each) + 1) / (len(each) + 2) for each in means]
    slope = fmean(chance * (1 - chance) for chance in chances)
    spread = group * sum((len(each) - 1) * variance(each) for each in means) / freedom
    return slope**2 / spread if spread else slope


def precision(
    plan: Plan, rounds: Iterable[Round], most: int, known: float, asked: float | None
) -> Precision:
    """Returns the precision of a tournament at tables of two.

    Args:
        rounds: Its rounds, as they are paired while nobody is ahead.
        most: Number of its matches, at most.
        known: Information in a match.
        asked: Half of an interval to be reached.

    Raises:
        BadInput: No number of matches reaches it, as not all are linked by pairings.
    """
    format, entrants = plan.format, len(plan.field)
    games = separable = None
    if format.by_strength:
        each = most / (entrants * (entrants - 1) / 2)
        meetings = {(a, b): each for b in range(entrants) for a in range(b)}
        separable = _separable(format, entrants, most, known)
    else:
        games = max(each.games for each in plan.schedule.volumes)
        meetings = _meetings(plan, rounds)
    reached = half_width(entrants, meetings, known)
    if asked is None:
        return Precision(elo=reached, separable=separable)
    more = (reached / asked) ** 2
    if not more * most < MAX_MATCHES:
        raise BadInput(f"precision {asked:g}: it would take more than {MAX_MATCHES:,} matches")
    if games is None:
        return Precision(elo=reached, asked=asked, matches=ceil(more * most), separable=separable)
    group = plan.schedule.group(2)
    wanted = group * ceil(more * games / group)
    return Precision(elo=reached, asked=asked, games=wanted, matches=most * wanted // games)


def _meetings(plan: Plan, rounds: Iterable[Round]) -> dict[tuple[int, int], float]:
    found: dict[tuple[int, int], float] = defaultdict(float)
    for made in rounds:
        for pairing in made.pairings:
            found[min(pairing.seats), max(pairing.seats)] += plan.schedule.volume(made.number).games
    return found


def half_width(entrants: int, meetings: Mapping[tuple[int, int], float], known: float) -> float:
    """Returns half the 95 % interval of a strength about the field's mean, in Elo, on average.

    Args:
        meetings: Matches of each two.
        known: Information in a match.
    """
    # Imported here: numpy takes long to load for a command that plays.
    import numpy as np

    matrix = np.zeros((entrants, entrants))
    for (one, other), matches in meetings.items():
        matrix[one, one] += known * matches
        matrix[other, other] += known * matches
        matrix[one, other] -= known * matches
        matrix[other, one] -= known * matches
    if np.linalg.matrix_rank(matrix) < entrants - 1:
        return float("inf")
    return Z95 * ELO * sqrt(float(np.trace(np.linalg.pinv(matrix))) / entrants)


def _separable(format: Format, entrants: int, most: int, known: float) -> float:
    from arena_tournaments.pairing.separation import reach

    gaps = entrants - 1
    return ELO * reach(known * most / gaps, (1 - format.confidence / 100) / gaps)

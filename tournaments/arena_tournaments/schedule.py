"""Schedules the matches of a round, with every seed fixed before anything is played."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import partial
from math import lcm
from typing import TypeAlias

import msgspec

from arena.core.outcome import Amounts, Ending
from arena.core.record import MatchKey
from arena.core.seeding import SeedKeys
from arena.core.tournament import Job, Pairing, PairingResult, Round, RoundResult
from arena_tournaments.volume import Volume
from arena_tournaments.williams import williams

Returns: TypeAlias = tuple[float, ...]
"""A match's utilities, one a seat."""

AMOUNT_DIGITS = 9
"""Decimals to which sums of amounts are rounded, so that equal ones are equal floats."""
USUAL_GAMES = 20
"""Matches a pairing, about, when nobody says how many."""


def balanced_games(sizes: Iterable[int]) -> int:
    """Returns the default number of matches a pairing: the usual number, in whole squares.

    So at tables of these sizes everybody sits in every seat, and one seat before everybody else,
    equally often.
    """
    whole = lcm(*(len(williams(size)) for size in sizes))
    return -(-USUAL_GAMES // whole) * whole


def jobs_of_round(
    round: Round, seeds: SeedKeys, games: int, mirrored: bool = True
) -> tuple[Job, ...]:
    """Returns the matches of a round in which every pairing plays as many, pairing by pairing."""
    jobs: list[Job] = []
    for number, pairing in enumerate(round.pairings, 1):
        jobs += _jobs(MatchKey(round.number, number, 0), pairing, seeds, (0, games), mirrored)
    return tuple(jobs)


def _jobs(
    place: MatchKey, pairing: Pairing, seeds: SeedKeys, legs: tuple[int, int], mirrored: bool
) -> list[Job]:
    """Returns matches of one pairing: those after the first number of legs, up to the second.

    Seeds come from the tournament's keys and the match's place alone, so that no field, result or
    order of execution can change them. The matches of a pairing follow the rows of a Williams
    square over and over: two swap their seats from match to match.

    Args:
        mirrored: Whether matches are legs of mirrored groups, which share their deal. A group is
            as many matches in a row as the pairing has seats, so that everybody plays the deal
            from every seat: matches 1 and 2, 3 and 4, ... of two. When the number of legs is no
            multiple of that, the last group is short, and its deal has not been played from
            every seat.
    """
    seats, round, number = pairing.seats, place.round, place.pairing
    square = williams(len(seats))
    legs_a_deal = len(seats) if mirrored else 1
    return [
        Job(
            key=MatchKey(round, number, leg),
            seed=seeds.deal(round, number, (leg - 1) // legs_a_deal + 1),
            bot_seed=seeds.private(round, number, leg),
            seats=tuple([seats[who] for who in square[(leg - 1) % len(square)]]),
        )
        for leg in range(legs[0] + 1, legs[1] + 1)
    ]


class Schedule(msgspec.Struct, frozen=True):
    """The matches of a tournament: what each pairing plays, from the results so far.

    Attributes:
        seeds: From which all seeds of matches are derived.
        mirrored: Whether matches are legs of mirrored groups, which share their deal.
        volumes: The rule of each round; of further ones, which only edited results have, the last.
        amounts: What a match is worth to each seat, where matches are scored by amount.
    """

    seeds: SeedKeys
    mirrored: bool
    volumes: tuple[Volume, ...]
    amounts: Amounts | None = None

    def values(self, ending: Ending) -> Returns:
        """Returns what a match counts for each seat: its utilities, or the amounts."""
        return ending.returns if self.amounts is None else self.amounts(ending)

    def volume(self, round: int) -> Volume:
        """Returns the rule of a round."""
        return self.volumes[min(round, len(self.volumes)) - 1]

    def legs(self, round: Round, returns: Mapping[MatchKey, Returns]) -> tuple[int, ...]:
        """Returns the number of matches that each pairing is to play, as far as results decide.

        Once all of them are played it may be more; it stays the same when the round is over.
        """
        volume = self.volume(round.number)
        return tuple(
            self._legs(volume, MatchKey(round.number, number, 0), len(pairing.seats), returns)
            for number, pairing in enumerate(round.pairings, 1)
        )

    def _legs(
        self, volume: Volume, place: MatchKey, size: int, returns: Mapping[MatchKey, Returns]
    ) -> int:
        square = williams(size)
        group = size if self.mirrored else 1
        points: list[float] = []
        while wave := volume.more(points, group):
            played = len(points)
            for leg in range(played + 1, played + wave + 1):
                match = returns.get(MatchKey(place.round, place.pairing, leg))
                if match is None:
                    return played + wave
                seat = square[(leg - 1) % len(square)].index(0)
                if self.amounts is None:
                    points.append(match_points(match)[seat])
                else:  # half the lead over the other one: their sum is drawn where amounts are
                    points.append(0.5 + match[seat] - sum(match) / 2)
        return len(points)

    def result(
        self, round: Round, jobs: Sequence[Job], returns: Mapping[MatchKey, Returns]
    ) -> RoundResult:
        """Returns the result of a round (``round_result``) from the ``values`` of its matches."""
        return round_result(round, jobs, returns, by_amount=self.amounts is not None)

    def jobs(self, round: Round, legs: Sequence[int], done: Sequence[int] = ()) -> tuple[Job, ...]:
        """Returns the matches of a round, pairing by pairing.

        Args:
            legs: Number of matches of each pairing.
            done: Number of its first matches that are left out.
        """
        jobs: list[Job] = []
        for number, pairing in enumerate(round.pairings, 1):
            place, first = MatchKey(round.number, number, 0), done[number - 1] if done else 0
            span = (first, legs[number - 1])
            jobs += _jobs(place, pairing, self.seeds, span, self.mirrored)
        return tuple(jobs)


def is_complete(round: Round, jobs: Sequence[Job], returns: Mapping[MatchKey, Returns]) -> bool:
    """Returns whether every match of a round is played, or forfeited."""
    away = round.away
    return all(job.key in returns or not away.isdisjoint(job.seats) for job in jobs)


def round_result(
    round: Round,
    jobs: Sequence[Job],
    returns: Mapping[MatchKey, Returns],
    *,
    by_amount: bool = False,
) -> RoundResult:
    """Adds up the match points of every pairing (see ``match_points``).

    By amount the pairing's amounts are added up, and its points go by their order, as if it were
    one match.

    Args:
        jobs: All matches of the round.
        returns: Utilities of its matches by key; missing matches count nothing, or, where one of
            two is absent, for the other one.
    """
    matches: list[list[Counted]] = [[] for _ in round.pairings]
    missing = [0] * len(round.pairings)
    for job in jobs:
        if job.key in returns:
            matches[job.key.pairing - 1].append((job.seats, returns[job.key], 1))
        else:
            missing[job.key.pairing - 1] += 1
    results = map(_amount_result if by_amount else _result, round.pairings, matches)
    if away := round.away:
        results = map(partial(_forfeited, away), results, missing)
    return RoundResult(round, tuple(results))


def counted_result(round: Round, matches: Sequence[Sequence[Counted]]) -> RoundResult:
    """Adds up the match points of every pairing from the numbers of its matches that ended alike.

    Args:
        matches: Those of each pairing.
    """
    return RoundResult(round, tuple(map(_result, round.pairings, matches)))


Counted: TypeAlias = tuple[tuple[int, ...], Returns, int]
"""The number of matches with these seats and returns."""


def _forfeited(away: Collection[int], result: PairingResult, missing: int) -> PairingResult:
    """Gives the missing matches of a pairing of two to the one who is there."""
    seats = result.pairing.seats
    absent = tuple([index for index in seats if index in away])
    if not (absent and missing and len(seats) == 2):
        return result
    awarded = float(missing) if len(absent) == 1 else 0.0
    points = tuple(
        [p + awarded * (i not in away) for i, p in zip(seats, result.points, strict=True)]
    )
    return msgspec.structs.replace(result, points=points, forfeited=absent, awarded=awarded)


def _result(pairing: Pairing, matches: Sequence[Counted]) -> PairingResult:
    """Returns the result of one pairing from the seats and returns of its matches."""
    if len(pairing.seats) > 2:
        return _table_result(pairing, matches)
    taken = dict.fromkeys(pairing.seats, 0.0)
    for seats, utilities, count in matches:
        for entrant, points in zip(seats, match_points(utilities), strict=True):
            taken[entrant] += count * points
    return PairingResult(pairing, tuple(taken.values()))


def _table_result(pairing: Pairing, matches: Sequence[Counted]) -> PairingResult:
    """Returns the result of a table of more than two, with the points of each against each."""
    size = len(pairing.seats)
    duels = [[0.0] * size for _ in range(size)]
    won = [0] * size
    for seats, utilities, count in matches:
        gained = [utilities[seats.index(entrant)] for entrant in pairing.seats]
        best = max(gained)
        if gained.count(best) == 1:
            won[gained.index(best)] += count
        for one, mine in enumerate(gained):
            for other, theirs in enumerate(gained):
                if one != other:
                    duels[one][other] += count * ((mine > theirs) + (mine == theirs) / 2)
    # Divided once, at the end: halves add exactly, so that equal points are equal floats.
    points = tuple(sum(row) / (size - 1) for row in duels)
    return PairingResult(pairing, points, tuple(map(tuple, duels)), tuple(won))


def _amount_result(pairing: Pairing, matches: Sequence[Counted]) -> PairingResult:
    """Returns the result of one pairing from the seats and amounts of its matches."""
    played = len(matches)
    taken = [0.0] * len(pairing.seats)
    for seats, amounts, _ in matches:
        for entrant, amount in zip(seats, amounts, strict=True):
            taken[pairing.seats.index(entrant)] += amount
    totals = tuple([round(each, AMOUNT_DIGITS) for each in taken])
    whole = _result(pairing, [(pairing.seats, totals, 1)] if played else [])
    return msgspec.structs.replace(
        whole,
        points=tuple([played * each for each in whole.points]),
        duels=tuple([tuple([played * each for each in row]) for row in whole.duels]),
        amounts=totals,
        matches=played,
    )


def match_points(returns: Returns) -> tuple[float, ...]:
    """Returns each seat's match points: the share of its opponents that it beat, a tie half.

    Of two seats: won 1, drawn 1/2, lost 0. A match gives half a point a seat in all.
    """
    others = len(returns) - 1
    return tuple(
        (sum((mine > theirs) + (mine == theirs) / 2 for theirs in returns) - 0.5) / others
        for mine in returns
    )

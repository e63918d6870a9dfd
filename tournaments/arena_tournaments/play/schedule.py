"""Makes matches, with every seed fixed before anything is played, and adds up their results."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import partial
from math import fsum, lcm
from typing import TypeAlias

import msgspec

from arena.core.chance.seeding import SeedKeys
from arena.core.outcome import Amounts, Ending
from arena.core.record import MatchKey, MatchRecord, PlayedMatch
from arena.core.tournaments.format import Job, Pairing, PairingResult, Round, RoundResult
from arena_tournaments.play.volume import Volume
from arena_tournaments.play.williams import williams

Returns: TypeAlias = tuple[float, ...]
"""A match's utilities, one a seat."""
LuckOf: TypeAlias = Callable[[MatchRecord], Returns]
"""Returns the luck of each seat in a match, in match points; the same for the same record."""

AMOUNT_DIGITS = 9
"""Decimals to which sums of amounts are rounded, so that equal ones are equal floats."""
USUAL_GAMES = 20
"""Matches a pairing, about, when nobody says how many."""
MAX_TESTED = 20_000
"""Matches after which a test is left undecided, when nobody says how many."""


def balanced_games(sizes: Iterable[int]) -> int:
    """Returns the default number of matches per pairing: the usual number, in whole squares.

    So at tables of these sizes everybody sits in every seat, and one seat before everybody else,
    equally often.
    """
    whole = lcm(*(len(williams(size)) for size in sizes))
    return -(-USUAL_GAMES // whole) * whole


def seatings(pairing: Pairing) -> tuple[tuple[int, ...], ...]:
    """Returns the seats of a pairing's matches, which follow these rows over and over.

    They are those of a Williams square: two swap their seats from match to match.
    """
    seats = pairing.seats
    return tuple(tuple([seats[who] for who in row]) for row in williams(len(seats)))


class Schedule(msgspec.Struct, frozen=True):
    """The rules by which the matches of a tournament are made.

    Attributes:
        seeds: From which all seeds of matches are derived.
        mirrored: Whether matches are matches of mirrored sets, which share their deal. A group is
            as many matches in a row as the pairing has seats, so that everybody plays the deal
            from every seat: matches 1 and 2, 3 and 4, ... of two. When the number of matches is no
            multiple of that, the last group is short, and its deal has not been played from
            every seat.
        volumes: The rule of each round; of further ones, which only edited results have, the last.
        amounts: What a match is worth to each seat, where matches are scored by amount.
        luck: Computes the luck in a match, where the volumes go by luck-adjusted scores.
    """

    seeds: SeedKeys
    mirrored: bool
    volumes: tuple[Volume, ...]
    amounts: Amounts | None = None
    luck: LuckOf | None = None

    def measured(self, match: PlayedMatch) -> tuple[MatchKey, Returns, Returns]:
        """Returns a match as ``RoundPlay.add`` takes it: its key, its values and its luck."""
        luck = self.luck(match.record) if self.luck else ()
        return match.key, self.values(match.record.outcome), luck

    def values(self, ending: Ending) -> Returns:
        """Returns what a match counts for each seat: its utilities, or the amounts."""
        return ending.returns if self.amounts is None else self.amounts(ending)

    def volume(self, round: int) -> Volume:
        """Returns the rule of a round."""
        return self.volumes[min(round, len(self.volumes)) - 1]

    def group(self, seats: int) -> int:
        """Returns the number of matches of that many seats that share a deal."""
        return seats if self.mirrored else 1

    def points(self, seat: int, values: Returns) -> float:
        """Returns the points of a seat, by which a pairing is decided."""
        if self.amounts is None:
            return match_points(values)[seat]
        # Half the lead over the other one: their sum is drawn where amounts are.
        return 0.5 + values[seat] - sum(values) / 2

    def job(self, key: MatchKey, seats: tuple[int, ...]) -> Job:
        """Returns a match.

        Its seeds come from the tournament's keys and its place only, so that no field, result or
        order of execution can change them.
        """
        round, pairing = key.round, key.pairing
        deal = (key.leg - 1) // self.group(len(seats)) + 1
        return Job(
            key=key,
            seed=self.seeds.deal(round, pairing, deal),
            bot_seed=self.seeds.private(round, pairing, key.leg),
            seats=seats,
        )


Counted: TypeAlias = tuple[tuple[int, ...], Returns, int]
"""The number of matches with these seats and values."""


def counted_result(
    round: Round,
    matches: Sequence[Sequence[Counted]],
    missing: Sequence[int] = (),
    *,
    by_amount: bool = False,
) -> RoundResult:
    """Adds up the match points of every pairing (see ``match_points``).

    By amount the pairing's amounts are added up, and its points go by their order, as if it were
    one match.

    Args:
        matches: The matches of each pairing.
        missing: Number of further matches of each that are not played; where one of two is absent,
            they count for the other one.
    """
    results = map(_amount_result if by_amount else _result, round.pairings, matches)
    if away := round.forfeiting:
        results = map(partial(_forfeited, away), results, missing)
    return RoundResult(round, tuple(results))


def _forfeited(away: Collection[int], result: PairingResult, missing: int) -> PairingResult:
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
    if len(pairing.seats) > 2:
        return _table_result(pairing, matches)
    taken = dict.fromkeys(pairing.seats, 0.0)
    drawn = 0
    for seats, utilities, count in matches:
        drawn += count * (utilities[0] == utilities[1])
        for entrant, points in zip(seats, match_points(utilities), strict=True):
            taken[entrant] += count * points
    ties = ((0, drawn), (drawn, 0)) if drawn else ()
    return PairingResult(pairing, tuple(taken.values()), drawn=ties)


def _table_result(pairing: Pairing, matches: Sequence[Counted]) -> PairingResult:
    size = len(pairing.seats)
    duels = [[0.0] * size for _ in range(size)]
    ties = [[0] * size for _ in range(size)]
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
                    ties[one][other] += count * (mine == theirs)
    # Divided once, at the end: halves add exactly, so that equal points are equal floats.
    points = tuple(sum(row) / (size - 1) for row in duels)
    drawn = tuple(map(tuple, ties)) if any(map(any, ties)) else ()
    return PairingResult(pairing, points, tuple(map(tuple, duels)), tuple(won), drawn=drawn)


def _amount_result(pairing: Pairing, matches: Sequence[Counted]) -> PairingResult:
    played = sum(count for _, _, count in matches)
    taken: dict[int, list[float]] = {entrant: [] for entrant in pairing.seats}
    for seats, amounts, count in matches:
        for entrant, amount in zip(seats, amounts, strict=True):
            taken[entrant].append(count * amount)
    # Exact, so that the order of the matches cannot change a sum.
    totals = tuple([round(fsum(each), AMOUNT_DIGITS) for each in taken.values()])
    whole = _result(pairing, [(pairing.seats, totals, 1)] if played else [])
    return msgspec.structs.replace(
        whole,
        points=tuple([played * each for each in whole.points]),
        duels=tuple([tuple([played * each for each in row]) for row in whole.duels]),
        amounts=totals,
        matches=played,
        drawn=tuple([tuple([played * each for each in row]) for row in whole.drawn]),
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

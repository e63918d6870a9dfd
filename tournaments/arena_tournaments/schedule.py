"""Schedules the matches of a round, with every seed fixed before anything is played."""

from __future__ import annotations

from collections.abc import Iterable
from math import lcm

from arena.core.record import MatchKey
from arena.core.seeding import SeedKeys
from arena.core.tournament import Job, Round
from arena_tournaments.williams import williams

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
    """Returns the matches of a round, pairing by pairing.

    Seeds come from the tournament's keys and the match's place alone, so that no field, result or
    order of execution can change them. The matches of a pairing follow the rows of a Williams
    square over and over: two swap their seats from match to match.

    Args:
        games: Matches a pairing, 1 and up.
        mirrored: Whether matches are legs of mirrored groups, which share their deal. A group is
            as many matches in a row as the pairing has seats, so that everybody plays the deal
            from every seat: matches 1 and 2, 3 and 4, ... of two. When ``games`` is no multiple
            of that, the last group is short, and its deal has not been played from every seat.
    """
    jobs: list[Job] = []
    for number, pairing in enumerate(round.pairings, 1):
        seats = pairing.seats
        square = williams(len(seats))
        legs_a_deal = len(seats) if mirrored else 1
        for leg in range(1, games + 1):
            deal = (leg - 1) // legs_a_deal + 1
            row = square[(leg - 1) % len(square)]
            jobs.append(
                Job(
                    key=MatchKey(round.number, number, leg),
                    seed=seeds.deal(round.number, number, deal),
                    bot_seed=seeds.private(round.number, number, leg),
                    seats=tuple([seats[who] for who in row]),
                )
            )
    return tuple(jobs)

"""Plays whole tournaments in tests, with results drawn from a generator."""

from __future__ import annotations

from arena_tournaments.play.round_play import RoundPlay
from arena_tournaments.play.schedule import Schedule, counted_result
from arena_tournaments.play.volume import Fixed

from arena.core.chance.seeding import SeedOrigin, SeedSource
from arena.core.tournaments.format import PAIRS, Entrant, PairingResult, RoundResult

SEVEN = SeedSource(SeedOrigin.OPEN_SEED, seed=7).keys()


def field_of(size):
    return [Entrant(f"bot {number}") for number in range(1, size + 1)]


def jobs_of_round(round, seeds, games, mirrored=True):
    """All matches of a round in which every pairing plays as many, pairing by pairing."""
    return tuple(RoundPlay(Schedule(seeds, mirrored, (Fixed(games),)), round).jobs())


def so_far(schedule, round, values):
    """The matches of a round, of which those with values are played."""
    play = RoundPlay(schedule, round)
    for key, match in values.items():
        if key.round == round.number:
            play.add(key, match)
    play.extend()
    return play


def round_result(round, jobs, values, *, by_amount=False):
    """The result of a round from the values of its matches, of which some may be missing."""
    matches, missing = [[] for _ in round.pairings], [0] * len(round.pairings)
    for job in jobs:
        if job.key in values:
            matches[job.key.pairing - 1].append((job.seats, values[job.key], 1))
        else:
            missing[job.key.pairing - 1] += 1
    return counted_result(round, matches, missing, by_amount=by_amount)


def finish(round, rng, games=1):
    """Some result for every pairing: each match 1, 1/2 or 0 for the first seat."""
    results = []
    for pairing in round.pairings:
        points = sum(rng.choice((0.0, 0.5, 1.0)) for _ in range(games))
        results.append(PairingResult(pairing, (points, games - points)))
    return RoundResult(round, tuple(results))


def play(format, size, rounds, rng, games=1):
    played = []
    while (upcoming := format.next_round(field_of(size), played, rounds)) is not None:
        played.append(finish(upcoming, rng, games))
    return played


def finish_tables(round, rng, games=1):
    """Some finishing order, ties among them, for every match of a round of tables."""
    jobs = jobs_of_round(round, SEVEN, games)
    returns = {job.key: tuple(float(rng.randrange(4)) for _ in job.seats) for job in jobs}
    return round_result(round, jobs, returns)


def play_tables(format, size, tables=PAIRS, rounds=None, rng=None, games=1):
    """A whole tournament at tables; without a generator nobody ever beats anybody."""
    played = []
    planned = format.rounds(size, rounds, tables)
    while (upcoming := format.next_round(field_of(size), played, planned, tables)) is not None:
        if rng is None:
            played.append(round_result(upcoming, (), {}))
        else:
            played.append(finish_tables(upcoming, rng, games))
    return played

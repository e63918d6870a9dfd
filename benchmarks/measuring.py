"""The ways of measuring that benchmarks share: seeds, jobs, and the fastest of several runs."""

from __future__ import annotations

import time
from collections.abc import Callable

from arena_tournaments.round_play import RoundPlay
from arena_tournaments.schedule import Schedule
from arena_tournaments.volume import Fixed

from arena.core.seeding import SeedOrigin, SeedSource
from arena.core.tournament import Job, Pairing, Round

SEEDS = SeedSource(SeedOrigin.OPEN_SEED, seed=7).keys()
RUNS = 5
"""Timed runs of each figure."""


def best(work: Callable[[], object]) -> float:
    """Returns the seconds of the fastest run, as a busy machine only ever slows down."""
    times = []
    for _ in range(RUNS):
        began = time.perf_counter()
        work()
        times.append(time.perf_counter() - began)
    return min(times)


def one_pairing(seats: int) -> Round:
    """Returns a round in which everybody sits at one table."""
    return Round(1, (Pairing(tuple(range(seats))),))


def jobs_of_round(round: Round, games: int) -> tuple[Job, ...]:
    """Returns the matches of a round, in mirrored groups, as many for each pairing."""
    return tuple(RoundPlay(Schedule(SEEDS, True, (Fixed(games),)), round).jobs())

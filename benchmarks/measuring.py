"""The matches that benchmarks play: seeds, rounds, jobs."""

from __future__ import annotations

from arena_tournaments.play.round_play import RoundPlay
from arena_tournaments.play.schedule import Schedule
from arena_tournaments.play.volume import Fixed

from arena.core.chance.seeding import SeedOrigin, SeedSource
from arena.core.tournaments.format import Job, Pairing, Round

SEEDS = SeedSource(SeedOrigin.OPEN_SEED, seed=7).keys()


def one_pairing(seats: int) -> Round:
    """Returns a round in which everybody sits at one table."""
    return Round(1, (Pairing(tuple(range(seats))),))


def jobs_of_round(round: Round, games: int) -> tuple[Job, ...]:
    """Returns the matches of a round, in mirrored groups, as many for each pairing."""
    return tuple(RoundPlay(Schedule(SEEDS, True, (Fixed(games),)), round).jobs())

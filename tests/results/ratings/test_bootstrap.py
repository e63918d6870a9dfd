from __future__ import annotations

from math import log

import numpy as np
import pytest
from arena_results.ratings.systems import bootstrap
from arena_results.ratings.systems.bootstrap import elo_intervals
from arena_results.ratings.systems.elo import SCALE, START, K
from arena_results.ratings.systems.systems import REPLAYS
from hypothesis import given
from hypothesis import strategies as st

from arena.core.tournaments.rating import Duels, Unit
from tests.results.ratings.live_elo import elo
from tests.results.ratings.rated_tables import PLAYERS, finished, tables


def season(units: int, legs: int = 2) -> list[Unit]:
    """Units among five players, the higher index the stronger; every seventh lacks a leg."""
    rng = np.random.Generator(np.random.PCG64(5))
    made = []
    for number in range(units):
        first, second = sorted(rng.permutation(5)[:2].tolist())
        scores = rng.choice([0.0, 0.5, 1.0], p=[0.5, 0.2, 0.3], size=legs)
        unit = (
            Duels((first, second), (scores[0],)),
            *(Duels((second, first), (1 - score,)) for score in scores[1:]),
        )
        made.append(unit if number % 7 else unit[:1])
    return made


def evening(units: int) -> list[Unit]:
    """Units of tables of all sizes, some cut short."""
    rng = np.random.Generator(np.random.PCG64(6))
    made = []
    for number in range(units):
        seats = 2 + number % 4
        players = rng.permutation(5)[:seats].tolist()
        turns = [players[turn:] + players[:turn] for turn in range(seats - number % 2)]
        made.append(
            tuple(finished(tuple(turn), tuple(rng.integers(3, size=seats))) for turn in turns)
        )
    return made


@pytest.mark.parametrize("units", [season(50, 1), season(50, 2), evening(50)])
def test_lock_step_gives_what_replaying_one_by_one_gives(monkeypatch, units):
    monkeypatch.setattr(bootstrap, "_BLOCK", 16)
    replays, seed = 40, 11
    again = np.random.Generator(np.random.PCG64(seed))
    seasons: list[list[Duels]] = [[] for _ in range(replays)]
    for start, drawn in bootstrap._draws(again, len(units), replays):
        block = [*units[start : start + 16], ()]
        for step in drawn:
            for replay, position in enumerate(step):
                seasons[replay] += block[position]
    ends = np.array([elo(season, 5) for season in seasons])
    low, high = np.percentile(ends, (2.5, 97.5), axis=0)
    assert elo_intervals(units, [START] * 5, seed, replays) == [
        pytest.approx(pair) for pair in zip(low, high, strict=True)
    ]


@given(st.lists(st.lists(tables(), min_size=1, max_size=6).map(tuple), min_size=1, max_size=12))
def test_a_replay_that_draws_every_unit_once_gives_the_live_ratings(units):
    ratings, every = np.zeros((PLAYERS + 1, 3)), np.arange(len(units))
    bootstrap._play(ratings, units, np.tile(every, (3, 1)).T, K * log(10) / SCALE)
    replayed = ratings / log(10) * SCALE + START
    live = elo([match for unit in units for match in unit], PLAYERS)
    assert replayed[:PLAYERS] == pytest.approx(np.tile(live, (3, 1)).T, abs=1e-9)
    assert replayed[PLAYERS].tolist() == [START] * 3  # nobody


def test_a_replay_draws_as_many_units_as_there_are_in_schedule_order(monkeypatch):
    monkeypatch.setattr(bootstrap, "_BLOCK", 16)
    rng = np.random.Generator(np.random.PCG64(1))
    seasons: list[list[int]] = [[] for _ in range(30)]
    for start, drawn in bootstrap._draws(rng, 50, 30):
        size = min(16, 50 - start)
        for replay, column in enumerate(drawn.T):
            seasons[replay] += [start + position for position in column if position < size]
    assert all(len(drawn) == 50 and drawn == sorted(drawn) for drawn in seasons)
    counts = np.bincount(np.concatenate(seasons), minlength=50)
    # 1,500 draws over 50 units: 30 each, standard deviation 5.4.
    assert counts.min() > 30 - 5 * 5.4
    assert counts.max() < 30 + 5 * 5.4


def test_the_same_seed_gives_the_same_interval_and_another_seed_another():
    units = season(60)
    assert elo_intervals(units, [START] * 5, 3, REPLAYS) == elo_intervals(
        units, [START] * 5, 3, REPLAYS
    )
    assert elo_intervals(units, [START] * 5, 3, REPLAYS) != elo_intervals(
        units, [START] * 5, 4, REPLAYS
    )


def test_intervals_lie_around_the_ratings_and_narrow_for_a_mirrored_pair():
    pairs = [(Duels((0, 1), (float(n % 2),)), Duels((1, 0), (float(n % 2),))) for n in range(200)]
    alone = [(match,) for pair in pairs for match in pair]
    rating = elo([match for pair in pairs for match in pair], 2)[0]
    (low, high), _ = elo_intervals(pairs, [START] * 2, 1, REPLAYS)
    (low_alone, high_alone), _ = elo_intervals(alone, [START] * 2, 1, REPLAYS)
    assert low_alone < low <= rating <= high < high_alone
    # Each pair is one win each: all luck, which the pair as the unit knows.
    assert (high - low) * 5 < high_alone - low_alone

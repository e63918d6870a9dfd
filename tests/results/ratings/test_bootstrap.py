from __future__ import annotations

import numpy as np
import pytest

from results.ratings import bootstrap
from results.ratings.bootstrap import elo_intervals
from results.ratings.duels import Duel, Unit
from results.ratings.elo import elo


def season(units: int, legs: int = 2) -> list[Unit]:
    """Units among five players, the higher index the stronger; every seventh lacks a leg."""
    rng = np.random.Generator(np.random.PCG64(5))
    made = []
    for number in range(units):
        first, second = sorted(rng.permutation(5)[:2].tolist())
        scores = rng.choice([0.0, 0.5, 1.0], p=[0.5, 0.2, 0.3], size=legs)
        unit = (Duel(first, second, scores[0]), *(Duel(second, first, 1 - s) for s in scores[1:]))
        made.append(unit if number % 7 else unit[:1])
    return made


@pytest.mark.parametrize("legs", [1, 2])
def test_lock_step_gives_what_replaying_one_by_one_gives(monkeypatch, legs):
    monkeypatch.setattr(bootstrap, "_BLOCK", 16)
    units, replays, seed = season(50, legs), 40, 11
    again = np.random.Generator(np.random.PCG64(seed))
    seasons: list[list[Duel]] = [[] for _ in range(replays)]
    for start, drawn in bootstrap._draws(again, len(units), replays):
        block = [*units[start : start + 16], ()]
        for step in drawn:
            for replay, position in enumerate(step):
                seasons[replay] += block[position]
    ends = np.array([elo(duels, 5) for duels in seasons])
    low, high = np.percentile(ends, (2.5, 97.5), axis=0)
    assert elo_intervals(units, 5, seed, replays) == [
        pytest.approx(pair) for pair in zip(low, high, strict=True)
    ]


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
    assert elo_intervals(units, 5, 3) == elo_intervals(units, 5, 3)
    assert elo_intervals(units, 5, 3) != elo_intervals(units, 5, 4)


def test_intervals_lie_around_the_ratings_and_narrow_for_a_mirrored_pair():
    pairs = [(Duel(0, 1, float(n % 2)), Duel(1, 0, float(n % 2))) for n in range(200)]
    alone = [(duel,) for pair in pairs for duel in pair]
    rating = elo([duel for pair in pairs for duel in pair], 2)[0]
    (low, high), _ = elo_intervals(pairs, 2, 1)
    (low_alone, high_alone), _ = elo_intervals(alone, 2, 1)
    assert low_alone < low <= rating <= high < high_alone
    # Each pair is one win each: all luck, which the pair as the unit knows.
    assert (high - low) * 5 < high_alone - low_alone

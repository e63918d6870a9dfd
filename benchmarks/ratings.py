"""Joint ratings: processor seconds of a fit with all covariances, and how honest its errors are.

    python benchmarks/ratings.py [PLAYERS RESULTS]        1000 and 1000000 by default

Results are mirrored pairs between random players, whose ratings have a standard deviation of 200
Elo; the legs of a pair share their luck in four of five deals.
"""

from __future__ import annotations

import sys
from time import process_time

import numpy as np
from arena_results.ratings.fitting import ELO
from arena_results.ratings.joint import fit, sum_results

SHARED = 0.8
"""Share of deals whose luck falls to the same seat in both legs."""


def measure(players: int, results: int, seat_effect: bool) -> None:
    rng, pairs = np.random.default_rng(3), results // 2
    truth = rng.normal(0, 200 / ELO, players)
    truth -= truth.mean()
    one = rng.integers(players, size=pairs)
    other = (one + 1 + rng.integers(players - 1, size=pairs)) % players
    chance = 1 / (1 + np.exp(truth[other] - truth[one]))
    luck = rng.random(pairs)
    again = np.where(rng.random(pairs) < SHARED, 1 - luck, rng.random(pairs))
    first, second = np.stack([one, other], 1).ravel(), np.stack([other, one], 1).ravel()
    scores = np.stack([luck < chance, again >= chance], axis=1).ravel() * 1.0
    start = process_time()
    sums = sum_results(players, first, second, scores, np.repeat(np.arange(pairs), 2))
    summed = process_time()
    found = fit(sums, seat_effect=seat_effect)
    fitted = process_time()
    off = np.abs(found.ratings - truth)
    print(
        f"{players:7} {results:9} {'yes' if seat_effect else 'no':>4} {summed - start:7.2f} "
        f"{fitted - summed:7.2f} {fitted - start:7.2f} {np.sqrt((off**2).mean()) * ELO:6.1f} "
        f"{(off < 1.96 * found.errors).mean():9.3f}",
        flush=True,
    )


def main() -> None:
    players, results = map(int, sys.argv[1:] or ("1000", "1000000"))
    print("players   results seat  sum, s  fit, s  all, s   rmse  coverage")
    for seat_effect in (False, True):
        measure(players, results, seat_effect)


if __name__ == "__main__":
    main()

"""Joint ratings: processor seconds of a fit with all covariances, and how honest its errors are.

    python -m benchmarks.ratings [PLAYERS RESULTS]        1000 and 1000000 by default

Results are mirrored pairs between random players, whose ratings have a standard deviation of 200
Elo; the legs of a pair share their luck in four of five deals. Then leaderboards of 200 populations
of each kind: the share of 95 % intervals that hold the truth, and of the pairs of bots that are in
the wrong order although their ranges of ranks do not allow it, which may be 2.5 % of those of equal
strength and fewer of others.
"""

from __future__ import annotations

import sys
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from subprocess import DEVNULL, run
from tempfile import TemporaryDirectory
from time import process_time

import numpy as np
from arena_results.ratings.fits.fitting import ELO, Floats, Whole
from arena_results.ratings.fits.joint import fit
from arena_results.ratings.intervals.ranking import errors_between

from arena.core.tournaments.rating import Z95
from benchmarks.summing import sum_results

SHARED = 0.8
"""Share of deals whose luck falls to the same seat in both legs."""
POPULATIONS = 200
KINDS = ((4, 200, 20), (8, 200, 20), (8, 20, 200), (8, 60, 50), (20, 100, 20), (20, 5, 50))
"""Populations: players, the standard deviation of their ratings, and deals a pairing."""


def played(
    rng: np.random.Generator, truth: Floats, one: Whole, other: Whole
) -> tuple[Whole, Whole, Floats, Whole]:
    """Plays a mirrored pair for each pairing that is given, for ``sum_results``."""
    pairs = len(one)
    chance = 1 / (1 + np.exp(truth[other] - truth[one]))
    luck = rng.random(pairs)
    again = np.where(rng.random(pairs) < SHARED, 1 - luck, rng.random(pairs))
    first, second = np.stack([one, other], 1).ravel(), np.stack([other, one], 1).ravel()
    scores = np.stack([luck < chance, again >= chance], axis=1).ravel() * 1.0
    return first, second, scores, np.repeat(np.arange(pairs), 2)


def measure(players: int, results: int, seat_effect: bool) -> None:
    """Prints the times of a fit, and how near it comes."""
    rng, pairs = np.random.default_rng(3), results // 2
    truth = rng.normal(0, 200 / ELO, players)
    truth -= truth.mean()
    one = rng.integers(players, size=pairs)
    other = (one + 1 + rng.integers(players - 1, size=pairs)) % players
    matches = played(rng, truth, one, other)
    start = process_time()
    sums = sum_results(players, *matches)
    summed = process_time()
    found = fit(sums, seat_effect=seat_effect)
    fitted = process_time()
    off = np.abs(found.ratings - truth)
    print(
        f"{players:7} {results:9} {'yes' if seat_effect else 'no':>4} {summed - start:7.2f} "
        f"{fitted - summed:7.2f} {fitted - start:7.2f} {np.sqrt((off**2).mean()) * ELO:6.1f} "
        f"{(off < Z95 * found.errors).mean():9.3f}",
        flush=True,
    )


def measure_file(players: int, results: int, pairs: bool) -> None:
    """Prints the processor time of ``arena rate`` of a CSV, from its start to its JSON."""
    rng = np.random.default_rng(3)
    one = rng.integers(players, size=results // 2)
    other = (one + 1 + rng.integers(players - 1, size=results // 2)) % players
    first, second, scores, deals = played(rng, rng.normal(0, 200 / ELO, players), one, other)
    columns = [np.char.mod("bot-%04d", first), np.char.mod("bot-%04d", second), scores.astype(int)]
    with TemporaryDirectory() as folder:
        path = Path(folder, "results.csv")
        lines = zip(*columns, *([deals] if pairs else []), strict=True)
        text = "\n".join(",".join(map(str, line)) for line in lines)
        path.write_text(f"player1,player2,score{',pair' if pairs else ''}\n{text}\n")
        size = path.stat().st_size / 1e6
        before = sum(getrusage(RUSAGE_CHILDREN)[:2])
        command = [sys.executable, "-c", "from arena.cli.app import main; main()"]
        run([*command, "rate", path, "-o", "json"], check=True, stdout=DEVNULL)
        seconds = sum(getrusage(RUSAGE_CHILDREN)[:2]) - before
    print(f"arena rate, {'with' if pairs else 'without'} pairs, {size:.0f} MB: {seconds:.2f} s")


def measure_boards(players: int, spread: float, deals: int) -> None:
    """Prints how honest the leaderboards of populations of a kind are."""
    rng = np.random.default_rng(7)
    one, other = (np.repeat(each, deals) for each in np.triu_indices(players, 1))
    held = wrong = ahead = 0
    for _ in range(POPULATIONS):
        truth = rng.normal(0, spread / ELO, players)
        truth -= truth.mean()
        sums = sum_results(players, *played(rng, truth, one, other))
        found = fit(sums, seat_effect=True)
        held += int((np.abs(found.ratings - truth) < Z95 * found.errors).sum())
        gaps = found.ratings[:, np.newaxis] - found.ratings
        sure = gaps > Z95 * errors_between(found.covariance.tolist())
        ahead += int(sure.sum())
        wrong += int((sure & (truth[:, np.newaxis] < truth)).sum())
    pairs = POPULATIONS * players * (players - 1) // 2
    print(
        f"{players:7} {spread:6} {deals:6} {held / POPULATIONS / players:9.3f} "
        f"{ahead / pairs:8.3f} {wrong / pairs:12.4f}",
        flush=True,
    )


def main() -> None:
    players, results = map(int, sys.argv[1:] or ("1000", "1000000"))
    print("players   results seat  sum, s  fit, s  all, s   rmse  coverage")
    for seat_effect in (False, True):
        measure(players, results, seat_effect)
    for pairs in (False, True):
        measure_file(players, results, pairs)
    print(f"{POPULATIONS} leaderboards of each kind, of mirrored pairs")
    print("players spread  deals  coverage  decided  wrong order")
    for kind in KINDS:
        measure_boards(*kind)


if __name__ == "__main__":
    main()

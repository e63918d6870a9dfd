"""Error rates and lengths of tests of a change, by simulated scores of mirrored pairs.

The law of a pair's points is that of ``stand(at=17)`` against ``stand(at=16)`` in Pazaak, tilted to
a true difference in Elo. RUNS runs a row (default 1,000). Tests without luck draw from real pairs
of these two, moved to the difference.
"""

from __future__ import annotations

import sys

import numpy as np
from arena_results.ratings.comparing.changes import Test, look, look_without_luck, read_test
from arena_results.ratings.comparing.sequential import Decision
from arena_results.ratings.systems.elo import expected
from arena_tournaments.play.schedule import MAX_TESTED

from arena.service.setup.until_tested import UntilTested, adjusted_scores_of
from benchmarks.luck import played_pairs

PAIRS = 3_000
"""Real pairs from which tests without luck draw; each takes 2 ms."""
LAW = np.array([0.052, 0.0, 0.86, 0.0, 0.088])
SCORES = np.linspace(0, 1, 5)
ELOS = (0.0, 5.5, 11.0)
TESTS = ("sprt(elo0=0,elo1=11,model=logistic)", "sequence")


def tilted(elo: float) -> np.ndarray:
    """Returns the law with the mean score of a difference in Elo, by exponential tilting."""
    mean, low, high = expected(elo, 0.0), -50.0, 50.0
    while high - low > 1e-12:
        middle = (low + high) / 2
        law = LAW * np.exp(middle * (SCORES - mean))
        law /= law.sum()
        low, high = (middle, high) if law @ SCORES < mean else (low, middle)
    return law


def played(test: Test, law: np.ndarray, random: np.random.Generator) -> tuple[Decision, int]:
    """Plays one test; returns its decision and the number of matches."""
    rule, counts, units = UntilTested(test, MAX_TESTED), np.zeros(5, int), 0
    while units < MAX_TESTED // 2:
        wave = min(rule.wave(units), MAX_TESTED // 2 - units)
        counts, units = counts + random.multinomial(wave, law), units + wave
        decision = look(test, counts.tolist()).decision
        if decision is not Decision.CONTINUE:
            break
    return decision, 2 * units


def played_without_luck(
    test: Test, elo: float, random: np.random.Generator, real: np.ndarray
) -> tuple[Decision, int]:
    """Plays one test by scores without luck; returns its decision and the number of matches.

    Args:
        real: Points and luck of the first bot in each match of the pairs; its luck has mean zero.
    """
    rule, units = UntilTested(test, MAX_TESTED, adjusted=True), 0
    points, luck = real
    points = points + expected(elo, 0.0) - points.mean()
    drawn = random.integers(len(points) // 2, size=MAX_TESTED // 2)
    legs = (2 * drawn[:, None] + [0, 1]).ravel()
    mine, lucky = points[legs].tolist(), luck[legs].tolist()
    while wave := rule.more(mine[: 2 * units], 2, lucky[: 2 * units]):
        units += wave // 2
    scores = adjusted_scores_of(mine[: 2 * units], lucky[: 2 * units], 2)
    return look_without_luck(test, scores).decision, 2 * units


def main(runs: int) -> None:
    """Prints a row for each test and true difference."""
    results, lucky, *_ = played_pairs("stand(at=17)", "stand(at=16)", PAIRS)
    points, luck = np.array(results) / 2 + 0.5, np.array(lucky) / 2
    real = np.stack([points, luck - luck.mean()])
    print("| test | true Elo | above | below | undecided | matches, mean | 95 % |")
    print("|---|---|---|---|---|---|---|")
    for text in TESTS:
        test, random = read_test(text), np.random.default_rng(12)
        for elo in ELOS:
            show(text, elo, [played(test, tilted(elo), random) for _ in range(runs)])
    for text in TESTS:
        test, random = read_test(text), np.random.default_rng(12)
        for elo in ELOS[0 if text.startswith("sprt") else 1 :]:  # equal bots never end
            ends = [played_without_luck(test, elo, random, real) for _ in range(runs)]
            show(f"{text} --adjusted", elo, ends)


def show(text: str, elo: float, ends: list[tuple[Decision, int]]) -> None:
    """Prints a row: the shares of decisions, and the numbers of matches."""
    lengths = [matches for _, matches in ends]
    shares = [
        sum(end is decision for end, _ in ends) / len(ends)
        for decision in (Decision.H1, Decision.H0, Decision.CONTINUE)
    ]
    cells = " | ".join(f"{share:.1%}" for share in shares)
    late = np.percentile(lengths, 95)
    print(f"| `{text}` | {elo:g} | {cells} | {np.mean(lengths):,.0f} | {late:,.0f} |", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000)

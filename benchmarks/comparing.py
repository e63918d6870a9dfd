"""Error rates and lengths of tests of a change, by simulated scores of mirrored pairs.

The law of a pair's points is that of ``stand(at=17)`` against ``stand(at=16)`` in Pazaak, tilted to
a true difference in Elo. RUNS runs a row (default 1,000).
"""

from __future__ import annotations

import sys

import numpy as np
from arena_results.ratings.changes import Test, look, read_test
from arena_results.ratings.elo import expected
from arena_results.ratings.sequential import Decision

from arena.service.tested import MOST_TESTED, UntilTested

LAW = np.array([0.052, 0.0, 0.86, 0.0, 0.088])
SCORES = np.linspace(0, 1, 5)
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
    rule, counts, units = UntilTested(test, MOST_TESTED), np.zeros(5, int), 0
    while units < MOST_TESTED // 2:
        wave = min(rule.wave(units), MOST_TESTED // 2 - units)
        counts, units = counts + random.multinomial(wave, law), units + wave
        decision = look(test, counts.tolist()).decision
        if decision is not Decision.CONTINUE:
            break
    return decision, 2 * units


def main(runs: int) -> None:
    """Prints a row for each test and true difference."""
    print("| test | true Elo | above | below | undecided | matches, mean | 95 % |")
    print("|---|---|---|---|---|---|---|")
    for text in TESTS:
        test, random = read_test(text), np.random.default_rng(12)
        for elo in (0.0, 5.5, 11.0):
            ends = [played(test, tilted(elo), random) for _ in range(runs)]
            lengths = [matches for _, matches in ends]
            shares = [
                sum(end is decision for end, _ in ends) / runs
                for decision in (Decision.H1, Decision.H0, Decision.CONTINUE)
            ]
            cells = " | ".join(f"{share:.1%}" for share in shares)
            late = np.percentile(lengths, 95)
            print(f"| `{text}` | {elo:g} | {cells} | {np.mean(lengths):,.0f} | {late:,.0f} |")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000)

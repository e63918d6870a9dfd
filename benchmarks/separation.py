"""Matches until ranks are separated, and how often ranks are called separated wrongly.

    python -m benchmarks.separation [RUNS]        tournaments of each kind, 20 by default

Run by ``make bench-stats``. Bots have known strengths; the legs of a mirrored pair share their luck
in four of five deals. Each tournament is looked at after every round, and ends when all ranks are
separated at 95 %: a round robin in cycles, one that has undecided neighbours alone play on, and an
adaptive one. Then tournaments of equals, where every separation is wrong.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from statistics import fmean
from time import process_time

import numpy as np
from arena_results.ratings.fits.fitting import ELO
from arena_results.ratings.fits.rounds import strengths
from arena_tournaments.formats.adaptive import Adaptive, UntilSeparated
from arena_tournaments.formats.round_robin import RoundRobin
from arena_tournaments.pairing.separation import Order, ordered

from arena.core.tournaments.format import Entrant, Format, PairingResult, Round, RoundResult

SHARED, GAMES, CONFIDENCE = 0.8, 4, 95.0
MAX_MATCHES = 400_000
"""Matches after which a tournament of different bots is given up."""
Random = np.random.Generator
Truth = Sequence[float]


def finish(made: Round, truth: Truth, rng: Random) -> RoundResult:
    """Plays a round."""
    results = []
    for pairing in made.pairings:
        one, other = pairing.seats
        chance = 1 / (1 + np.exp(truth[other] - truth[one]))
        luck = rng.random((GAMES // 2, 2))
        shared = rng.random(len(luck)) < SHARED
        luck[shared, 1] = 1 - luck[shared, 0]
        points = float((luck < chance).sum())
        results.append(PairingResult(pairing, (points, GAMES - points)))
    return RoundResult(made, tuple(results))


def is_wrong(order: Order, truth: Truth) -> bool:
    """Returns true if ranks are called separated although somebody below is no weaker."""
    values = [truth[index] for index in order.members]
    cuts = {*range(len(values) - 1)} - {*order.undecided}
    return any(max(values[rank + 1 :]) >= min(values[: rank + 1]) for rank in cuts)


def play(format: Format, rounds: int, truth: Truth, rng: Random) -> tuple[int, bool, bool]:
    """Plays a tournament; returns its matches, whether all was separated, and any of it wrongly."""
    played: list[RoundResult] = []
    field, wrong = [Entrant(str(number)) for number in range(len(truth))], False
    while made := format.next_round(field, played, rounds):
        played.append(finish(made, truth, rng))
        order = ordered(strengths(len(truth), played), range(len(truth)), CONFIDENCE)
        wrong = wrong or is_wrong(order, truth)
        if not order.undecided:
            break
    matches = GAMES * sum(len(past.round.pairings) for past in played)
    return matches, not order.undecided, wrong


def cycles(bots: int, most: int) -> Format:
    return RoundRobin()


def playing_on(bots: int, most: int) -> Format:
    return UntilSeparated(RoundRobin(), 1, CONFIDENCE, most, GAMES, strengths)


def adaptive(bots: int, most: int) -> Format:
    return Adaptive(CONFIDENCE, most, GAMES, strengths)


KINDS: dict[str, Callable[[int, int], Format]] = {
    "round robin": cycles,
    "round robin, until separated": playing_on,
    "adaptive": adaptive,
}


def spread(bots: int, rng: Random) -> Truth:
    """Strengths with gaps of 40 to 320 Elo, every size as frequent; in random initial order."""
    gaps = 40 * 8 ** rng.random(bots - 1) / ELO
    return list(rng.permutation(np.cumsum([0.0, *gaps])))


def measure(name: str, truths: Sequence[Truth], most: int) -> None:
    for kind, make in KINDS.items():
        began, found = process_time(), []
        for number, truth in enumerate(truths):
            rng = np.random.default_rng([2026, number])
            format, bots = make(len(truth), most), len(truth)
            pairings = bots * (bots - 1) // 2
            wanted = -(-most // (pairings * GAMES)) if kind == "round robin" else 1
            requested = None if kind == "adaptive" else wanted
            found.append(play(format, format.rounds(bots, requested), truth, rng))
        matches, done, wrong = (fmean(float(each[column]) for each in found) for column in range(3))
        seconds = (process_time() - began) / len(found)
        print(
            f"{name:24} {kind:29} {len(found):5} {matches:9.0f} {done:10.0%} {wrong:6.1%}"
            f" {seconds:8.1f}",
            flush=True,
        )


def main() -> None:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    rng = np.random.default_rng(12)
    heads = ("field", "kind", "runs", "matches", "separated", "wrong", "s a run")
    print("{:24} {:29} {:>5} {:>9} {:>10} {:>6} {:>8}".format(*heads))
    measure("8 bots, 40-320 Elo", [spread(8, rng) for _ in range(runs)], MAX_MATCHES)
    measure(
        "32 bots, 40-320 Elo", [spread(32, rng) for _ in range(max(1, runs // 10))], MAX_MATCHES
    )
    measure("4 equal bots", [[0.0] * 4] * (10 * runs), 400)
    measure("8 bots, equal in pairs", [[0, 0, 1, 1, 2, 2, 3, 3]] * (5 * runs), 1200)


if __name__ == "__main__":
    main()

"""The ladder: is each house bot as strong as claimed? Played on Pazaak's default rules.

    optimal >= hand-saver > counter > stand-at-17 > random        (search is claimed nowhere)

Neighbours meet in mirrored pairs: the same deal twice, seats swapped. The numbers of pairs stand
in ``CLAIMS``, fixed before play, so that nobody stops when he likes the figures. A claim is
*shown* when the whole 95 % interval of the Elo difference lies above 0, *contradicted* when it
lies below; the interval is the normal one over the pairs' scores.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from math import log10, sqrt
from multiprocessing import Pool
from statistics import fmean, stdev
from time import perf_counter
from typing import Any, NamedTuple

from arena.core.bot import Bot
from arena.core.outcome import RULE_ENDINGS
from arena.core.seeding import derive_seed
from arena.games.pazaak.game import Pazaak
from arena.host.inline import play_inline
from arena.match.clock import Limits
from bots.pazaak.careful_counter import CarefulCounter
from bots.pazaak.hand_saver import HandSaver
from bots.pazaak.optimal import Optimal
from bots.pazaak.stand_at import StandAt
from bots.search.information_set_mcts import InformationSetMcts
from bots.uniform_random import UniformRandom

SEED = 20_260_101
CHUNK = 50
Z95 = 1.959964

BOTS: dict[str, Callable[[], Bot[Any]]] = {
    "optimal": Optimal,
    "hand-saver": HandSaver,
    "counter": CarefulCounter,
    "stand(at=17)": StandAt,
    "random": UniformRandom,
    "search": InformationSetMcts,
}


class Claim(NamedTuple):
    """A stronger bot, a weaker one, what is claimed between them, and the pairs to be played."""

    strong: str
    weak: str
    word: str
    pairs: int


CLAIMS = (
    Claim("optimal", "hand-saver", ">=", 4_000),
    Claim("hand-saver", "counter", ">", 16_000),
    Claim("counter", "stand(at=17)", ">", 4_000),
    Claim("stand(at=17)", "random", ">", 4_000),
    Claim("search", "stand(at=17)", "?", 400),
)


def pair_scores(work: tuple[Claim, int, int]) -> list[float]:
    """Scores 0..1 of the stronger bot in these pairs of a claim."""
    claim, first, last = work
    game, limits = Pazaak(), Limits()
    ruleset = game.ruleset()
    scores = []
    for pair in range(first, last):
        seed = derive_seed(SEED, claim.strong, claim.weak, pair)
        points = 0.0
        for leg, names in enumerate(((claim.strong, claim.weak), (claim.weak, claim.strong))):
            makers = [BOTS[name] for name in names]
            private = derive_seed(seed, "leg", leg)
            record, measured = play_inline(game, ruleset, seed, private, makers, names, limits)
            if record.outcome.termination not in RULE_ENDINGS:
                raise RuntimeError(f"{names}: {record.outcome.reason}\n{measured.error}")
            points += (record.outcome.returns[leg] + 1) / 2
        scores.append(points / 2)
    return scores


def chunks(claim: Claim) -> Iterator[tuple[Claim, int, int]]:
    for first in range(0, claim.pairs, CHUNK):
        yield claim, first, min(first + CHUNK, claim.pairs)


def elo(score: float) -> float:
    """The Elo difference of an expected score; beyond 1200 it says nothing."""
    odds = min(max(score, 0.001), 0.999)
    return 400 * log10(odds / (1 - odds))


def verdict(claim: Claim, low: float, high: float) -> str:
    if claim.word == "?":
        return "no claim"
    return "shown" if low > 0 else "contradicted" if high < 0 else "not shown"


def main() -> int:
    began = perf_counter()
    print(f"{'claim':<28} {'pairs':>6} {'score':>7} {'Elo':>6} {'95 % interval':>16}  verdict")
    contradicted = False
    with Pool(os.cpu_count()) as workers:
        for claim in CLAIMS:
            parts = workers.imap(pair_scores, chunks(claim))
            scores = [score for part in parts for score in part]
            mean = fmean(scores)
            margin = Z95 * stdev(scores) / sqrt(len(scores))
            low, high = elo(mean - margin), elo(mean + margin)
            word = verdict(claim, low, high)
            contradicted |= word == "contradicted"
            name = f"{claim.strong} {claim.word} {claim.weak}"
            interval = f"{low:+.0f} .. {high:+.0f}"
            figures = f"{claim.pairs:>6} {mean:>7.1%} {elo(mean):>+6.0f} {interval:>16}"
            print(f"{name:<28} {figures}  {word}", flush=True)
    print(f"{perf_counter() - began:.0f} s; score and Elo are the first bot's, pairs are mirrored")
    return int(contradicted)


if __name__ == "__main__":
    sys.exit(main())

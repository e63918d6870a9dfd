"""The ladder: is each house bot as strong as claimed? Played on each game's first ruleset,
Sabacc also for chips (staged betting; of the best bot also all in and poker betting).

    Pazaak: optimal >= hand-saver > counter > stand-at-17 > random
    Sabacc: equity-bettor > exact-drawer > cautious-folder > target-total > random

``equity-bettor(match=false)`` plays for chips alone, and ``lead-folder`` is the same with six lines
more: it folds everything on a safe lead. ``most-bettor`` draws as exact-drawer does, folds on a
safe lead, and else always bets the most.

Search is claimed above counter, and for Sabacc's chips above target-total. In every deal the
stronger bot sits once in each seat and the weaker in all others: two seats are a mirrored pair.
The numbers of deals stand in ``CLAIMS``, so that nobody stops when he likes the figures; bots and
numbers were settled on other deals than those of ``SEED``. The score is the share of its
opponents that the stronger bot leaves behind, a tie half. A claim is *shown* when the whole 95 %
interval of the Elo difference lies above 0, *contradicted* when it lies below; the interval is
Student's over the deals' scores.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from functools import partial
from math import log10, sqrt
from multiprocessing import Pool
from statistics import fmean, stdev
from time import perf_counter
from typing import Any, NamedTuple

from arena_bots.pazaak.careful_counter import CarefulCounter
from arena_bots.pazaak.hand_saver import HandSaver
from arena_bots.pazaak.optimal import Optimal
from arena_bots.pazaak.stand_at import StandAt
from arena_bots.sabacc.cautious_folder import CautiousFolder
from arena_bots.sabacc.equity_bettor import EquityBettor
from arena_bots.sabacc.exact_drawer import ExactDrawer
from arena_bots.sabacc.match_chances import lead_is_safe
from arena_bots.sabacc.stakes import growing, stay
from arena_bots.sabacc.target_total import TargetTotal
from arena_bots.search.information_set_mcts import InformationSetMcts
from arena_bots.uniform_random import UniformRandom

from arena.core.bot import Bot
from arena.core.chance.seeding import derive_seed
from arena.core.game import AnyGame
from arena.core.outcome import RULE_ENDINGS
from arena.core.tournaments.rating import Z95
from arena.games.pazaak.game import Pazaak
from arena.games.sabacc.engine.actions import FOLD, SabaccAction
from arena.games.sabacc.engine.observation import SabaccObservation
from arena.games.sabacc.game import Sabacc
from arena.host.bot.inline import play_inline
from arena.match.limits import Limits

SEED = 20_261_121
CHUNK = 50
FEWEST = 30
"""Deals of the smallest claim: fewer say little about their own spread."""


class LeadFolder(EquityBettor):
    """Plays for chips, and folds everything as soon as the lead is safe."""

    def __init__(self) -> None:
        super().__init__(match=False)

    def act(self, observation: SabaccObservation) -> SabaccAction:
        return FOLD if lead_is_safe(observation) else super().act(observation)


class MostBettor(ExactDrawer):
    """Bets the most that it can, whatever it holds, and folds as soon as the lead is safe."""

    def act(self, observation: SabaccObservation) -> SabaccAction:
        return FOLD if lead_is_safe(observation) else super().act(observation)

    def bet(self, observation: SabaccObservation) -> SabaccAction:
        stakes = growing(observation)
        return stakes[-1] if stakes else stay(observation)


GAMES: dict[str, AnyGame] = {"pazaak": Pazaak(), "sabacc": Sabacc()}
BOTS: dict[str, Callable[[], Bot[Any]]] = {
    "optimal": Optimal,
    "hand-saver": HandSaver,
    "counter": CarefulCounter,
    "stand(at=17)": StandAt,
    "equity-bettor": EquityBettor,
    "equity-bettor(match=false)": partial(EquityBettor, match=False),
    "lead-folder": LeadFolder,
    "most-bettor": MostBettor,
    "exact-drawer": ExactDrawer,
    "cautious-folder": CautiousFolder,
    "target-total": TargetTotal,
    "random": UniformRandom,
    "search": InformationSetMcts,
}


class Table(NamedTuple):
    """The settings in which bots meet."""

    game: str
    ruleset: str
    seats: int


class Claim(NamedTuple):
    """A stronger bot, a weaker one, what is claimed between them, and the deals to be played."""

    strong: str
    weak: str
    word: str
    deals: int


CLAIMS: dict[Table, tuple[Claim, ...]] = {
    Table("pazaak", "standard", 2): (
        Claim("optimal", "hand-saver", ">=", 4_000),
        Claim("hand-saver", "counter", ">", 16_000),
        Claim("counter", "stand(at=17)", ">", 4_000),
        Claim("stand(at=17)", "random", ">", 4_000),
        Claim("search", "counter", ">", 400),
        Claim("search", "stand(at=17)", ">", 200),
    ),
    Table("sabacc", "old_republic", 2): (
        Claim("exact-drawer", "target-total", ">", 200),
        Claim("target-total", "random", ">", 200),
    ),
    Table("sabacc", "old_republic(mode=chips)", 2): (
        Claim("equity-bettor", "equity-bettor(match=false)", ">", 100),
        Claim("equity-bettor", "lead-folder", "?", 100),
        Claim("equity-bettor", "exact-drawer", ">", 60),
        Claim("exact-drawer", "cautious-folder", ">", 300),
        Claim("cautious-folder", "target-total", ">", 1_500),
        Claim("equity-bettor", "random", ">", FEWEST),
        Claim("exact-drawer", "random", ">", FEWEST),
        Claim("cautious-folder", "random", ">", 200),
        Claim("target-total", "random", ">", 200),
        Claim("search", "random", ">", FEWEST),
        Claim("search", "target-total", ">", 60),
    ),
    Table("sabacc", "old_republic(mode=chips,short_stack=all_in)", 2): (
        Claim("equity-bettor", "equity-bettor(match=false)", ">", 100),
    ),
    Table("sabacc", "old_republic(mode=chips,betting=poker)", 2): (
        Claim("equity-bettor", "equity-bettor(match=false)", ">", 100),
        Claim("equity-bettor", "most-bettor", ">", 300),
        Claim("equity-bettor", "exact-drawer", ">", 60),
    ),
    Table("sabacc", "old_republic(mode=chips)", 6): (
        Claim("equity-bettor", "exact-drawer", ">", FEWEST),
        Claim("exact-drawer", "cautious-folder", ">", FEWEST),
        Claim("cautious-folder", "target-total", ">", 400),
        Claim("equity-bettor", "random", ">", FEWEST),
        Claim("exact-drawer", "random", ">", FEWEST),
        Claim("cautious-folder", "random", ">", 50),
        Claim("target-total", "random", ">", 50),
    ),
}


def deal_scores(work: tuple[Table, Claim, int, int]) -> list[float]:
    """Scores 0..1 of the stronger bot in these deals of a claim."""
    table, claim, first, last = work
    game, limits = GAMES[table.game], Limits()
    ruleset = game.ruleset(table.ruleset)
    scores = []
    for deal in range(first, last):
        seed = derive_seed(SEED, claim.strong, claim.weak, deal)
        returns = 0.0
        for leg in range(table.seats):
            names = [claim.strong if seat == leg else claim.weak for seat in range(table.seats)]
            makers = [BOTS[name] for name in names]
            private = derive_seed(seed, "leg", leg)
            record, measured = play_inline(game, ruleset, seed, private, makers, names, limits)
            if record.outcome.termination not in RULE_ENDINGS or record.outcome.expelled:
                raise RuntimeError(f"{names}: {record.outcome.reason}\n{measured.error}")
            returns += record.outcome.returns[leg]
        scores.append((returns / table.seats + 1) / 2)
    return scores


def chunks(table: Table, claim: Claim) -> Iterator[tuple[Table, Claim, int, int]]:
    step = min(CHUNK, -(-claim.deals // 10))
    for first in range(0, claim.deals, step):
        yield table, claim, first, min(first + step, claim.deals)


def student95(freedom: int) -> float:
    """The 97.5 % point of Student's distribution, to 0.01 from 5 degrees of freedom on.

    Source: Abramowitz and Stegun, Handbook of Mathematical Functions (1964), 26.7.5.
    """
    z = Z95
    first = (z**3 + z) / (4 * freedom)
    return z + first + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)


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
    contradicted = False
    with Pool(os.cpu_count()) as workers:
        for table, claims in CLAIMS.items():
            print(f"{table.game} {table.ruleset}, {table.seats} seats")
            print(
                f"{'claim':<42} {'deals':>6} {'score':>7} {'Elo':>6} {'95 % interval':>16}  verdict"
            )
            for claim in claims:
                parts = workers.imap(deal_scores, chunks(table, claim))
                scores = [score for part in parts for score in part]
                mean = fmean(scores)
                margin = student95(len(scores) - 1) * stdev(scores) / sqrt(len(scores))
                low, high = elo(mean - margin), elo(mean + margin)
                word = verdict(claim, low, high)
                contradicted |= word == "contradicted"
                name = f"{claim.strong} {claim.word} {claim.weak}"
                interval = f"{low:+.0f} .. {high:+.0f}"
                figures = f"{claim.deals:>6} {mean:>7.1%} {elo(mean):>+6.0f} {interval:>16}"
                print(f"{name:<42} {figures}  {word}", flush=True)
    print(f"{perf_counter() - began:.0f} s; score and Elo are the first bot's")
    return int(contradicted)


if __name__ == "__main__":
    sys.exit(main())

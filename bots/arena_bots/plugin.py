"""Registers the house bots as any extension does; listing them imports none of them."""

from __future__ import annotations

from collections.abc import Iterable

from arena.plugins.entries import BotEntry
from arena.plugins.hookspecs import hookimpl

HOUSE_BOTS = (
    BotEntry(
        name="random",
        target="arena_bots.uniform_random:UniformRandom",
        summary="Any legal action, all equally likely.",
    ),
    BotEntry(
        name="stand",
        target="arena_bots.pazaak.stand_at:StandAt",
        summary="Stands at a fixed total, 17 by default: stand(at=17).",
        games=("pazaak",),
    ),
    BotEntry(
        name="counter",
        target="arena_bots.pazaak.careful_counter:CarefulCounter",
        summary="Counts the cards seen and knows the exact odds of busting and winning.",
        games=("pazaak",),
    ),
    BotEntry(
        name="hand-saver",
        target="arena_bots.pazaak.hand_saver:HandSaver",
        summary="Spends its four hand cards only where a set is worth them.",
        games=("pazaak",),
    ),
    BotEntry(
        name="optimal",
        target="arena_bots.pazaak.optimal:Optimal",
        summary="Plays the set by exact dynamic programming.",
        games=("pazaak",),
    ),
    BotEntry(
        name="target-total",
        target="arena_bots.sabacc.target_total:TargetTotal",
        summary="Draws below a fixed strength, 18 by default: target-total(at=18).",
        games=("sabacc",),
    ),
    BotEntry(
        name="cautious-folder",
        target="arena_bots.sabacc.cautious_folder:CautiousFolder",
        summary="A target-total that leaves weak hands early and puts the least.",
        games=("sabacc",),
    ),
    BotEntry(
        name="exact-drawer",
        target="arena_bots.sabacc.exact_drawer:ExactDrawer",
        summary="Draws and exchanges by the exact odds of improving.",
        games=("sabacc",),
    ),
    BotEntry(
        name="equity-bettor",
        target="arena_bots.sabacc.equity_bettor:EquityBettor",
        summary="Bets by its share of the pot over sampled worlds: equity-bettor(samples=24).",
        games=("sabacc",),
    ),
    BotEntry(
        name="search",
        target="arena_bots.search.information_set_mcts:InformationSetMcts",
        summary="Information-set Monte Carlo tree search; plays any game.",
    ),
)


@hookimpl
def arena_bots() -> Iterable[BotEntry]:
    """The house bots, weakest first within each game."""
    return HOUSE_BOTS

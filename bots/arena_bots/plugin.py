"""Registers the built-in bots as any extension does; listing them imports none of them."""

from __future__ import annotations

from collections.abc import Iterable

from arena.plugins.entries import BotEntry


def _entry(name: str, target: str, level: int, summary: str, *games: str) -> BotEntry:
    return BotEntry(
        name=name, target=f"arena_bots.{target}", summary=summary, games=games, level=level
    )


HOUSE_BOTS = (
    _entry("random", "uniform_random:UniformRandom", 1, "Any legal action, all equally likely."),
    _entry(
        "stand", "pazaak.stand_at:StandAt", 2,
        "Stands at a fixed total, 17 by default: stand(at=17).", "pazaak",
    ),
    _entry(
        "counter", "pazaak.careful_counter:CarefulCounter", 4,
        "Counts the cards seen and knows the exact odds of busting and winning.", "pazaak",
    ),
    _entry(
        "hand-saver", "pazaak.hand_saver:HandSaver", 3,
        "Spends its four hand cards only where a set is worth them.", "pazaak",
    ),
    _entry(
        "optimal", "pazaak.optimal:Optimal", 5,
        "Plays the set by exact dynamic programming.", "pazaak",
    ),
    _entry(
        "target-total", "sabacc.target_total:TargetTotal", 2,
        "Draws below a fixed strength, 18 by default: target-total(at=18).", "sabacc",
    ),
    _entry(
        "cautious-folder", "sabacc.cautious_folder:CautiousFolder", 3,
        "A target-total that leaves weak hands early and puts the least.", "sabacc",
    ),
    _entry(
        "exact-drawer", "sabacc.exact_drawer:ExactDrawer", 3,
        "Draws and exchanges by the exact odds of improving.", "sabacc",
    ),
    _entry(
        "equity-bettor", "sabacc.equity_bettor:EquityBettor", 4,
        "Bets by its share of the pot over sampled worlds: equity-bettor(samples=24).", "sabacc",
    ),
    _entry(
        "search", "search.information_set_mcts:InformationSetMcts", 4,
        "Information-set Monte Carlo tree search; plays any game.",
    ),
)  # fmt: skip


def arena_bots() -> Iterable[BotEntry]:
    """The built-in bots, weakest first within each game."""
    return HOUSE_BOTS

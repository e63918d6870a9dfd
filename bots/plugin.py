"""The house bots, registered like a stranger's extension; listing them imports none of them."""

from __future__ import annotations

from collections.abc import Iterable

from arena.plugins.entries import BotEntry
from arena.plugins.hookspecs import hookimpl

HOUSE_BOTS = (
    BotEntry(
        name="random",
        target="bots.uniform_random:UniformRandom",
        summary="Any legal action, all equally likely.",
    ),
    BotEntry(
        name="stand",
        target="bots.pazaak.stand_at:StandAt",
        summary="Stands at a fixed total, 17 unless told: stand(at=17).",
        games=("pazaak",),
    ),
    BotEntry(
        name="counter",
        target="bots.pazaak.careful_counter:CarefulCounter",
        summary="Counts the cards seen and knows the exact odds of busting and winning.",
        games=("pazaak",),
    ),
    BotEntry(
        name="hand-saver",
        target="bots.pazaak.hand_saver:HandSaver",
        summary="Spends its four hand cards only where a set is worth them.",
        games=("pazaak",),
    ),
    BotEntry(
        name="optimal",
        target="bots.pazaak.optimal:Optimal",
        summary="Plays the set by exact dynamic programming.",
        games=("pazaak",),
    ),
    BotEntry(
        name="search",
        target="bots.search.information_set_mcts:InformationSetMcts",
        summary="Information-set Monte Carlo tree search; plays any game.",
    ),
)


@hookimpl
def arena_bots() -> Iterable[BotEntry]:
    """The house bots, weakest first."""
    return HOUSE_BOTS

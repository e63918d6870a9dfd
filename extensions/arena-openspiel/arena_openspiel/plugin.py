"""The extension: games of OpenSpiel, and its bots."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from arena.plugins.entries import BotEntry

if TYPE_CHECKING:
    from arena_openspiel.game import SpielGame


REWARDED = ("cribbage",)
"""Games with rewards before the end, which OpenSpiel's UCT refuses."""


def arena_games() -> Iterable[SpielGame]:
    """Returns the games of OpenSpiel that can be played; OpenSpiel itself is not imported."""
    from arena_openspiel.games import all_games

    return all_games()


def arena_bots() -> Iterable[BotEntry]:
    """Returns OpenSpiel's bots; none of them is imported."""
    from arena_openspiel.catalogue import catalogue

    names = tuple(catalogue())
    at_the_end = tuple([name for name in names if name not in REWARDED])

    def entry(
        name: str, kind: str, summary: str, *needs: str, games: tuple[str, ...] = names
    ) -> BotEntry:
        target = f"arena_openspiel.bots:{kind}"
        return BotEntry(name=name, target=target, summary=summary, games=games, needs=needs)

    return [
        entry("spiel-random", "UniformRandom", "OpenSpiel's uniform random bot."),
        entry(
            "spiel-ismcts",
            "InformationSetSearch",
            "OpenSpiel's IS-MCTS: spiel-ismcts(simulations=100).",
        ),
        entry(
            "spiel-uct",
            "SampledUct",
            "OpenSpiel's UCT in sampled worlds: spiel-uct(worlds=20, simulations=100).",
            games=at_the_end,
        ),
        entry(
            "spiel-policy",
            "TabularPolicy",
            "A policy of OpenSpiel from a file: spiel-policy(file=policy.json).",
            "file",
        ),
        entry(
            "spiel-cfr",
            "CfrAverage",
            "The average policy of CFR+: spiel-cfr(game=leduc_poker, iterations=100).",
            "game",
        ),
    ]

"""Names of bots and rulesets with parameters, as they are typed on the command line."""

from __future__ import annotations

import pytest

from arena.core.parsing import parse_call
from arena.plugins.registry import Registry
from tests.fuzz.fuzzing import WORDS, fuzz

BOTS = (
    "random",
    "stand(at=17)",
    "search(iterations=8)",
    "target-total(target=21)",
    "stand(at = 17 ) ",
    "cautious@1.0(at=3)",
    'optimal(name="a b",rate=-0.5,on=true)',
)
RULESETS = {
    "pazaak": (
        "standard",
        "standard(flip=negate_positive,max_sets=9)",
        'console(deck="+1 +2 -1 -2 ±1 ±2 ±3 D ±1T 2&4")',
        "table(collection_size=10..25)",
        "standard(side_deck_size=10,max_copies=0)",
        'wiki(collection="+1 +1 +2 +3 +4 +5 +6 -1 -2 -3 -4",tiebreaker_both=tie)',
    ),
    "sabacc": (
        "old_republic",
        "old_republic(mode=chips,hands=6,stack=50,ante=2,cap=0)",
        "variable(dice=true,tick_every=orbit,slips=eight)",
        "corellian(mode=points,target=0,hands=3,bonus=off)",
        "card_exchange(discards=reshuffled,betting=staged)",
    ),
}


@pytest.fixture(scope="module")
def registry() -> Registry:
    return Registry()


def test_names_of_bots_are_read_or_refused(registry):
    def resolve(text: str) -> None:
        parse_call(text)
        registry.resolve_bot(text)

    fuzz("bots", BOTS, resolve, (*WORDS, ".py", "@", "at=", "stand", "file.py:Bot"))


@pytest.mark.parametrize("game", RULESETS)
def test_names_of_rulesets_are_read_or_refused(registry, game):
    found = registry.game(game)
    words = ("..", "10..25", "=true", "mode=", "chips", "variable", "deck=", "±1T", "orbit")
    fuzz(f"rulesets of {game}", RULESETS[game], found.ruleset, (*WORDS, *words))

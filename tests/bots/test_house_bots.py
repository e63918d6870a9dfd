"""Properties of every house bot, tested in real matches."""

from functools import partial
from typing import Literal, get_args, get_origin, get_type_hints

import pytest
from arena_bots.pazaak.careful_counter import CarefulCounter
from arena_bots.pazaak.hand_saver import HandSaver
from arena_bots.pazaak.optimal import Optimal
from arena_bots.pazaak.stand_at import StandAt
from arena_bots.search.information_set_mcts import InformationSetMcts
from arena_bots.uniform_random import UniformRandom
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.core.outcome import RULE_ENDINGS
from arena.core.text.parsing import format_call
from arena.games.pazaak.engine.rulesets import PazaakRules
from arena.games.pazaak.engine.side_decks import READY_MADE
from tests.bots.play import play, score
from tests.sizes import volume

QUICK_SEARCH = partial(InformationSetMcts, iterations=6, worlds=3)
BOTS = {
    "random": UniformRandom,
    "stand": StandAt,
    "counter": CarefulCounter,
    "hand-saver": HandSaver,
    "optimal": Optimal,
    "search": QUICK_SEARCH,
}


def odd_options():
    """Any option of the ruleset that has named choices, and some that have numbers."""
    chosen = {"max_sets": st.sampled_from([0, 1, 2, 25])}
    for field, hint in get_type_hints(PazaakRules).items():
        if hint is bool:
            chosen[field] = st.booleans()
        elif get_origin(hint) is Literal and field != "card_set":
            chosen[field] = st.sampled_from(get_args(hint))
    decks = st.one_of(
        st.fixed_dictionaries({"deck": st.sampled_from(sorted(READY_MADE))}),
        st.fixed_dictionaries({"max_copies": st.sampled_from([1, 4])}),
        st.fixed_dictionaries({"card_set": st.sampled_from(["signed", "without_one_or_two"])}),
    )
    rest = st.fixed_dictionaries({}, optional=chosen)
    return st.builds(lambda deck, others: {**deck, **others}, decks, rest)


@settings(max_examples=volume(20, everyday=3), deadline=None)
@given(odd_options(), st.permutations(sorted(BOTS)), st.integers(0, 2**62))
def test_no_bot_breaks_a_match_under_any_option(options, names, seed):
    ruleset = format_call("standard", options)
    for pair in (names[:2], names[2:4], names[4:]):
        record, measured = play([BOTS[name] for name in pair], seed, ruleset)
        assert record.outcome.termination in RULE_ENDINGS, (pair, ruleset, measured.error)


@pytest.mark.parametrize("ruleset", ["standard", "wiki", "console", "kotor1", "table"])
@pytest.mark.parametrize("name", sorted(BOTS))
@pytest.mark.thorough(
    "other rulesets; random options are played every day", everyday=["*-standard", "*-kotor1"]
)
def test_every_bot_plays_every_named_ruleset(name, ruleset):
    for seed in range(4):
        record, measured = play((BOTS[name], UniformRandom), seed, ruleset)
        assert record.outcome.termination in RULE_ENDINGS, measured.error


@pytest.mark.parametrize("name", sorted(BOTS))
def test_one_seed_gives_one_match(name):
    makers = (BOTS[name], UniformRandom)
    assert play(makers, 11)[0] == play(makers, 11)[0]


@pytest.mark.parametrize(
    ("strong", "weak", "least"),
    [
        ("stand", "random", 0.6),
        ("counter", "stand", 0.8),
        ("optimal", "hand-saver", 0.7),
        ("search", "random", 0.7),
    ],
)
def test_the_ladders_wide_steps_show_in_few_matches(strong, weak, least):
    assert score(BOTS[strong], BOTS[weak], pairs=40) > least

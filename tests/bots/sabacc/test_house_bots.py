"""Properties of every house bot that plays Sabacc, tested in real matches."""

from functools import partial
from typing import Literal, get_args, get_origin, get_type_hints

import pytest
from arena_bots.sabacc.cautious_folder import CautiousFolder
from arena_bots.sabacc.equity_bettor import EquityBettor
from arena_bots.sabacc.exact_drawer import ExactDrawer
from arena_bots.sabacc.target_total import TargetTotal
from arena_bots.search.information_set_mcts import InformationSetMcts
from arena_bots.uniform_random import UniformRandom
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.core.errors import ParseError
from arena.core.outcome import RULE_ENDINGS
from arena.core.text.parsing import format_call
from arena.games.sabacc.cards.rulesets import RULESETS, SabaccRules
from tests.bots.sabacc.play import CHIPS, SABACC, play, score
from tests.sizes import volume

BOTS = {
    "random": UniformRandom,
    "target-total": TargetTotal,
    "cautious-folder": CautiousFolder,
    "exact-drawer": ExactDrawer,
    "equity-bettor": partial(EquityBettor, samples=4),
    "search": partial(InformationSetMcts, iterations=4, worlds=2),
}
MODES = (
    {},
    {"mode": "chips"},
    {"mode": "chips", "betting": "alternating"},
    {"mode": "chips", "betting": "poker"},
    {"mode": "points", "target": 0},
)


def play_without_faults(makers, seed, ruleset):
    record, measured = play(makers, seed, ruleset)
    assert record.outcome.termination in RULE_ENDINGS, (ruleset, measured.error)
    assert not record.outcome.expelled, (ruleset, measured.error)
    return record


@pytest.mark.parametrize("row", sorted(RULESETS))
@pytest.mark.parametrize("mode", MODES, ids=str)
@pytest.mark.thorough("each ruleset is played in one way every day", everyday=["*poker*"])
def test_every_bot_plays_every_ruleset_in_every_mode(row, mode):
    play_without_faults([*BOTS.values()], 7, format_call(row, {**mode, "hands": 1}))


def options():
    """A mode, and any of the options that have named choices."""
    chosen = {}
    for field, hint in get_type_hints(SabaccRules).items():
        if hint is bool:
            chosen[field] = st.booleans()
        elif get_origin(hint) is Literal and field not in ("variant", "mode", "betting"):
            chosen[field] = st.sampled_from(get_args(hint))
    rest = st.fixed_dictionaries({}, optional=chosen)
    return st.builds(lambda mode, others: {**others, **mode}, st.sampled_from(MODES), rest)


@settings(max_examples=volume(25, everyday=4), deadline=None)
@given(options(), st.permutations(sorted(BOTS)), st.integers(2, 6), st.integers(0, 2**50))
def test_no_bot_breaks_a_match_under_any_option(options, names, seats, seed):
    ruleset = format_call("old_republic", {**options, "hands": 1})
    try:
        SABACC.ruleset(ruleset)
    except ParseError:
        return  # options that exclude each other
    play_without_faults([BOTS[name] for name in names[:seats]], seed, ruleset)


@pytest.mark.parametrize("name", sorted(BOTS))
def test_one_seed_gives_one_match(name):
    makers = (BOTS[name], UniformRandom, BOTS[name])
    ruleset = "card_exchange(mode=chips,hands=2)"
    assert play(makers, 11, ruleset)[0] == play(makers, 11, ruleset)[0]


def test_a_purse_without_a_cap_on_puts_is_played_out():
    makers = [BOTS["search"], BOTS["equity-bettor"]]
    play_without_faults(makers, 3, "old_republic(mode=chips,cap=0,stack=3000,hands=2)")


@pytest.mark.parametrize(
    ("strong", "weak", "ruleset", "deals", "least"),
    [
        ("target-total", "random", "old_republic", 20, 0.75),
        ("cautious-folder", "random", CHIPS, 20, 0.8),
        ("exact-drawer", "random", CHIPS, 6, 0.8),
        ("equity-bettor", "exact-drawer", CHIPS, 12, 0.6),
        ("search", "random", CHIPS, 8, 0.6),
    ],
)
@pytest.mark.thorough("other steps", everyday=["cautious-folder*", "exact-drawer*"])
def test_the_ladders_wide_steps_show_in_few_deals(strong, weak, ruleset, deals, least):
    search = partial(InformationSetMcts, iterations=24, worlds=4)
    makers = {**BOTS, "search": search, "equity-bettor": EquityBettor}
    assert score(makers[strong], makers[weak], deals, ruleset) > least

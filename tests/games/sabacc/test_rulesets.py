"""Section 2 as rulesets; a refused combination of options names both."""

import pytest

from arena.core.errors import ParseError, UnknownName
from arena.games.sabacc.cards.rulesets import RULESETS
from arena.games.sabacc.cards.variants import VARIANTS
from tests.games.sabacc.play import SABACC


def test_nine_variants_and_two_ways_to_change_them():
    assert [*RULESETS] == [*VARIANTS, "card_exchange", "variable"]
    assert RULESETS["card_exchange"].dice
    assert RULESETS["variable"].variable
    assert all(RULESETS[name].row is row for name, row in VARIANTS.items())


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("target=500", ["target=500", "mode=points", "mode=showdown"]),
        ("mode=chips,target=500", ["target=500", "mode=points", "mode=chips"]),
        ("mode=chips,max_hands=5", ["max_hands=5", "mode=points", "mode=chips"]),
        ("stack=50", ["stack=50", "mode=chips", "mode=showdown"]),
        ("ante=2", ["ante=2", "mode=chips"]),
        ("mode=points,cap=2", ["cap=2", "mode=chips", "mode=points"]),
        ("betting=poker", ["betting=poker", "mode=chips"]),
        ("max_raises=2", ["max_raises=2", "mode=chips"]),
        ("short_stack=all_in", ["short_stack=all_in", "mode=chips"]),
        ("mode=points,hands=3", ["hands=3", "target=0", "target=1000"]),
        ("mode=points,target=0,max_hands=9", ["max_hands=9", "target"]),
        ("tick_every=3", ["tick_every=3", "dice=true", "variable=true"]),
        ("tick_every=orbit", ["tick_every=orbit", "dice=true", "variable=true"]),
        ("slips=eight", ["slips=eight", "variable=true", "variable=false"]),
        ("dice=true,slip_return=kept_out", ["slip_return=kept_out", "variable=true"]),
        ("mode=chips,betting=alternating,max_raises=2", ["max_raises=2", "alternating", "poker"]),
        ("mode=chips,ante=9,cap=8", ["cap=8", "ante=9"]),
        ("mode=chips,ante=9,stack=8", ["stack=8", "ante=9"]),
        ("variant=imperial", ["variant=imperial", "old_republic"]),
    ],
)
def test_an_impossible_combination_names_both_options(options, words):
    with pytest.raises(ParseError) as refused:
        SABACC.ruleset(f"old_republic({options})")
    assert [word for word in words if word not in str(refused.value)] == []
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("options", "least", "most"),
    [
        ("hands={}", 1, 1000),
        ("mode=points,target={}", 0, 1_000_000),
        ("mode=points,max_hands={}", 1, 10_000),
        ("mode=chips,stack={}", 1, 1_000_000),
        ("mode=chips,cap=0,stack=10000,ante={}", 1, 10_000),
        ("mode=chips,cap={}", 0, 10_000),
        ("mode=chips,max_raises={}", 1, 100),
        ("dice=true,tick_every={}", 1, 1000),
    ],
)
def test_every_number_has_its_range(options, least, most):
    for number in (least, most):
        SABACC.ruleset(f"old_republic({options.format(number)})")
    for number in (least - 1, most + 1):
        with pytest.raises(ParseError, match=rf"must lie within {least}..{most}, not {number}"):
            SABACC.ruleset(f"old_republic({options.format(number)})")


def test_an_unknown_variant_or_option_is_refused_with_the_choices():
    with pytest.raises(UnknownName, match=r"sith_empire.*old_republic"):
        SABACC.ruleset("sith_empire")
    with pytest.raises(UnknownName, match=r"pokre.*staged"):
        SABACC.ruleset("old_republic(mode=chips,betting=pokre)")
    with pytest.raises(UnknownName, match=r"wager.*ante"):
        SABACC.ruleset("old_republic(wager=3)")


@pytest.mark.parametrize("mode", ["showdown", "chips", "points"])
@pytest.mark.parametrize("variant", VARIANTS)
def test_modes_dice_and_slips_combine_with_every_variant(variant, mode):
    rules = SABACC.ruleset(f"{variant}(mode={mode},dice=true,variable=true,tick_every=phase)")
    assert (rules.row, rules.mode, rules.dice, rules.variable) == (
        VARIANTS[variant], mode, True, True,
    )  # fmt: skip


def test_the_spelling_of_a_ruleset_reads_back():
    rules = SABACC.ruleset("mos_eisley(mode=chips,betting=poker,cap=5)")
    assert SABACC.ruleset(rules.name) == rules

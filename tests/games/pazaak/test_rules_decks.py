"""Sections 1.2, 5 and 8: main decks, side decks, and the rows of options."""

from collections import Counter

import pytest

from arena.core.errors import IllegalLoadout, ParseError, UnknownName
from arena.games.pazaak.engine import rules
from arena.games.pazaak.engine.cards import DECK_CARDS, FORTY, Card, card_named, cards_named
from arena.games.pazaak.engine.rulesets import RULESETS
from arena.games.pazaak.engine.side_decks import LADDER, LEVELS, READY_MADE
from tests.games.pazaak.table import PAZAAK, Table

TEN = "+1 +2 +3 +4 +5 -1 -2 -3 -4 -5"


def accepted(names, spelling="standard"):
    ruleset = PAZAAK.ruleset(spelling)
    return PAZAAK.loadouts.text(PAZAAK.loadouts.accept(ruleset, cards_named(names)))


def refused(names, spelling, why):
    with pytest.raises(IllegalLoadout, match=why):
        accepted(names, spelling)


def test_s5_s6_the_main_deck_is_four_of_each_1_to_10():
    assert Counter(rules.main_deck(PAZAAK.ruleset())) == dict.fromkeys(range(1, 11), 4)


def test_c4_shared_cards_on_either_table_are_out_of_the_deck():
    odds = {a.value: odd for a, odd in Table(a="7 7", b="7 3").state.chance_outcomes()}
    assert odds[7] * 36 == 1
    assert odds[3] * 36 == 3


def test_a15_forty_each_counts_only_the_own_table():
    table = Table("standard(main_deck=forty_each)", a="7 7", b="7 3")
    odds = {a.value: odd for a, odd in table.state.chance_outcomes()}
    assert odds[7] * 38 == 2
    assert odds[3] * 38 == 4


def test_c4_infinite_never_changes():
    odds = Table("standard(main_deck=infinite)", a="7 7 7 7").state.chance_outcomes()
    assert {odd.denominator for _, odd in odds} == {10}
    assert len(odds) == 10


def test_a_turned_or_doubled_deck_card_still_left_the_deck_as_itself():
    table = Table("wiki", a="4", b="1", hands=("D", "")).draw(5).do("play D", "end turn")
    odds = {a.value: odd for a, odd in table.state.chance_outcomes()}
    assert odds[5] * 37 == 3


def test_s8_exactly_ten_cards():
    assert accepted(TEN).split() == TEN.split()
    refused(TEN + " +6", "standard", "has 10 cards, not 11")
    refused(TEN[3:], "standard", "has 10 cards, not 9")


def test_c3_the_literal_reading_allows_10_to_25():
    spelling = 'standard(side_deck_size="10..25")'
    assert len(accepted(TEN + " +1" * 15, spelling).split()) == 25
    refused(TEN + " +1" * 16, spelling, "10 to 25 cards, not 26")


def test_a14_copies_are_free_unless_capped():
    assert accepted("D " * 10).split() == ["D"] * 10
    refused("+1 " * 5 + TEN[:14], "standard(max_copies=4)", r"5 of card \+1|6 of card \+1")
    refused("D D " + TEN[:23], "standard(max_gold_copies=1)", "2 of card D, but at most 1")
    assert accepted("+1 " * 10, "standard(max_gold_copies=1)")


def test_c15_kinds_must_exist():
    refused("±1/2 " + TEN[:26], "console", "card ±1/2 does not exist in ruleset console")
    refused("D " + TEN[:26], "table", "card D does not exist")


def test_s10_a_collection_limits_kinds_and_copies():
    spelling = f'standard(collection="{TEN} D D")'
    assert accepted("D D " + TEN[:23], spelling)
    refused("D D D " + TEN[:20], spelling, "3 of card D, but the collection has 2")
    refused("+6 " + TEN[:26], spelling, r"1 of card \+6, but the collection has 0")


def test_c3_table_collections_have_10_to_25_cards():
    with pytest.raises(ParseError, match=r"the collection has 26 cards, not 10\.\.25"):
        PAZAAK.ruleset(f'table(collection="{"+1 " * 26}")')
    assert PAZAAK.ruleset(f'table(collection="{"+1 " * 25}")').name


def test_with_a_fixed_deck_no_loadout_is_requested():
    ruleset = PAZAAK.ruleset('standard(deck="very-hard")')
    assert PAZAAK.loadouts.offer(ruleset, 0) is None
    assert PAZAAK.loadouts.text(PAZAAK.loadouts.accept(ruleset, None)).split()[0] == "±1/2"
    with pytest.raises(IllegalLoadout, match="hands every bot the same"):
        PAZAAK.loadouts.accept(ruleset, cards_named(TEN))


def test_a_fixed_deck_may_be_spelled_out():
    ruleset = PAZAAK.ruleset(f'standard(deck="{TEN}")')
    assert [card.name for card in ruleset.fixed_deck] == TEN.split()


def test_the_offer_names_sizes_and_choice():
    offer = PAZAAK.loadouts.offer(PAZAAK.ruleset("console"), 1)
    assert (offer.seat, offer.sizes, offer.unlimited) == (1, (10, 10), True)
    assert len(offer.catalogue) == 22
    owned = PAZAAK.loadouts.offer(PAZAAK.ruleset(f'standard(collection="{TEN} D D")'), 0)
    assert not owned.unlimited
    assert [card.name for card in owned.catalogue].count("D") == 2


@pytest.mark.parametrize(
    "spelling",
    [
        *RULESETS,
        "standard(max_copies=1)",
        'standard(side_deck_size="12..25")',
        f'standard(collection="{"D " * 9}+1 2&4")',
        'kotor1(deck="easy")',
    ],
)
def test_the_default_deck_is_legal(spelling):
    ruleset = PAZAAK.ruleset(spelling)
    loadout = PAZAAK.loadouts.accept(ruleset, None)
    names = cards_named(PAZAAK.loadouts.text(loadout))
    assert PAZAAK.loadouts.accept(ruleset, names) == loadout


def test_the_order_of_a_loadouts_cards_does_not_matter():
    ruleset = PAZAAK.ruleset()
    cards = cards_named(TEN)
    assert PAZAAK.loadouts.accept(ruleset, cards) == PAZAAK.loadouts.accept(ruleset, cards[::-1])
    assert PAZAAK.loadouts.accept(ruleset, list(cards)) == PAZAAK.loadouts.accept(ruleset, cards)


class Sly(tuple):
    """A sequence whose second iteration could differ from the first."""


class Text(str):
    """A text that could read differently the second time."""

    __slots__ = ()


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (7, "not int"),
        ("+1 +2", "has 10 cards, not 2"),
        ("+1 +2 +99", r"no card '\+99'"),
        ("hardest", "no side deck 'hardest'; write its cards .*, very-hard"),
        (["+1"] * 9 + ["D 5"], "no card 'D 5'"),
        (Text("hard"), "not Text"),
        (Sly(), "not Sly"),
        ([1] * 10, "a int is not a side card"),
        ([DECK_CARDS[4]] * 10, "5 is not a side card"),
        ([Card(id=0, name="+1", values=(20,))] * 10, "a Card is not a side card"),
        ([Card(id="x", name=None)] * 10, "a Card is not a side card"),
    ],
)
def test_a_loadout_of_another_type_is_refused(answer, why):
    with pytest.raises(IllegalLoadout, match=why):
        PAZAAK.loadouts.accept(PAZAAK.ruleset(), answer)


@pytest.mark.parametrize(
    "answer", [TEN.split(), tuple(TEN.split()), TEN, TEN.replace(" ", ","), cards_named(TEN)]
)
def test_s8_a_side_deck_is_named_by_cards_their_names_or_one_text(answer):
    ruleset = PAZAAK.ruleset()
    expected = PAZAAK.loadouts.accept(ruleset, cards_named(TEN))
    assert PAZAAK.loadouts.accept(ruleset, answer) == expected


@pytest.mark.parametrize("name", READY_MADE)
def test_section_8_a_loadout_may_be_the_name_of_a_ready_made_deck(name):
    ruleset = PAZAAK.ruleset()
    expected = PAZAAK.loadouts.accept(ruleset, READY_MADE[name])
    assert PAZAAK.loadouts.accept(ruleset, name) == expected
    assert PAZAAK.loadouts.parse(name) == READY_MADE[name]


def test_a_loadout_of_a_record_is_checked_too():
    ruleset = PAZAAK.ruleset()
    good = PAZAAK.loadouts.accept(ruleset, None)
    for bad in (b"", b"\xff" * 10, good[:-1], bytes([23] * 10)):
        with pytest.raises(IllegalLoadout):
            PAZAAK.new_state(ruleset, [good, bad])


def test_section_8_ready_made_decks_are_ten_cards_each():
    assert set(READY_MADE) == set(LEVELS) | set(LADDER)
    for deck in READY_MADE.values():
        assert rules.check_side_deck(PAZAAK.ruleset(), deck) == deck


def test_section_7_the_good_deck_is_all_plus_minus():
    assert {card.name[0] for card in LEVELS["good"]} == {"±"}
    assert LEVELS["novice"] == cards_named("+1 +1 +2 +2 +3 +3 +4 +4 +5 +5")


ROWS = {
    "next_set": "winner winner alternate fixed winner",
    "hand_scope": "match match match match match",
    "auto_stand": "immediate immediate off off immediate",
    "fill": "win win win win full_table_stands",
    "flip": "toggle toggle negate_deck_persistent toggle toggle",
    "double": "duplicate in_place duplicate duplicate duplicate",
    "card_set": "all all without_one_or_two signed signed",
    "tiebreaker_scope": "set set set set set",
    "tiebreaker_both": "tie tie tie tie tie",
    "main_deck": "forty_shared forty_shared forty_shared forty_shared infinite",
    "bust_check": " ".join(["end_of_turn"] * 5),
    "fill_overflow": " ".join(["bust"] * 5),
    "flip_by": " ".join(["present"] * 5),
    "side_deck_size": "10 10 10 10 10",
    "max_sets": "25 25 25 25 25",
}


@pytest.mark.parametrize("option", ROWS)
def test_section_5_row(option):
    found = [str(getattr(ruleset, option)) for ruleset in RULESETS.values()]
    assert found == ROWS[option].split()


def test_section_5_names():
    assert list(RULESETS) == ["standard", "wiki", "console", "kotor1", "table"]
    assert PAZAAK.ruleset("").name == "standard"


def test_section_5_kinds():
    assert [len(ruleset.kinds) for ruleset in RULESETS.values()] == [23, 23, 22, 18, 18]


def test_options_are_spelled_in_the_name_once():
    ruleset = PAZAAK.ruleset("standard(flip=negate_positive, max_sets=25)")
    assert ruleset.name == "standard(flip=negate_positive)"
    assert PAZAAK.ruleset(ruleset.name) == ruleset


@pytest.mark.parametrize(
    ("spelling", "error", "why"),
    [
        ("nosuch", UnknownName, "choices: console, kotor1, standard, table, wiki"),
        ("standard(foo=1)", UnknownName, "unknown option 'foo' of ruleset standard"),
        ("standard(name=x)", UnknownName, "unknown option"),
        ("standard(flip=sideways)", UnknownName, "sideways"),
        ("standard(max_sets=-1)", ParseError, "max_sets must be 0"),
        ("standard(side_deck_size=3)", ParseError, "within 4..25"),
        ("standard(side_deck_size=many)", ParseError, "is not a size"),
        ('standard(collection="+1 +2")', ParseError, "a side deck needs 10"),
        ('kotor1(deck="hard")', ParseError, "does not exist in this ruleset"),
        ('standard(deck="+1 +2")', ParseError, "the deck has 2 cards"),
        ('standard(deck="nosuch")', ParseError, "no side deck 'nosuch'"),
    ],
)
def test_bad_rulesets_are_named(spelling, error, why):
    with pytest.raises(error, match=why):
        PAZAAK.ruleset(spelling)


def test_card_spellings():
    assert card_named("+/-3") is card_named("+-3") is card_named("±3") is card_named(" ±3 ")
    assert len(FORTY) == 40

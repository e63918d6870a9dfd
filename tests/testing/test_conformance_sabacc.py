"""The driver of Sabacc's cases: its reading of the schema, and its errors for unknown keys."""

from functools import partial

import pytest

from arena.core.parts.cases import Case
from arena.games.sabacc.cases.driver import SabaccDriver, sabacc_driver
from arena.games.sabacc.cases.hand import CaseHand
from arena.games.sabacc.engine.stages import BET
from arena.testing import conformance

run_case = partial(conformance.run_case, drivers={"sabacc": sabacc_driver})
TWENTY = ["10 of Coins", "8 of Flasks", "2 of Staves"]
OTHER_TWENTY = ["10 of Flasks", "9 of Coins", "1 of Sabers"]
IDIOT = ["Idiot", "2 of Coins", "3 of Coins"]
OTHER_IDIOT = ["Idiot", "2 of Flasks", "3 of Flasks"]
PURE = ["Ace of Coins", "8 of Coins"]
LOST = ["Dark Jedi", "Dark Jedi", "2 of Coins"]


def case(*steps, given=None, expect=None, variant="old_republic", **more):
    return {
        "id": "X",
        "game": "sabacc",
        "variant": variant,
        "given": given or {},
        "when": [{"do": step} if isinstance(step, str) else step for step in steps],
        "expect": expect or {},
        **more,
    }


def passes(*steps, given=None, expect=None, variant="old_republic", **more):
    result = run_case(case(*steps, given=given, expect=expect, variant=variant, **more))
    assert result.detail == "" or not result.passed
    return result.passed


def showdown(expect, *, options=None, **hands):
    deck = hands.pop("deck", [])
    given = {"hands": hands, "deck_top": deck}
    return passes("showdown", given=given, expect=expect, options=options or {})


@pytest.mark.parametrize(
    ("broken", "why"),
    [
        (case("fly"), "unknown step 'fly'; choices: ante"),
        (case({"do": "put", "how": 1}), "unknown key 'how' of step put"),
        (case({"do": "fold", "by": "C"}, given={"players": ["A"]}), "unknown player 'C'"),
        (
            case({"do": "draw_round", "C": True}, given={"players": ["A", "B"]}),
            "unknown key 'C' of step draw_round; choices: A, B, do",
        ),
        (case({"do": "draw_round", "A": 1}), "A draws or does not, not 1"),
        (case(given={"weather": 1}), "unknown given key 'weather'"),
        (case(given={"phase": "dusk"}), "unknown phase 'dusk'; choices: exchange"),
        (case(given={"deck": "half"}), "unknown deck 'half'; choices: full"),
        (case(given={"hand": ["12 of Coins"]}), "unknown Sabacc card '12 of Coins'"),
        (case(given={"hand": "Idiot"}), "hand is a list"),
        (case(given={"hands": {"A": []}, "dealer": "B"}), "unknown player 'B'; choices: A"),
        (case(given={"hands": {"A": []}, "players": ["B"]}), "unknown player 'A' in hands"),
        (case(given={"hand_sizes": {"A": 77}}), "a hand cannot have 77 cards"),
        (case(given={"hand_sizes": 3}), "hand_sizes is an object"),
        (case(given={"variant_now": "sith"}), "unknown variant 'sith' in variant_now"),
        (case(given={"next_slip": "sith"}), "unknown variant 'sith' in next_slip"),
        (case(given={"due_at_showdown": 1}), "due_at_showdown is true or false"),
        (case(given={"ante": "1"}), "ante is a whole number"),
        (case(expect={"mood": 1}), "unknown expect key 'mood'"),
        (case(given={"players": ["A"]}, expect={"chips": {"B": 1}}), "unknown player 'B'"),
        (case(given={"players": ["A"]}, expect={"winner": ["B"]}), "unknown player 'B'"),
        (case(expect={"categories": {"flush": 1}}), "unknown category 'flush'; choices: bomb"),
        (case(expect={"hands": {"the hand": ["Joker"]}}), "unknown Sabacc card 'Joker'"),
        (case(variant="nosuch"), "unknown sabacc variant 'nosuch'; choices: all, card_exchange"),
        (case(variant="all", given={"variants": ["sith"]}), "unknown sabacc variant 'sith'"),
        (case(options={"gravity": 1}), "unknown option 'gravity' of ruleset old_republic"),
        (case(options={"bonus": "double"}), "unknown value 'double' of option bonus"),
        (case(options={"wild_five": [1]}), "option wild_five cannot be [1]"),
        (case(options={"wild_five": "maybe"}), "option wild_five"),
        (case(options={"max_hands": 9, "target": 0}), "max_hands=9 needs a target"),
        (case(options={"tick_every": "hour"}), "option tick_every"),
        (case({"do": "classify_all_hands", "cards": 11}), "hands of 1 to 10 cards"),
        (case("evaluate", expect={"illegal_step": 0}), "is legal, but must be refused"),
    ],
)
def test_unknown_names_fail_and_are_named(broken, why):
    result = run_case(broken)
    assert not result.passed
    assert why in result.detail


@pytest.mark.parametrize("yes", [True, "on", "yes", "true", "Yes"])
def test_yes_and_no_may_be_texts(yes):
    hand = {"hand": ["Idiot", "3 of Flasks", "5 of Sabers"]}
    options = {"five_in_idiot": yes}
    assert passes("evaluate", given=hand, expect={"category": "idiot"}, options=options)


@pytest.mark.parametrize("no", [False, "off", "no", "false"])
def test_no_is_no(no):
    hand = {"hand": ["8 of Coins", "5 of Sabers"]}
    assert passes("evaluate", given=hand, expect={"total": 13}, options={"wild_five": no})


@pytest.mark.parametrize(
    "options",
    [
        *({"betting": name} for name in ("staged", "alternating", "poker")),
        *({"short_stack": name} for name in ("fold", "all_in")),
        *({"tick_every": every} for every in (6, 20, "orbit", "phase")),
        *({"slips": "eight"}, {"slip_return": "kept_out"}, {"cap": None}, {"target": None}),
        *({"target": 500}, {"max_hands": 9, "target": 100}, {"hands": 3}, {"stack": 7}),
        *({"bonus": None}, {"cap": 5, "target": 90}, {"mode": "points", "target": 0, "hands": 9}),
    ],
)
def test_every_option_finds_a_mode_to_belong_to(options):
    hand = {"hand": ["1 of Coins", "2 of Flasks", "4 of Staves"]}
    assert passes("evaluate", given=hand, expect={"total": 7}, options=options)


def test_a_mode_that_is_named_is_kept():
    hand = {"hand": ["1 of Coins"]}
    options = {"mode": "showdown", "cap": 9}
    result = run_case(case("evaluate", given=hand, options=options))
    assert "cap=9 needs mode=chips, not mode=showdown" in result.detail


def test_the_order_of_the_hands_is_the_seating_and_the_last_deals():
    hands = {"Z": PURE, "A": ["Ace of Sabers", "8 of Sabers"]}
    given = {"hands": hands, "deck_top": ["Dark Jedi", "1 of Coins"]}
    # Z, at the left of A, gets the first card: 23 - 14 = 9 against 24, which counts 1.
    assert passes("showdown", given=given, expect={"winner": ["Z"], "order": ["Z", "A"]})


def test_two_rules_that_both_decided_are_both_right():
    hands = {"A": PURE, "B": IDIOT, "C": OTHER_IDIOT, "deck": ["1 of Coins", "9 of Staves"]}
    options = {"idiot_upset": "two_idiots"}
    for rule in ("idiot_upset", "tiebreak"):
        assert showdown({"winner": ["C"], "rule": rule}, options=options, **hands)
    assert not showdown({"rule": None}, options=options, **hands)


def test_the_named_cards_are_all_that_can_break_a_tie():
    both = {"winner": ["A", "B"], "pot": "split"}
    assert showdown(both, A=IDIOT, B=OTHER_IDIOT)
    assert showdown(both, A=IDIOT, B=OTHER_IDIOT, deck=["1 of Coins", "1 of Flasks", "Idiot"])


def test_equal_hands_may_stand_in_any_order_but_no_others():
    hands = {"A": LOST, "B": PURE, "C": ["Dark Jedi", "Dark Jedi", "3 of Coins"]}
    assert showdown({"order": ["B", "A", "C"]}, **hands)
    assert showdown({"order": ["B", "C", "A"]}, **hands)
    assert not showdown({"order": ["A", "B", "C"]}, **hands)
    assert not showdown({"order": ["B", "A"]}, **hands)
    assert not showdown({"order": ["B", "A", "A"]}, **hands)


def test_the_winner_stands_in_any_order():
    assert showdown({"winner": ["B", "A"]}, A=IDIOT, B=OTHER_IDIOT)
    assert not showdown({"winner": ["A", "B", "B"]}, A=IDIOT, B=OTHER_IDIOT)


@pytest.mark.parametrize(
    ("rule", "fates"),
    [
        ("carry_over", {"carried_over", "carry_over"}),
        ("split", {"split"}),
        ("refund", {"refunded", "refund"}),
    ],
)
def test_a_pot_without_a_winner_is_described_by_its_fate(rule, fates):
    every = ("carried_over", "carry_over", "split", "refunded", "refund")
    options = {"all_bomb": rule}
    matching = {fate for fate in every if showdown({"pot": fate}, options=options, A=LOST, B=LOST)}
    assert matching == fates


def test_a_pot_that_is_won_is_described_by_its_size():
    given = {"hands": {"A": PURE, "B": TWENTY}}
    assert passes("ante", "showdown", given=given, expect={"pot": 2, "winner": ["A"]})
    assert not passes("ante", "showdown", given=given, expect={"pot": "split"})
    assert not passes("ante", "showdown", given=given, expect={"pot": True})


def test_one_number_may_be_expected_of_all():
    given = {"hand_sizes": {"A": 3, "B": 3}}
    assert passes(given=given, expect={"hand_sizes": 3})
    assert not passes(given=given, expect={"hand_sizes": 4})


DICE = {"hands": {"A": TWENTY, "B": OTHER_TWENTY, "C": IDIOT}, "to_act": "A"}


def test_untouched_names_some_who_are():
    odd = {"do": "die", "value": 1}
    for names, right in ((["B", "C"], True), (["C"], True), ([], True), (["A", "C"], False)):
        found = passes(odd, given=DICE, expect={"untouched": names}, variant="card_exchange")
        assert found is right


def test_cards_kept_are_a_least_number():
    odd = {"do": "die", "value": 1}
    for least, right in ((0, True), (2, True), (3, False), (True, False)):
        expect = {"each_hand_keeps_at_least": least}
        assert passes(odd, given=DICE, expect=expect, variant="card_exchange") is right


def test_a_player_who_is_named_nowhere_else_sits_where_the_steps_name_him():
    steps = [{"do": "put", "by": name, "chips": 2} for name in "BA"]
    assert passes(*steps, expect={"chips": {"A": 98, "B": 98}, "pot": 4})
    assert passes({"do": "draw_round", "B": True, "A": False}, expect={"order": ["B", "A"]})


def test_puts_are_not_checked_against_the_turn():
    given = {"players": ["A", "B", "C"], "to_act": "A"}
    assert passes({"do": "put", "by": "C", "chips": 2}, given=given, expect={"pot": 2})


def test_steps_without_a_player_go_round_in_turn():
    given = {"players": ["A", "B", "C"], "dealer": "A"}
    steps = ({"do": "put", "chips": 2}, {"do": "put", "chips": 3}, "fold")
    put = {"A": 0, "B": 2, "C": 3}
    assert passes(*steps, given=given, expect={"contributed": put})
    again = ({"do": "put", "chips": 4}, {"do": "put", "chips": 5})
    assert passes(*steps, *again, given=given, expect={"contributed": {"A": 0, "B": 6, "C": 8}})


def test_every_variant_must_satisfy_the_case_and_the_other_is_named():
    given = {"hand": ["Rancor"], "variants": ["rebel_alliance", "imperial"]}
    assert passes("evaluate", given=given, expect={"total": 7}, variant="all")
    given["variants"] += ["cloud_city", "corellian"]
    result = run_case(case("evaluate", given=given, expect={"total": 7}, variant="all"))
    assert "'cloud_city': 7, 'corellian': 4" in result.detail


def test_every_variant_is_checked_part_by_part():
    given = {"hands": {"A": ["Rancor"], "B": ["7 of Coins"]}}
    assert passes("evaluate", given=given, expect={"total": {"B": 7}}, variant="all")
    assert not passes("evaluate", given=given, expect={"total": {"A": 7}}, variant="all")


def test_a_step_that_only_some_variants_refuse_fails_the_case():
    given = {"hand_sizes": {"A": 3, "B": 3}, "variants": ["imperial", "cloud_city", "corellian"]}
    step = {"do": "exchange", "by": "A", "count": 1}
    result = run_case(case(step, given=given, variant="all", expect={"illegal_step": 0}))
    assert result.detail == "exchange was refused only under imperial, cloud_city"


def test_a_refused_step_that_changes_something_fails_the_case(monkeypatch):
    original = CaseHand.act

    def act(self, stage, seat, action):
        self.hand.betting.pot += 1
        original(self, stage, seat, action)

    monkeypatch.setattr(CaseHand, "act", act)
    broken = case({"do": "draw_card"}, given={"hand_sizes": {"A": 76}}, expect={"illegal_step": 0})
    assert run_case(broken).passed  # refused before anything is done
    monkeypatch.setattr(CaseHand, "asked", lambda self, stage: (0,))
    assert run_case(broken).detail == "step 0 (draw_card) was refused but changed something"


def test_asking_what_is_legal_changes_nothing():
    one = case(given={"players": ["A", "B"], "chips": {"A": 9, "B": 9}}, options={})
    driver = SabaccDriver(
        Case(variant="old_republic", options={}, given=one["given"], when=[], expect={})
    )
    before = driver.snapshot()
    assert [action.text for action in driver.case_hand.if_asked(BET, 0).legal][-1] == "fold"
    driver.case_hand.asked(1)
    assert driver.snapshot() == before

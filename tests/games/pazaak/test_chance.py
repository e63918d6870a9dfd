"""Dealers in Pazaak: every pile follows the rules under every kind of dealer."""

from collections import Counter
from functools import cache

import pytest

from arena.core.chance.dealer import Sampled, SeatStreams
from arena.core.chance.seeding import generator
from arena.games.pazaak.engine.cards import FORTY
from arena.games.pazaak.engine.chance import main_pile
from arena.games.pazaak.engine.history import events_of
from tests.games.pazaak.table import PAZAAK, Table

DEALERS = [SeatStreams, lambda seed: Sampled(generator(seed))]
RULESET = cache(PAZAAK.ruleset)
BOTH = pytest.mark.parametrize("make", DEALERS, ids=["SeatStreams", "Sampled"])


def started(rules, dealer):
    ruleset = RULESET(rules)
    return PAZAAK.new_state(ruleset, [PAZAAK.loadouts.accept(ruleset, None)] * 2, dealer)


@BOTH
def test_a15_the_shared_deck_gives_each_of_its_forty_cards_once(make):
    pile = main_pile(Table().state, make(1))
    assert sorted(pile.draw(n % 2) for n in range(40)) == list(FORTY)


@BOTH
def test_a15_with_forty_each_every_seat_has_a_deck_of_its_own(make):
    pile = main_pile(Table("standard(main_deck=forty_each)").state, make(1))
    for seat in (0, 1):
        assert sorted(pile.draw(seat) for _ in range(40)) == list(FORTY)


@BOTH
def test_c4_the_unbound_deck_gives_more_of_a_value_than_forty_would(make):
    pile = main_pile(Table("table").state, make(1))
    drawn = Counter(pile.draw(n % 2) for n in range(1000))
    assert len(drawn) == 10
    assert all(60 < n < 140 for n in drawn.values())


@BOTH
def test_s7_cards_on_the_tables_are_not_dealt_again(make):
    pile = main_pile(Table(a="7 7", b="7 -7").state, make(1))
    rest = [pile.draw(n % 2) for n in range(36)]
    assert 7 not in rest
    assert sorted(rest) == [value for value in FORTY if value != 7]


@BOTH
def test_a_random_starter_is_fair_under_a_dealer(make):
    starters = Counter(started("standard(first_set=random)", make(s)).starter for s in range(600))
    assert 240 < starters[0] < 360


@BOTH
def test_c2_a_random_later_starter_is_fair_under_a_dealer(make):
    over = Table("standard(next_set=random)", a="10 9", b="10 8", act=True, standing=(False, True))
    over.do("stand")
    starters = Counter(over.state.clone(make(seed)).starter for seed in range(600))
    assert 240 < starters[0] < 360


@BOTH
@pytest.mark.parametrize(
    ("deck", "equal"), [("forty_shared", 3 / 39), ("forty_each", 4 / 40), ("infinite", 1 / 10)]
)
def test_s14_opening_cards_follow_their_odds(make, deck, equal):
    equals = 0
    for seed in range(4000):
        events = events_of(started(f"standard(main_deck={deck})", make(seed)).history)
        first, second = (event.value for event in events[:2])
        equals += first == second
    # The standard deviation is 0.0047 at most.
    assert equals / 4000 == pytest.approx(equal, abs=0.02)


def test_s14_a_dealer_that_takes_over_goes_on_from_the_first_card():
    state = started("standard", None)
    for _ in range(2):
        state.apply_action(state.legal_actions()[0])
    state.apply_action(state.legal_actions()[9])
    seconds = Counter()
    for seed in range(4000):
        events = events_of(state.clone(SeatStreams(seed)).history)
        assert events[0].value == 10
        seconds[events[1].value] += 1
    assert seconds[10] / 4000 == pytest.approx(3 / 39, abs=0.02)


@BOTH
def test_s11_every_card_of_the_side_deck_is_as_likely_to_be_dealt(make):
    dealt = Counter()
    for seed in range(2000):
        state = started('standard(deck="easy")', make(seed))
        dealt.update(state.hands[0])
        assert len(state.hands[1]) == 4
    # 800 of each of the ten kinds; the standard deviation is 22.
    assert len(dealt) == 10
    assert all(690 < n < 910 for n in dealt.values())


def test_c1_hand_scope_set_deals_once_a_set():
    state, rng = started("standard(hand_scope=set)", SeatStreams(3)), generator(3)
    while not state.is_terminal():
        assert [len(hands) for hands in state.dealt] == [state.set_number] * 2
        state.apply_action(rng.choice(state.legal_actions()))
    assert state.set_number > 1


def test_a8_a_twenty_beats_a_stood_total_that_was_flipped_over_it():
    rules = "standard(flip_scope=both)"
    layout = {"a": "10 10 -2", "b": "10 6", "hands": ("", "2&4"), "turn": 1}
    table = Table(rules, standing=(True, False), **layout).draw(2)
    assert table.do("play 2&4", "end turn").totals == (22, 14)
    assert table.draw(6).result == (1, "outscore")

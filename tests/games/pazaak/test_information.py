"""Section 2, "Public information": observations of a seat, and its resampled worlds."""

from collections import Counter

import msgspec
import pytest

from arena.core.chance.dealer import SeatStreams
from arena.core.chance.seeding import generator
from arena.core.errors import IllegalAction
from arena.core.state import CHANCE, TERMINAL
from arena.games.pazaak.engine.actions import END_TURN, STAND, deal
from arena.games.pazaak.engine.cards import cards_named, in_order
from arena.games.pazaak.engine.chance import hands_of
from tests.games.pazaak.table import PAZAAK, Table

encode = msgspec.msgpack.encode

SPELLINGS = [
    "standard",
    "wiki",
    "console",
    "kotor1",
    "table",
    "standard(hand_scope=set)",
    "standard(hand_scope=set,next_set=random)",
    "standard(opening_cards=burn)",
    "standard(opening_cards=burn,main_deck=forty_each)",
    "standard(first_set=random,max_copies=2)",
    "standard(max_sets=2)",
    'standard(collection="D D D ±1 ±2 ±3 ±4 2&4 3&6 ±1T ±1/2 -1 -2")',
    'standard(deck="very-hard",flip_without_target=illegal)',
]


def random_deck(ruleset, rng):
    pool = list(cards_named(ruleset.collection)) or [*ruleset.kinds] * 2
    return PAZAAK.loadouts.accept(ruleset, rng.sample(pool, 10))


def new_match(spelling, seed, dealer=None):
    ruleset, rng = PAZAAK.ruleset(spelling), generator(seed)
    fixed = ruleset.fixed_deck
    decks = [PAZAAK.loadouts.accept(ruleset, fixed or None)] * 2
    if not fixed:
        decks = [random_deck(ruleset, rng) for _ in range(2)]
    return PAZAAK.new_state(ruleset, decks, dealer), rng


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_resampled_worlds_look_the_same_at_every_node_of_a_match(spelling):
    for seed in range(6):
        state, rng = new_match(spelling, seed)
        while True:
            for seat in (0, 1):
                seen = state.observation(seat)
                world = PAZAAK.resample(seen, rng)
                assert encode(world.observation(seat)) == encode(seen)
                assert world.observation(seat) == seen
                assert world.current_player() == state.current_player()
                assert world.opening == state.opening
                assert world.last_set == state.last_set
            if state.current_player() == TERMINAL:
                assert world.outcome() == state.outcome()
                break
            if state.current_player() == CHANCE:
                actions, odds = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(actions, [float(odd) for odd in odds])[0])
            else:
                state.apply_action(rng.choice(state.legal_actions()))


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_resampled_worlds_are_possible(spelling):
    state, rng = new_match(spelling, 5, SeatStreams(5))
    ruleset = PAZAAK.ruleset(spelling)
    while not state.is_terminal():
        world = PAZAAK.resample(state.observation(0), rng)
        deck = Counter(world.side_decks[1])
        assert len(world.side_decks[1]) == 10
        PAZAAK.loadouts.accept(ruleset, world.side_decks[1])
        assert not Counter(world.dealt[1][-1]) - deck
        assert not Counter(world.hands[1]) - Counter(world.dealt[1][-1])
        assert len(world.dealt[1][-1]) == 4
        state.apply_action(rng.choice(state.legal_actions()))


def test_s13_two_states_that_differ_only_in_hidden_cards_look_the_same():
    ruleset = PAZAAK.ruleset()
    mine = PAZAAK.loadouts.accept(ruleset, None)
    views = []
    for names in ("+1 +2 +3 +4 +5 +6 -1 -2 -3 -4", "D D D D 2&4 2&4 3&6 3&6 ±1T ±1T"):
        theirs = PAZAAK.loadouts.accept(ruleset, cards_named(names))
        state = PAZAAK.new_state(ruleset, [mine, theirs])
        state.apply_action(hands_of(state.side_decks[0])[7][0])
        state.apply_action(hands_of(state.side_decks[1])[3][0])
        seen = [encode(state.observation(0))]
        for action in (2, 0, 4, END_TURN, 5, END_TURN, 6, STAND):
            legal = state.legal_actions()
            state.apply_action(legal[action] if isinstance(action, int) else action)
            seen.append(encode(state.observation(0)))
        views.append(seen)
    assert views[0] == views[1]


def test_s13_the_owner_sees_his_hand_and_the_rival_only_its_size():
    state = Table(a="4", b="5", hands=("+1 D", "-2 -3 -4")).draw(3).state
    mine, theirs = state.observation(0), state.observation(1)
    assert [card.name for card in mine.hand] == ["+1", "D"]
    assert mine.rival_cards == 3
    assert theirs.rival_cards == 2
    assert "hand" not in [field for field in theirs.__struct_fields__ if "rival" in field]


def test_a17_tables_totals_and_standing_are_public_and_mirrored():
    state = Table(a="4", b="5 6", standing=(False, True), sets=(2, 1)).draw(3).state
    mine, theirs = state.observation(0), state.observation(1)
    assert (mine.table, mine.rival_table) == (theirs.rival_table, theirs.table)
    assert (mine.total, mine.rival_total) == (7, 11) == (theirs.rival_total, theirs.total)
    assert (mine.standing, mine.rival_standing) == (False, True)
    assert (mine.sets, mine.rival_sets) == (2, 1) == (theirs.rival_sets, theirs.sets)


def test_an_observation_cannot_be_changed():
    seen = Table(a="4", hands=("+1", "")).draw(3).state.observation(0)
    for field in seen.__struct_fields__:
        with pytest.raises(AttributeError, match="immutable"):
            setattr(seen, field, None)
    for thing in (seen.hand[0], seen.table[0], seen.marks, seen.ruleset, seen.legal_actions[0]):
        with pytest.raises(AttributeError):
            setattr(thing, thing.__struct_fields__[0], 99)


def test_a_forged_action_is_refused_without_running_its_code():
    class Meta(type):
        @property
        def __name__(cls) -> str:
            raise RuntimeError("must not run")

    class Nasty(metaclass=Meta):
        def __eq__(self, other) -> bool:
            raise RuntimeError("must not run")

        __hash__ = None

    state = Table(a="4", b="5").draw(3).state
    forged = msgspec.structs.replace(STAND)
    unreadable = msgspec.structs.replace(STAND, text=Nasty(), id=Nasty())
    for answer in (forged, unreadable, Nasty(), None, True, 1, "stand"):
        with pytest.raises(IllegalAction, match="is not one of: end turn, stand"):
            state.apply_action(answer)
    assert state.standing == [False, False]


def test_the_prior_fills_the_rivals_hand_with_every_kind():
    state, rng = new_match("standard", 1, SeatStreams(1))
    seen = state.observation(0)
    hands = Counter(card.name for _ in range(2000) for card in PAZAAK.resample(seen, rng).hands[1])
    assert len(hands) == 23
    # 8000 cards over 23 kinds: 348 each, standard deviation 18.
    assert all(240 < n < 460 for n in hands.values())


def test_the_prior_holds_what_the_rival_has_played():
    table = Table(a="1", b="1", hands=("", "D ±3 -1 +6"), turn=1).draw(2).do("play D", "end turn")
    seen = table.draw(1).state.observation(0)
    world = PAZAAK.resample(seen, generator(1))
    assert "D" in [card.name for card in world.side_decks[1]]
    assert len(world.hands[1]) == 3


def test_a_resampled_world_is_played_to_its_end_with_a_dealer():
    state, rng = new_match("standard", 3, SeatStreams(3))
    world = PAZAAK.resample(state.observation(0), rng)
    while not world.is_terminal():
        world.apply_action(rng.choice(world.legal_actions()))
    assert not state.is_terminal()


def test_hand_odds_count_equal_cards():
    deck = in_order(cards_named("+1 +1 +1 +1 +1 +1 +1 +1 +1 D"))
    odds = dict(hands_of(deck))
    assert [float(odd) for odd in odds.values()] == pytest.approx([0.6, 0.4])
    assert deal(deck[:4]) in odds


def test_a_situation_may_contradict_the_fixed_deck():
    rules = 'standard(deck="novice")'
    seen = Table(rules, a="1", b="2 D:2", hands=("", "+1")).draw(1).state.observation(0)
    world = PAZAAK.resample(seen, generator(1))
    assert world.observation(0) == seen
    assert "D" in [card.name for card in world.side_decks[1]]

"""Resampling: worlds dealt anew that agree with a seat's knowledge."""

from hypothesis import given, settings
from hypothesis import strategies as st

from arena.core.chance.seeding import generator
from arena.core.state import CHANCE
from arena.games.sabacc.cards.cards import card_named
from arena.games.sabacc.engine.stages import SHOWDOWN
from tests.games.sabacc.play import (
    ALL_CARDS,
    PURE,
    SABACC,
    SIX,
    TEN,
    TWENTY,
    any_rules,
    cards_of,
    match,
    one_hand,
    plain_rules,
    play_random,
)
from tests.sizes import volume

seats = st.sampled_from(SABACC.seats)
seeds = st.integers(0, 2**32)
folding = st.sampled_from([0.0, 0.1, 0.4])


def sampled_nodes(rules, seats, seed, fold, about):
    """Some nodes of a random match, chance nodes and the end too."""
    rng = generator(seed)
    state = SABACC.new_state(rules, [b""] * seats)
    for node in play_random(state, rng, expel=0.01, fold=fold):
        if node.is_terminal() or rng.random() < about:
            yield node, rng


@settings(max_examples=volume(120))
@given(any_rules, seats, seeds, folding)
def test_a_world_gives_the_seat_the_same_observation(rules, seats, seed, fold):
    for node, rng in sampled_nodes(rules, seats, seed, fold, 0.15):
        for seat in range(seats):
            seen = node.observation(seat)
            world = SABACC.resample(seen, rng)
            assert world.observation(seat) == seen
            assert cards_of(world) == ALL_CARDS
            assert world.current_player() == node.current_player()
            assert world.hand.deck.gone == sum(map(len, world.hand.deck.discards))


def held_since_shown(node):
    """Cards that a seat has shown and cannot have given away since."""
    events = node.observation(0).hand_events
    for at, event in enumerate(events):
        if event.kind == "show":
            later = [e for e in events[at:] if e.seat == event.seat and e.kind == "exchange"]
            kept = node.hand.match.rules.reveal == "kept" or not any(e.number for e in later)
            if kept:
                yield event.seat, event.cards[0]


@settings(max_examples=volume(120))
@given(plain_rules, seats, seeds, folding)
def test_a_world_agrees_with_the_knowledge_of_the_seat(rules, seats, seed, fold):
    for node, rng in sampled_nodes(rules, seats, seed, fold, 0.15):
        if node.hand.deck.shuffles:
            continue
        for seat in range(seats):
            world = SABACC.resample(node.observation(seat), rng)
            assert sorted(c.id for c in world.hand.deck.discards[seat]) == sorted(
                c.id for c in node.hand.deck.discards[seat]
            )
            for other, card in held_since_shown(node):
                assert card in world.hand.deck.hands[other]
            for other, laid in enumerate(node.hand.laid):
                assert not laid or world.hand.deck.hands[other] == node.hand.deck.hands[other]


@settings(max_examples=volume(40))
@given(any_rules, seats, seeds)
def test_a_world_can_be_played_to_its_end(rules, seats, seed):
    for node, rng in sampled_nodes(rules, seats, seed, 0.1, 0.04):
        if node.current_player() != CHANCE:
            seat = rng.randrange(seats)
            world = SABACC.resample(node.observation(seat), rng)
            for later in play_random(world, rng):
                assert cards_of(later) == ALL_CARDS


def worlds(state, seat, number=200):
    rng = generator(5)
    return [SABACC.resample(state.observation(seat), rng) for _ in range(number)]


def test_every_unknown_card_can_be_in_another_hand():
    state = match(2, TEN, TWENTY).state
    found = {card for world in worlds(state, 0, 400) for card in world.hand.deck.hands[1]}
    assert len(found) == 68 - 3
    assert found.isdisjoint(state.hand.deck.hands[0])


def test_a_shown_card_is_in_the_hand_until_the_exchange():
    table = match(2, "Jedi Master, 2 of Coins, 9 of Coins", TEN, "7 of Coins", hands=1)
    table.do(*["pass"] * 4, "show Jedi Master")
    master = card_named("Jedi Master")
    assert all(master in world.hand.deck.hands[0] for world in worlds(table.state, 1))
    table.do("exchange 1")
    still = sum(master in world.hand.deck.hands[0] for world in worlds(table.state, 1))
    assert 0 < still < 200


def test_b11_kept_a_shown_card_is_in_the_hand_after_the_exchange_too():
    master = "Jedi Master, 2 of Coins, 9 of Coins"
    table = match(2, master, TEN, "7 of Coins, 8 of Coins", hands=1, reveal="kept")
    table.do(*["pass"] * 4, "show Jedi Master", "exchange 1 2")
    assert all(card_named("Jedi Master") in w.hand.deck.hands[0] for w in worlds(table.state, 1))


def test_a_card_given_to_a_shuffle_of_two_is_in_the_other_hand():
    draws = "die 2, 4 of Coins, 10 of Coins, 10 of Coins, 4 of Coins"
    table = match(2, TEN, TWENTY, draws, dice=True, tick_every=1).do("pass")
    mine, yours = card_named("4 of Coins"), card_named("10 of Coins")
    assert yours in table.state.hand.deck.hands[0]
    assert all(mine in world.hand.deck.hands[1] for world in worlds(table.state, 0, 50))
    assert all(yours in world.hand.deck.hands[0] for world in worlds(table.state, 1, 50))


def test_at_the_showdown_every_hand_in_it_is_known_and_a_folded_one_is_not():
    table = match(3, PURE, TWENTY, SIX, **one_hand()).do("fold").finish_hand()
    seen = worlds(table.state, 1, 50)
    assert table.state.hand.laid[0] == ()
    assert all(world.hand.deck.hands[2] == table.state.hand.deck.hands[2] for world in seen)
    assert len({world.hand.deck.hands[0] for world in seen}) > 40


def test_own_discards_are_not_among_the_extra_cards_of_a_tie():
    same = "10 of Flasks, 8 of Staves, 2 of Flasks"
    own_cards_back = "die 2, 4 of Coins, 2 of Flasks, 4 of Coins, 2 of Flasks"
    table = match(2, TEN, same, own_cards_back, hands=1, dice=True, tick_every=3)
    table.do(*["pass"] * 4)
    table.state.hand.match.dealer = None
    assert table.hand(0) == ["3 of Staves", "3 of Flasks", "4 of Coins"]
    table.do("exchange 1 2").chance("10 of Coins, 6 of Staves")
    table.do("exchange 1").chance("8 of Coins")
    assert (table.state.hand.stage, table.to_act()) == (SHOWDOWN, CHANCE)
    table.chance("1 of Coins")
    assert table.to_act() == CHANCE
    for world in worlds(table.state, 0, 30):
        assert [card.name for card in world.hand.deck.discards[0]] == ["3 of Staves", "3 of Flasks"]
        assert [*map(len, world.hand.deck.hands)] == [4, 3]

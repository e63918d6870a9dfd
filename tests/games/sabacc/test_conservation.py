"""Chips, cards and odds at every step of random play, in every combination of modes."""

from hypothesis import example, given, settings
from hypothesis import strategies as st

from arena.core.chance.dealer import Sampled, SeatStreams
from arena.core.chance.seeding import generator
from arena.core.outcome import RULE_ENDINGS
from arena.core.state import CHANCE
from arena.games.sabacc.engine.history import events_of
from tests.games.sabacc.play import ALL_CARDS, SABACC, any_rules, cards_of, play_random
from tests.games.sabacc.ranking import rules_with
from tests.sizes import volume

seats = st.sampled_from(SABACC.seats)
seeds = st.integers(0, 2**32)
expelling = st.sampled_from([0.0, 0.0, 0.05])
folding = st.sampled_from([0.0, 0.1, 0.4])
# With seed 2 and four seats, a tie of one pot is broken before another pot is decided (section 14).
SIDE_POTS = rules_with(
    variant="old_republic",
    second_draw="anyone",
    idiot_upset="tied_pure",
    corellian_exchange="up_to_two",
    zero_total="ordinary",
    reveal="exchangeable",
    discards="out",
    betting="poker",
    max_raises=1,
    mode="chips",
    hands=3,
    stack=60,
    ante=3,
    cap=3,
    short_stack="all_in",
    all_bomb="carry_over",
    dice=True,
    tick_every=1,
)


def cards_of_ties(state, seat):
    """Returns the number of cards that a seat got in this hand to break ties (B8, section 14)."""
    match = state.hand.match
    events = events_of(match.history, match.hand_start)
    return sum((event.kind, event.seat) == ("extra", seat) for event in events)


def check_table(state):
    assert cards_of(state) == ALL_CARDS
    assert state.hand.deck.hand_sizes == tuple(map(len, state.hand.deck.hands))
    assert state.hand.deck.gone == sum(map(len, state.hand.deck.discards))
    assert state.hand.deck.left() == len(state.hand.deck.unseen())
    for seat, size in enumerate(state.hand.deck.hand_sizes):
        assert size <= 5 or size <= 5 + cards_of_ties(state, seat)
    if state.hand.match.chips:
        total = state.hand.match.seats * state.hand.match.rules.stack
        assert (
            sum(state.hand.match.amounts) + state.hand.betting.pot + state.hand.match.carried
            == total
        )
        assert state.hand.betting.pot == sum(state.hand.betting.staked) or state.is_terminal()
        assert min(state.hand.match.amounts) >= 0


def check_end(state):
    outcome = state.outcome()
    assert abs(sum(outcome.returns)) < 1e-9
    assert outcome.scores == state.hand.match.amounts
    assert outcome.termination in RULE_ENDINGS
    assert (state.hand.betting.pot, state.hand.match.carried) == (0, 0)
    order = sorted(range(state.hand.match.seats), key=lambda seat: outcome.returns[seat])
    assert order[: len(state.hand.match.expelled)] == [*state.hand.match.expelled]
    others = order[len(state.hand.match.expelled) :]
    amounts = [state.hand.match.amounts[seat] for seat in others]
    assert amounts == sorted(amounts)


@settings(max_examples=volume(150))
@given(any_rules, seats, seeds, expelling, folding)
@example(SIDE_POTS, 4, 2, 0.0, 0.0)
def test_nothing_is_lost_with_chance_as_a_player(rules, seats, seed, expel, fold):
    state = SABACC.new_state(rules, [b""] * seats)
    for node in play_random(state, generator(seed), expel, fold):
        check_table(node)
        if node.current_player() == CHANCE:
            odds = node.chance_outcomes()
            assert sum(chance for _, chance in odds) == 1
            assert min(chance for _, chance in odds) > 0
            assert len({action for action, _ in odds}) == len(odds)
        elif not node.is_terminal():
            assert node.hand.match.active[node.current_player()]
            assert len(set(node.legal_actions())) == len(node.legal_actions()) > 0
    check_end(state)


@settings(max_examples=volume(150))
@given(any_rules, seats, seeds, expelling, folding)
def test_nothing_is_lost_with_a_dealer(rules, seats, seed, expel, fold):
    dealer = SeatStreams(seed) if seed % 2 else Sampled(generator(seed))
    state = SABACC.new_state(rules, [b""] * seats, dealer)
    for node in play_random(state, generator(seed), expel, fold):
        assert node.current_player() != CHANCE
        check_table(node)
    check_end(state)


@settings(max_examples=volume(60))
@given(any_rules, seats, seeds)
def test_the_same_seed_and_choices_play_the_same_match(rules, seats, seed):
    def played():
        state = SABACC.new_state(rules, [b""] * seats, SeatStreams(seed))
        for _ in play_random(state, generator(seed), expel=0.02):
            pass
        return state.hand.match.history, state.outcome()

    assert played() == played()


@settings(max_examples=volume(60))
@given(any_rules, seats, seeds)
def test_taking_any_seat_out_at_any_decision_leaves_a_sound_table(rules, seats, seed):
    rng = generator(seed)
    state = SABACC.new_state(rules, [b""] * seats, SeatStreams(seed))
    for node in play_random(state, rng):
        if not node.is_terminal():
            twin = node.clone(SeatStreams(seed + 1))
            seat = rng.choice(
                [seat for seat in range(seats) if seat not in twin.hand.match.expelled]
            )
            twin.expel(seat)
            check_table(twin)
            if twin.is_terminal():
                check_end(twin)
            else:
                asked = twin.clone()
                asked.hand.ask_seat(twin.hand.player)
                assert asked.hand.legal == twin.hand.legal
                assert twin.current_player() != seat


class Naming(SeatStreams):
    """Notes the name of every shuffle and every throw."""

    def __init__(self, seed, names):
        super().__init__(seed)
        self.names = names

    def pile(self, name, cards, seats):
        self.names.append(name)
        return super().pile(name, cards, seats)

    def source(self, name, values, seats):
        self.names.append(name)
        return super().source(name, values, seats)


@settings(max_examples=volume(60))
@given(any_rules, seats, seeds)
def test_no_two_shuffles_or_throws_of_a_match_are_one(rules, seats, seed):
    names = []
    state = SABACC.new_state(rules, [b""] * seats, Naming(seed, names))
    for _ in play_random(state, generator(seed)):
        pass
    assert len(set(names)) == len(names) > 0

import copy
import pickle
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.core.chance.dealer import Sampled, Scripted, SeatStreams
from arena.core.chance.seeding import generator
from arena.core.errors import HarnessFault

FORTY = tuple(value for value in range(1, 11) for _ in range(4))
SEEDS = st.integers(0, 2**63 - 1)
ORDERS = st.lists(st.integers(0, 1), max_size=18)


def drawn(pile, order):
    return [pile.draw(seat) for seat in order]


@given(SEEDS, st.integers(1, 4), st.data())
def test_a_pile_deals_each_card_once_in_any_order_of_seats(seed, seats, data):
    cards = tuple(range(data.draw(st.integers(1, 45))))
    pile = SeatStreams(seed).pile("main/1", cards, seats)
    order = [data.draw(st.integers(0, seats - 1)) for _ in cards]
    assert sorted(drawn(pile, order)) == list(cards)
    with pytest.raises(HarnessFault, match="main/1 is empty"):
        pile.draw(0)


@given(SEEDS, ORDERS, ORDERS)
def test_a_seats_cards_do_not_depend_on_what_others_draw(seed, one, other):
    dealer = SeatStreams(seed)
    for seat in (0, 1):
        first, second = (
            [
                card
                for card, who in zip(
                    drawn(dealer.pile("main/1", FORTY, 2), order), order, strict=True
                )
                if who == seat
            ]
            for order in (one, other)
        )
        shared = min(len(first), len(second))
        assert first[:shared] == second[:shared]


@given(SEEDS, st.integers(0, 39))
def test_a_longer_draw_begins_like_a_shorter_one(seed, count):
    whole = drawn(SeatStreams(seed).pile("main/1", FORTY, 1), [0] * 40)
    assert drawn(SeatStreams(seed).pile("main/1", FORTY, 1), [0] * count) == whole[:count]


def positions(size, seats, order):
    """The law in its plainest form: who gets which position of the one shuffle."""
    streams = [list(range(seat, size, seats)) for seat in range(seats)]
    taken = []
    for seat in order:
        if streams[seat]:
            taken.append(streams[seat].pop(0))
        else:
            longest = max(map(len, streams))
            donor = next(stream for stream in streams if len(stream) == longest)
            taken.append(donor.pop())
    return taken


@given(SEEDS, st.integers(1, 4), st.integers(1, 30), st.data())
def test_a_dry_stream_takes_the_last_position_of_the_longest(seed, seats, size, data):
    order = data.draw(st.lists(st.integers(0, seats - 1), max_size=size))
    cards = tuple(range(size))
    shuffle = drawn(SeatStreams(seed).pile("p", cards, 1), [0] * size)
    expected = [shuffle[position] for position in positions(size, seats, order)]
    assert drawn(SeatStreams(seed).pile("p", cards, seats), order) == expected


@given(SEEDS, st.integers(1, 4), st.data())
def test_cards_that_go_back_are_dealt_once_more(seed, seats, data):
    size = data.draw(st.integers(1, 30))
    pile, held = SeatStreams(seed).pile("p", tuple(range(size)), seats), []
    for _ in range(data.draw(st.integers(0, 40))):
        if held and (len(held) == size or data.draw(st.booleans())):
            back = held[: data.draw(st.integers(1, len(held)))]
            held = held[len(back) :]
            pile.put_back(back)
        else:
            held.append(pile.draw(data.draw(st.integers(0, seats - 1))))
            assert len(set(held)) == len(held)
    rest = drawn(pile, [data.draw(st.integers(0, seats - 1)) for _ in range(size - len(held))])
    assert sorted([*held, *rest]) == list(range(size))
    with pytest.raises(HarnessFault, match="p is empty"):
        pile.draw(0)


@given(SEEDS, st.integers(1, 6), st.integers(1, 12))
def test_a_card_put_back_moves_at_most_one_other(seed, seats, count):
    piles = [SeatStreams(seed).pile("p", tuple(range(76)), seats) for _ in range(2)]
    gone, _ = (drawn(pile, [0] * count) for pile in piles)
    piles[1].put_back(gone)
    own = max(76 // seats - count - 1, 0)  # until streams run dry
    as_before, now = (drawn(pile, [*range(seats)] * own) for pile in piles)
    moved = [card for card, was in zip(now, as_before, strict=True) if card != was]
    assert len(moved) <= count
    assert set(moved) <= set(gone)


@given(SEEDS, st.integers(1, 10))
def test_cards_dealt_at_once_are_the_top_of_their_pile(seed, count):
    cards = tuple(range(10))
    one_by_one = drawn(SeatStreams(seed).pile("hand/0", cards, 1), [0] * count)
    assert list(SeatStreams(seed).deal("hand/0", cards, count)) == one_by_one


@given(SEEDS)
def test_piles_of_other_names_and_seeds_are_other_shuffles(seed):
    shuffles = {
        tuple(drawn(SeatStreams(s).pile(name, tuple(range(40)), 1), [0] * 40))
        for s in (seed, seed ^ 1)
        for name in ("main/1", "main/2", "hand/0", "main/1/seat0")
    }
    assert len(shuffles) == 8


@given(SEEDS, ORDERS)
def test_an_unbound_source_has_one_stream_a_seat(seed, order):
    dealer = SeatStreams(seed)
    mixed = drawn(dealer.source("main/1", tuple(range(10)), 2), order)
    for seat in (0, 1):
        mine = [card for card, who in zip(mixed, order, strict=True) if who == seat]
        assert mine == drawn(dealer.source("main/1", tuple(range(10)), 2), [seat] * len(mine))


def chi_square(counts, expected):
    return sum((found - expected) ** 2 / expected for found in counts)


@pytest.mark.parametrize("make", [SeatStreams, lambda seed: Sampled(generator(seed))])
def test_every_position_of_a_pile_is_uniform(make):
    # 20,000 fixed seeds; 9 degrees of freedom: 34 is passed once in 10,000 honest trials.
    order = [0, 1, 1, 0, 1]
    tables = [Counter() for _ in order]
    for seed in range(20_000):
        for table, card in zip(
            tables, drawn(make(seed).pile("main/1", tuple(range(10)), 2), order), strict=True
        ):
            table[card] += 1
    for table in tables:
        assert chi_square([table[card] for card in range(10)], 2000) < 34


@pytest.mark.parametrize("make", [SeatStreams, lambda seed: Sampled(generator(seed))])
def test_pairs_of_draws_are_uniform_without_replacement(make):
    # 90 ordered pairs, 89 degrees of freedom: 142 is passed once in 3,000 honest trials.
    pairs = Counter()
    for seed in range(18_000):
        pile = make(seed).pile("main/1", tuple(range(10)), 2)
        pairs[(pile.draw(0), pile.draw(1))] += 1
    assert len(pairs) == 90
    assert chi_square(pairs.values(), 200) < 142


@pytest.mark.parametrize("make", [SeatStreams, lambda seed: Sampled(generator(seed))])
def test_the_rest_is_uniform_after_cards_went_back(make):
    # The next cards of two seats: 30 ordered pairs, 29 degrees of freedom: 64 is passed once in
    # 5,000 honest trials. Two of six cards were drawn, and have gone back.
    pairs = Counter()
    for seed in range(12_000):
        pile = make(seed).pile("main/1", tuple(range(6)), 2)
        pile.put_back([pile.draw(0), pile.draw(0)])
        pairs[(pile.draw(0), pile.draw(1))] += 1
    assert len(pairs) == 30
    assert chi_square(pairs.values(), 400) < 64


@pytest.mark.parametrize("make", [SeatStreams, lambda seed: Sampled(generator(seed))])
def test_unbound_draws_are_uniform_and_independent(make):
    pairs = Counter()
    for seed in range(2_000):
        source = make(seed).source("main/1", tuple(range(10)), 2)
        cards = drawn(source, [0] * 20)
        pairs.update(zip(cards[::2], cards[1::2], strict=True))
    # 99 degrees of freedom: 155 is passed once in 3,000 honest trials.
    assert chi_square([pairs[a, b] for a in range(10) for b in range(10)], 200) < 155


def test_a_script_is_dealt_in_order_to_any_seat():
    dealer = Scripted([3, 1, 2])
    assert dealer.pile("main/1", FORTY, 2).draw(1) == 3
    assert dealer.source("main/2", FORTY, 2).draw(0) == 1
    assert list(dealer.deal("hand/0", FORTY, 1)) == [2]
    with pytest.raises(HarnessFault, match="script is used up; seat 1 draws from pile main/3"):
        dealer.pile("main/3", FORTY, 2).draw(1)


def test_a_sampled_pile_deals_each_card_once():
    pile = Sampled(generator(1)).pile("main/1", FORTY, 2)
    assert sorted(drawn(pile, [0, 1] * 20)) == list(FORTY)
    with pytest.raises(HarnessFault, match="empty"):
        pile.draw(0)


@pytest.mark.parametrize("seed", [0, 1, 2**63 - 1])
def test_every_seed_of_the_range_deals(seed):
    assert SeatStreams(seed).pile("main/1", FORTY, 2).draw(0) in range(1, 11)


@pytest.mark.parametrize("twin_of", [copy.deepcopy, lambda pile: pickle.loads(pickle.dumps(pile))])
@pytest.mark.parametrize("kind", ["pile", "source"])
def test_a_pile_in_use_is_copied_and_pickled(kind, twin_of):
    pile = getattr(SeatStreams(7), kind)("main/1", FORTY, 2)
    drawn(pile, [0, 1, 1])
    twin = twin_of(pile)
    order = [0, 1, 0, 0, 1] * 4
    assert drawn(twin, order) == drawn(pile, order)

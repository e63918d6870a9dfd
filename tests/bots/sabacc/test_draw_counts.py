"""Counting the ways in which cards add to a hand."""

from collections import Counter
from itertools import combinations

from arena_bots.sabacc.draw_counts import draw_counts, unseen
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.core.chance.dealer import SeatStreams
from arena.games.sabacc.cards.cards import DECK, card_named
from arena.games.sabacc.cards.ranking import ranker
from arena.games.sabacc.cards.variants import VARIANTS
from tests.bots.sabacc.play import CHIPS, SABACC, named, seen
from tests.sizes import volume


@settings(max_examples=volume(30), deadline=None)
@given(st.sampled_from(sorted(VARIANTS)), st.permutations(DECK), st.integers(0, 3))
def test_every_way_to_draw_is_counted_once(variant, deck, size):
    ranks = ranker(SABACC.ruleset(variant), VARIANTS[variant])
    some = deck[:14]
    counts = draw_counts(ranks, some, 3)[size]
    ways = Counter(sum(ranks.codes[card] for card in drawn) for drawn in combinations(some, size))
    assert counts.ways == ways
    assert counts.total == ways.total()
    for code, cards in counts.example.items():
        assert len(cards) == size
        assert sum(ranks.codes[card] for card in cards) == code


@settings(max_examples=volume(25), deadline=None)
@given(
    st.integers(0, 2**30), st.randoms(use_true_random=False), st.sampled_from(["out", "reshuffled"])
)
def test_what_may_come_is_what_a_seat_has_not_seen(seed, random, discards):
    ruleset = SABACC.ruleset(f"{CHIPS[:-1]},hands=2,discards={discards})")
    state = SABACC.new_state(ruleset, (b"", b"", b""), SeatStreams(seed))
    while (seat := state.current_player()) >= 0:
        left = Counter(unseen(state.observation(seat)))
        assert left + Counter(state.hand.deck.hands[seat]) <= Counter(DECK)
        assert Counter(state.hand.deck.unseen()) <= left
        if discards == "out":
            assert not any(Counter(state.hand.deck.discards[seat]) - (Counter(DECK) - left))
        state.apply_action(random.choice(state.legal_actions()))


def test_own_discards_and_shown_cards_do_not_come():
    observation = seen(
        "old_republic", "1 of Coins, 2 of Coins, 3 of Coins", shown=(("7 of Flasks",), ())
    )
    assert (
        len(unseen(observation)) == 76 - 3
    )  # the own shown card is in the hand or among the discards
    other = seen("old_republic", "1 of Coins, 2 of Coins", shown=((), ("Jedi Master",)))
    left = Counter(unseen(other))
    assert left[card_named("Jedi Master")] == 1
    assert not any(left[card_named(name)] for name in named("1 of Coins, 2 of Coins"))

"""Exact odds of positions with dice: where cards may lie that a seat saw go (section 5)."""

from itertools import combinations
from math import sqrt

import pytest

from arena.core.chance.seeding import generator
from arena.core.errors import BadInput
from arena.games.sabacc.cards.cards import KINDS, deck_without
from arena.games.sabacc.parts import tracking
from arena.games.sabacc.parts.odds import odds
from arena.games.sabacc.parts.tracking import places
from tests.games.sabacc.play import SABACC, play_random, rules_with
from tests.sizes import volume


def after_a_shuffle(seats, seed, fits=lambda node: True, **options):
    """The last decision of a random hand after an even roll, and what its seat sees."""
    rng = generator(seed)
    state = SABACC.new_state(rules_with(dice=True, hands=1, **options), [b""] * seats)
    nodes = (
        node.clone()
        for node in play_random(state, rng)
        if node.current_player() >= 0 and node.hand.shifts and fits(node)
    )
    *_, last = (None, *nodes)
    return last and (last, last.observation(last.current_player()))


def by_event(seen):
    found = {}
    for each in odds(seen):
        found.setdefault(each.event, {})[each.outcome] = each.odds
    return found


def one_shuffle_that_gave_another_card(node):
    """True if the seat to decide has the card of another, and nobody gave anything since."""
    memory = node.observation(node.current_player()).memory
    kinds = {event.kind for event in node.observation(0).hand_events}
    kept = node.hand.shifts == 1 and not kinds & {"exchange", "swap", "draw"}
    return kept and memory[-1] != memory[-2]


@pytest.mark.parametrize("seats", [2, 3])
def test_the_card_that_was_given_lies_with_a_rival(seats):
    options = {"tick_every": 2}
    found = (
        after_a_shuffle(seats, seed, one_shuffle_that_gave_another_card, **options)
        for seed in range(200)
    )
    _, seen = next(each for each in found if each)
    given, unseen = KINDS[seen.memory[-2]], deck_without((seen.hand, [KINDS[seen.memory[-2]]]))
    ranks = seen.ranks
    own = ranks.rank(seen.hand)

    def won(others):
        keys = [ranks.rank(hand).key for hand in others]
        return sum(own.key > key for key in keys) / len(keys)

    with_it = won((given, *pair) for pair in combinations(unseen, 2))
    without = won(combinations(unseen, 3)) if seats > 2 else 0.0
    events = by_event(seen)
    for seat in {*range(seats)} - {seen.seat}:
        showdown = events[f"showdown with seat {seat}, 3 cards"]
        assert sum(showdown.values()) == pytest.approx(1)
        assert showdown.get("won", 0.0) == pytest.approx(
            (with_it + (seats - 2) * without) / (seats - 1)
        )
    drawn = [ranks.rank((*seen.hand, card)).category for card in unseen]
    for category, share in events["next card"].items():
        if category != "a better hand":
            assert share == pytest.approx(drawn.count(category) / len(drawn))


def test_the_hand_after_an_even_roll_counts_every_shuffle():
    _, seen = after_a_shuffle(2, 3, tick_every=1, mode="chips")
    worlds, ranks, better = places(seen), seen.ranks, 0.0
    now, size = ranks.rank(seen.hand), seen.hand_sizes[1 - seen.seat]
    for world in worlds:
        held = world.held[1 - seen.seat]
        other = [(card, 1 / size) for card in held]
        unseen = [c for c, n in zip(KINDS, world.unseen, strict=True) for _ in range(n)]
        other += [(card, (size - len(held)) / size / len(unseen)) for card in unseen]
        for place in range(len(seen.hand)):
            rest = (*seen.hand[:place], *seen.hand[place + 1 :])
            for card, share in other:  # in half of the shuffles one's own card comes back
                gain = ranks.rank((*rest, card)).key > now.key
                better += world.odds * share * gain / 2 / len(seen.hand)
    assert by_event(seen)["even roll"]["a better hand"] == pytest.approx(better)


@pytest.mark.parametrize(
    "options",
    [
        {"tick_every": 2},
        {"reveal": "kept", "tick_every": 3},
        {"discards": "reshuffled", "tick_every": 3},
        {"mode": "chips", "tick_every": 4},
    ],
)
def test_seen_cards_lie_where_the_odds_say_as_often_as_they_say(options):
    off = variance = 0.0
    for seed in range(volume(180)):
        found = after_a_shuffle(2 + seed % 3, seed, **options)
        if not found:
            continue
        node, seen = found
        worlds = places(seen)
        assert sum(each.odds for each in worlds) == pytest.approx(1)
        seats = [seat for seat, active in enumerate(seen.active) if active and seat != seen.seat]
        held = {card for each in worlds for card in each.held[seats[0]]}
        for card in sorted(held, key=lambda card: card.id)[:1]:
            share = sum(each.odds for each in worlds if card in each.held[seats[0]])
            off += share - (card in node.hand.deck.hands[seats[0]])
            variance += share * (1 - share)
    assert variance > volume(10)
    assert abs(off) < 4 * sqrt(variance)


def test_odds_are_refused_where_cards_may_lie_in_too_many_ways(monkeypatch):
    monkeypatch.setattr(tracking, "_MAX_WORLDS", 1)
    _, seen = after_a_shuffle(4, 1, tick_every=1, mode="chips")
    with pytest.raises(BadInput, match="moved cards too often"):
        by_event(seen)

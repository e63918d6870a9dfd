"""Section 14, "Chance": in mirrored legs a seat's cards do not depend on what others do.

Two legs of one deal are played at random, each in its own way. What the book promises is that
chance is one function of the seat, the hand and the number of the seat's own draws and rolls, so
that wherever both legs ask it the same, they get the same answer.
"""

from collections import Counter
from contextlib import contextmanager
from itertools import chain, islice
from typing import Literal, get_args, get_origin, get_type_hints

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.core.chance.dealer import SeatStreams
from arena.core.chance.seeding import generator
from arena.core.state import CHANCE
from arena.games.sabacc.cards.cards import DECK
from arena.games.sabacc.cards.rulesets import SabaccRules
from arena.games.sabacc.engine.actions import FACE_, SLIP_
from arena.games.sabacc.engine.chance import answer
from arena.games.sabacc.engine.stages import GET, PICK
from tests.games.sabacc.play import SABACC, make_pile, play_random
from tests.games.sabacc.ranking import rules_with
from tests.sizes import volume

NUMBERS = {
    "hands": (3,),
    "target": (0,),
    "max_hands": (500,),
    "stack": (15, 60),
    "ante": (1, 3),
    "cap": (0, 3, 20),
    "max_raises": (1, 3),
    "tick_every": (1, 2, 6, "orbit", "phase"),
}
"""Values with which the options that are numbers are tried."""
WAYS = (
    {},
    {"dice": True, "variable": True},
    {"mode": "chips"},
    {"mode": "chips", "dice": True, "variable": True},
    {"mode": "chips", "betting": "alternating", "dice": True},
    {"mode": "chips", "betting": "poker", "dice": True},
    {"mode": "points", "bonus": "winner", "dice": True, "variable": True},
)
"""Options beside which each value of each option is tried, where the two go together."""


def choices():
    """Every option with every value that it is tried with; a new option cannot be forgotten."""
    for name, hint in get_type_hints(SabaccRules).items():
        if name in ("name", "source"):
            continue
        if name in NUMBERS:
            values = NUMBERS[name]
        elif hint is bool:
            values = (False, True)
        else:
            assert get_origin(hint) is Literal, f"say in NUMBERS what {name} is tried with"
            values = get_args(hint)
        yield from ((name, value) for value in values)


def rulesets(name, value):
    """The rulesets with that value, in each of the ways in which it is allowed."""
    ends = {"target": 0, "hands": 3}
    for way in WAYS:
        options = {**(ends if way.get("mode") == "points" else {"hands": 3}), **way, name: value}
        try:
            yield rules_with(**options)
        except ValueError:
            continue


class Leg:
    """Answers chance in a match, and notes every answer under what it may hang on."""

    def __init__(self, game, rules, seats, deal):
        self.answers, self.returned = {}, {}
        self.drawn = Counter()
        self.dealer = SeatStreams(deal)
        self.state = game.new_state(rules, [b""] * seats)
        self.back = set()

    def note(self, key, answer):
        assert key not in self.answers
        self.answers[key] = answer

    def answer_chance(self):
        while self.state.current_player() == CHANCE:
            hand = self.state.hand
            self.shift(hand.deck)
            if not any(hand.deck.hand_sizes):
                self.back = set()
            if hand.deck.pile is None:
                make_pile(hand, self.dealer)
            action = answer(hand, self.dealer)
            self.note_answer(hand, action)
            with self.watched(hand.deck):
                self.state.apply_action(action)

    def shift(self, deck):
        """Changes nothing: answers hang on their places alone."""

    @contextmanager
    def watched(self, deck):
        """Notes which cards go back into the deck."""
        shuffles, held = deck.shuffles, {*chain(*deck.hands)}
        situation = {*chain(*deck.discards)}
        yield
        if deck.shuffles > shuffles:
            self.back |= situation | (held - {*chain(*deck.hands)})

    def note_answer(self, hand, action):
        match, deck, seat, number = hand.match, hand.deck, hand.turn, hand.match.hand_number
        if action.kind == FACE_:
            self.note(("die", number, seat, hand.rolls[seat]), action)
        elif action.kind == SLIP_:
            key = ("slip", number, hand.slips_in_hand)
            self.note(key, action)
            self.returned[key] = frozenset(match.slips_out)
        elif hand.need == PICK:
            if len(set(deck.hands[seat])) == len(deck.hands[seat]):
                place = deck.hands[seat].index(action.card)
                self.note(("pick", number, seat, hand.shifts, len(deck.hands[seat])), place)
        elif hand.need == GET:
            if len(deck.pool) == sum(match.active):
                self.twins = len(set(deck.pool)) < len(deck.pool)
            if not self.twins:  # of two equal cards the first counts as taken
                place = deck.pool.index(action.card)
                self.note(("get", number, seat, hand.shifts, match.in_hand(0)), place)
        else:
            key = ("card", number, seat, self.drawn[number, seat])
            self.drawn[number, seat] += 1
            self.note(key, action.card)
            self.returned[key] = frozenset(self.back)


class ShiftedLeg(Leg):
    """Answers by how often chance was asked before, whoever it was: what the book rules out."""

    def shift(self, deck):
        self.dealer = SeatStreams(len(self.answers))
        deck.pile = None


def leg(rules, seats, deal, choice, kind=Leg):
    """A leg of a deal, played at random."""
    leg = kind(SABACC, rules, seats, deal)
    nodes = islice(play_random(leg.state, generator(choice), expel=0.01), 600)
    deciding = True
    while deciding:
        leg.answer_chance()
        with leg.watched(leg.state.hand.deck):
            deciding = next(nodes, None) is not None
    return leg


def differences(one, other, seats):
    """Questions of chance that both legs asked and that got different answers."""
    own = len(DECK) // seats  # a stream that runs dry takes from others'
    for key in one.answers.keys() & other.answers.keys():
        a, b = one.answers[key], other.answers[key]
        if a == b or (key[0] == "card" and key[3] >= own):
            continue
        # A card that was given back may come again; a slip that is out may not.
        out_a, out_b = one.returned.get(key, ()), other.returned.get(key, ())
        if key[0] == "card" and (a in out_a or b in out_b):
            continue
        if key[0] == "slip" and (a.value in out_b or b.value in out_a):
            continue
        yield key, a, b


@pytest.mark.parametrize(("name", "value"), [*choices()])
@pytest.mark.thorough(
    "values of rules that deal nothing",
    everyday=["variant-*", "mode-*", "betting-*", "dice-*", "tick_every-*", "slip_return-*"],
)
def test_s14_chance_for_a_seat_depends_on_its_own_choices_alone(name, value):
    compared = 0
    for number, rules in enumerate(rulesets(name, value)):
        for seats in (2, 3 + number % 4):
            legs = [leg(rules, seats, 7 + number, choice) for choice in (1, 2)]
            assert not [*differences(*legs, seats)], rules.name
            compared += len(legs[0].answers.keys() & legs[1].answers.keys())
    assert compared > 30


@settings(max_examples=volume(60), deadline=None)
@given(
    st.lists(st.sampled_from([*choices()]), max_size=6).map(dict),
    st.sampled_from(WAYS),
    st.integers(2, 6),
    st.integers(0, 2**32),
)
def test_s14_chance_is_separate_by_seat_under_combined_options(options, way, seats, seed):
    try:
        rules = rules_with(**{"hands": 3, **way, **options})
    except ValueError:
        return
    legs = [leg(rules, seats, seed, choice) for choice in (seed + 1, seed + 2)]
    assert not [*differences(*legs, seats)]


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("die", {"mode": "chips", "dice": True}),
        ("get", {"mode": "chips", "dice": True, "tick_every": 2}),
        ("card", {"discards": "reshuffled"}),
        ("slip", {"mode": "chips", "variable": True}),
    ],
)
def test_s14_the_comparison_finds_what_others_shift(kind, options):
    """It can fail."""
    rules = rules_with(hands=3, **options)
    pairs = ([leg(rules, 4, seed, choice, ShiftedLeg) for choice in (1, 2)] for seed in range(30))
    assert any(kind == key[0] for legs in pairs for key, *_ in differences(*legs, 4))


@settings(max_examples=volume(60), deadline=None)
@given(st.integers(0, 2**32), st.integers(2, 6))
def test_b12_a_reshuffle_moves_at_most_one_card_for_each_that_goes_back(seed, seats):
    """Cards of one seat's stream that another's exchange changes are those that came back."""
    rules = rules_with(discards="reshuffled", hands=1)
    dealt = SeatStreams(seed).pile("hand/1", DECK, seats)
    played = leg(rules, seats, seed, seed)
    moved = 0
    for number in range(len(DECK) // seats):
        for seat in range(seats):
            card = dealt.draw(seat)
            got = played.answers.get(("card", 1, seat, number), card)
            moved += got != card
            assert got == card or got in played.returned["card", 1, seat, number]
    events = played.state.observation(0).events
    back = sum(event.number for event in events if event.kind == "exchange")
    assert moved <= back

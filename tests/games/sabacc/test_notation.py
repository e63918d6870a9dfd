"""Notation of Sabacc: actions and events to text and back."""

from __future__ import annotations

import copy
import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.core.chance.seeding import generator
from arena.core.errors import ParseError
from arena.games.sabacc.cards.cards import card_named
from arena.games.sabacc.cards.rulesets import MAX_CHIPS
from arena.games.sabacc.engine.actions import (
    BET_,
    CARDS,
    DEMAND_,
    FACES,
    PUT_,
    RAISE_,
    SLIPS,
    exchange,
    stake,
)
from arena.games.sabacc.engine.history import EVENTS, Event, events_of, numbered, plain, with_cards
from tests.games.sabacc.play import SABACC, play_random
from tests.sizes import volume

NOTATION = SABACC.notation
PLAIN = ["pass", "draw", "fold", "check", "call", "all in", "keep"]
SHOWS = ["show Jedi Master", "show Smuggler", "show Bounty Hunter"]
EXCHANGES = ["exchange 1", "exchange 5", "exchange 2 4", "exchange 1 2 3 4 5"]
CARD = (card_named("Jedi Master"), card_named("7 of Coins"))
TEXTS = {
    "hand": "seat 2: deals a hand",
    "ante": "seat 2: puts 3 to enter",
    "exchange": "seat 2: exchanges 3 cards",
    "show": "seat 2: shows Jedi Master, 7 of Coins",
    "demand": "seat 2: puts 3 and demands the exchange",
    "raise": "seat 2: raises, putting 3",
    "all in": "seat 2: goes all in with 3",
    "roll": "seat 2: rolls 3",
    "slip": "seat 2: draws the slip Imperial",
    "reveal": "seat 2: lays down Jedi Master, 7 of Coins",
    "win": "seat 2: wins (+3)",
    "carry": "seat 2: carries 3 over to the next hand: nobody won them",
    "expel": "seat 2: is taken out of the match",
}


@pytest.mark.parametrize("text", [*PLAIN, *SHOWS, *EXCHANGES])
def test_an_action_reads_back_from_its_text_and_its_id(text):
    action = NOTATION.action(text)
    assert action.text == text
    assert NOTATION.action_of(action.id) is action


@given(st.sampled_from([PUT_, DEMAND_, BET_, RAISE_]), st.integers(1, MAX_CHIPS))
def test_every_stake_reads_back(kind, chips):
    action = stake(kind, chips)
    assert NOTATION.action(action.text) is action
    assert NOTATION.action_of(action.id) is action
    assert (action.kind, action.value) == (kind, chips)


@pytest.mark.parametrize("chips", [0, -1, MAX_CHIPS + 1])
def test_no_stake_is_of_nothing_or_of_more_than_there_is(chips):
    with pytest.raises(ValueError, match=f"a stake is 1 to {MAX_CHIPS} chips, not {chips}"):
        stake(DEMAND_, chips)


def test_spaces_in_actions_do_not_matter():
    assert NOTATION.action("  put  5 and demand   the exchange ") is stake(DEMAND_, 5)


@pytest.mark.parametrize(
    "text",
    ["", "put", "put 0", f"put {MAX_CHIPS + 1}", "put -1", "put 5.", "bet", "raise 5 and demand",
     "bet 5 and demand the exchange", "show", "show Idiot", "exchange", "exchange 6",
     "exchange 2 1", "exchange 1 1", "stand", "card Idiot", "die 3", "slip imperial"],
)  # fmt: skip
def test_what_is_no_action_of_a_seat_is_named(text):
    with pytest.raises(ParseError, match=r"no action .*; write e\.g\. 'draw'"):
        NOTATION.action(text)


@pytest.mark.parametrize("number", [-1, 15, 48, 63, 10**6])
def test_ids_of_no_action_are_named(number):
    with pytest.raises(ParseError, match=f"no action has id {number}"):
        NOTATION.action_of(number)


def test_interned_things_survive_pickling_as_themselves():
    seats = [NOTATION.action(text) for text in (*PLAIN, *SHOWS, *EXCHANGES)]
    for thing in [*seats, *CARDS, *FACES, *SLIPS, stake(PUT_, 7), *CARD]:
        assert pickle.loads(pickle.dumps(thing)) is thing
        assert copy.deepcopy(thing) is thing


def test_an_exchange_is_found_by_its_cards():
    hand = tuple(map(card_named, ("7 of Coins", "Idiot", "Idiot", "Rancor")))
    assert exchange(hand, hand[1:2]).text == "exchange 2"
    assert exchange(hand, (hand[3], hand[1], hand[2])).text == "exchange 2 3 4"
    with pytest.raises(ValueError, match="7 of Coins is not in the hand that often"):
        exchange(hand, (hand[0], hand[0]))


def written(event):
    carries = EVENTS[event.kind][0]
    if carries == "number":
        return numbered(event.kind, event.seat, event.number)
    if carries == "cards":
        return with_cards(event.kind, event.seat, event.cards)
    return plain(event.kind, event.seat)


@pytest.mark.parametrize("kind", EVENTS)
@settings(max_examples=volume(100, everyday=10))
@given(st.integers(0, 5), st.integers(-(10**5), 10**6), st.lists(st.sampled_from(CARD), max_size=6))
def test_every_kind_of_event_reads_back(kind, seat, number, cards):
    carries = EVENTS[kind][0]
    event = Event(
        seat, kind, number if carries == "number" else 0, tuple(cards) if carries == "cards" else ()
    )
    assert events_of(written(event) * 2) == (event, event)


@pytest.mark.parametrize("kind", TEXTS)
def test_every_kind_of_event_has_a_plain_text(kind):
    assert str(Event(2, kind, 3, CARD)) == TEXTS[kind]


@pytest.mark.parametrize(("cards", "text"), [(0, "nothing"), (1, "1 card"), (2, "2 cards")])
def test_the_text_of_an_exchange_names_only_the_number_of_cards(cards, text):
    assert str(Event(0, "exchange", cards)) == f"seat 0: exchanges {text}"


@pytest.mark.parametrize("history", [b"\xff", b"\xff" * 9, with_cards("show", 0, CARD)[:1]])
def test_what_is_no_history_is_named(history):
    with pytest.raises(ParseError, match=r"history, byte \d+: expected an event"):
        events_of(history)


@pytest.mark.parametrize("event", [with_cards("reveal", 0, CARD), numbered("put", 0, 3)])
def test_a_history_that_is_cut_off_is_named(event):
    with pytest.raises(ParseError, match="ends inside an event, at byte 9"):
        events_of(plain("hand", 0) * 6 + event[:3])


def test_a_whole_match_reads_as_lines():
    start = SABACC.new_state(SABACC.ruleset("variable(mode=chips,dice=true,hands=3)"), [b""] * 4)
    *_, state = play_random(start, generator(1), expel=0.02)
    lines = NOTATION.events(state.hand.match.history)
    assert lines == tuple(map(str, events_of(state.hand.match.history)))
    assert lines[0] == "seat 3: deals a hand"
    assert sum(line.endswith("deals a hand") for line in lines) == state.hand.match.hand_number

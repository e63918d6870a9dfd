"""Observations of Pazaak, packed for other processes and as JSON for other languages."""

import json

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.core.chance.dealer import SeatStreams
from arena.core.chance.seeding import generator
from arena.core.errors import HarnessFault, IllegalLoadout, ParseError
from arena.games.pazaak.engine import history
from arena.games.pazaak.engine.cards import CATALOGUE, DECK_CARDS, square
from arena.games.pazaak.engine.history import events_of
from arena.games.pazaak.engine.observation import PazaakObservation
from arena.games.pazaak.engine.stages import ACT, NO_MARKS, PLAYED, Marks
from tests.games.pazaak.table import PAZAAK, Table
from tests.games.pazaak.test_properties import RULES, SEEDS, walk
from tests.sizes import volume


def sent(ruleset, observation):
    """The observation that a receiver unpacks."""
    message = msgspec.msgpack.encode(PAZAAK.wire.pack(observation))
    return PAZAAK.wire.unpack(ruleset, msgspec.msgpack.decode(message))


def things(observation):
    """All objects that are compared by identity, in order."""
    cards = [*observation.side_deck, *observation.hand, *sum(observation.dealt, ())]
    squares = [*observation.table, *observation.rival_table]
    return [*observation.legal_actions, *cards, *squares, observation.ruleset]


def arrives(ruleset, seen):
    got = sent(ruleset, seen)
    assert got == seen
    assert type(got) is PazaakObservation
    assert [*map(id, things(got))] == [*map(id, things(seen))]
    assert [type(getattr(got, f)) for f in got.__struct_fields__] == [
        type(getattr(seen, f)) for f in seen.__struct_fields__
    ]


def walk_with_chance(ruleset, seed):
    """The states of a random match in which chance is a player."""
    rng = generator(seed)
    deck = PAZAAK.loadouts.accept(ruleset, None)
    state = PAZAAK.new_state(ruleset, [deck, deck])
    yield state
    while not state.is_terminal():
        state.apply_action(rng.choice(state.legal_actions()))
        yield state


@settings(max_examples=volume(60))
@given(RULES, SEEDS)
def test_every_observation_arrives_as_it_was_sent(ruleset, seed):
    for state in walk(ruleset, seed):
        arrives(ruleset, state.observation(0))
        arrives(ruleset, state.observation(1))


@settings(max_examples=volume(20))
@given(RULES, SEEDS)
def test_observations_arrive_while_chance_is_a_player(ruleset, seed):
    for state in walk_with_chance(ruleset, seed):
        arrives(ruleset, state.observation(seed % 2))


class Receiver:
    """One seat's side of a match: what its bot's process makes of what it is sent."""

    def __init__(self, ruleset):
        self.unpack = PAZAAK.wire.unpacker(ruleset)
        self.messages = []

    def receive(self, message):
        self.messages.append(message)
        return self.unpack(msgspec.msgpack.decode(message))


def is_the_same(got, seen):
    assert got == seen
    assert type(got) is PazaakObservation
    assert [*map(id, things(got))] == [*map(id, things(seen))]
    # True and 1 are equal: only the bytes differ.
    assert msgspec.msgpack.encode(got) == msgspec.msgpack.encode(seen)


def follow(ruleset, states, pack, asks=lambda: True):
    """Sends the decisions of a match, or some of them; returns the receivers and what they saw."""
    seats = [Receiver(ruleset), Receiver(ruleset)]
    seen = [[], []]
    for state in states:
        seat = state.current_player()
        if seat >= 0 and asks():
            observation = state.observation(seat)
            is_the_same(seats[seat].receive(msgspec.msgpack.encode(pack(state, seat))), observation)
            seen[seat].append(observation)
    return seats, seen


@settings(max_examples=volume(200))
@given(RULES, SEEDS)
def test_what_is_new_gives_every_observation_of_a_match(ruleset, seed):
    follow(ruleset, walk(ruleset, seed), PAZAAK.wire.packer())


@settings(max_examples=volume(100))
@given(RULES, SEEDS, st.sampled_from((0.1, 0.5, 0.9)))
def test_what_is_new_is_right_after_decisions_that_were_not_sent(ruleset, seed, share):
    rng = generator(seed ^ 1)
    follow(ruleset, walk(ruleset, seed), PAZAAK.wire.packer(), lambda: rng.random() < share)


@settings(max_examples=volume(20))
@given(RULES, SEEDS)
def test_what_is_new_is_right_while_chance_is_a_player(ruleset, seed):
    follow(ruleset, walk_with_chance(ruleset, seed), PAZAAK.wire.packer())


@settings(max_examples=volume(20))
@given(RULES, SEEDS, st.integers(1, 30))
def test_another_process_is_sent_a_match_again_and_goes_on(ruleset, seed, lost_after):
    """A second packer writes what came before, and the first one goes on."""
    states = [state.clone() for state in walk(ruleset, seed)]
    pack, again = PAZAAK.wire.packer(), PAZAAK.wire.packer()
    follow(ruleset, states[:lost_after], pack)
    receivers, _ = follow(ruleset, states[:lost_after], again)
    for state in states[lost_after:-1]:
        seat = state.current_player()
        message = msgspec.msgpack.encode(pack(state, seat))
        is_the_same(receivers[seat].receive(message), state.observation(seat))


@settings(max_examples=volume(20))
@given(RULES, SEEDS)
def test_the_same_messages_give_the_same_observations_again(ruleset, seed):
    receivers, seen = follow(ruleset, walk(ruleset, seed), PAZAAK.wire.packer())
    for receiver, observations in zip(receivers, seen, strict=True):
        anew = Receiver(ruleset)
        assert [*map(anew.receive, receiver.messages)] == observations


@settings(max_examples=volume(60))
@given(RULES, SEEDS)
def test_what_is_new_is_short(ruleset, seed):
    receivers, _ = follow(ruleset, walk(ruleset, seed), PAZAAK.wire.packer())
    for receiver in receivers:
        first, *others = [*map(len, receiver.messages)] or [0]
        assert first < 80
        assert all(size <= 40 for size in others)


def test_a_seat_is_sent_nothing_of_what_the_other_holds():
    """The same events and own cards are the same messages, whatever the rival holds."""
    ruleset = PAZAAK.ruleset()
    own = PAZAAK.loadouts.accept(ruleset, "good")
    messages = []
    for deck in ("good", "novice"):
        state = PAZAAK.new_state(
            ruleset, [own, PAZAAK.loadouts.accept(ruleset, deck)], SeatStreams(3)
        )
        pack = PAZAAK.wire.packer()
        sent = []
        while not state.is_terminal():
            seat = state.current_player()
            sent.append((seat, pack(state, seat)))
            state.apply_action(state.legal_actions()[state.totals[seat] > 16])
        messages.append(sent)
    ours, theirs = ([message for seat, message in sent if seat == 0] for sent in messages)
    assert ours == theirs
    assert messages[0] != messages[1]


WRITTEN_BY_THE_RULES = (history.AUTO_STOOD[0], history.TIED[1], history.WON["fill"][0])


@pytest.mark.parametrize("event", WRITTEN_BY_THE_RULES)
def test_an_event_that_the_rules_do_not_lead_to_is_an_error(event):
    ruleset = PAZAAK.ruleset()
    (first, _), _ = follow(ruleset, [next(walk(ruleset, 4))], PAZAAK.wire.packer())
    with pytest.raises(HarnessFault, match=f"the events {event.hex()} are  by the rules"):
        first.unpack(event)


def test_an_event_that_is_missing_is_an_error():
    ruleset = PAZAAK.ruleset()
    *_, end = walk(ruleset, 4)
    events, hands, seat, side_deck = PAZAAK.wire.packer()(end, 0)
    without = events.replace(history.WON["outscore"][1], b"")
    assert without != events
    with pytest.raises(HarnessFault, match="by the rules"):
        PAZAAK.wire.unpacker(ruleset)([without, hands, seat, side_deck])


def test_a_hand_that_is_missing_is_an_error():
    ruleset = PAZAAK.ruleset("standard(hand_scope=set)")
    *_, end = walk(ruleset, 4)
    events, hands, seat, side_deck = PAZAAK.wire.packer()(end, 0)
    with pytest.raises(HarnessFault, match="seat 0 was not sent its hand"):
        PAZAAK.wire.unpacker(ruleset)([events, hands[:-1], seat, side_deck])


NUMBERS = st.integers(0, 10)
SQUARES = st.builds(
    square, st.integers(-300, 300), st.sampled_from((*CATALOGUE, *DECK_CARDS)), NUMBERS
)
MAGNITUDES = st.lists(NUMBERS, max_size=4).map(tuple)
MARKS = st.builds(
    Marks,
    st.tuples(MAGNITUDES, MAGNITUDES),
    st.tuples(NUMBERS, NUMBERS),
    st.tuples(st.booleans(), st.booleans()),
    MAGNITUDES,
)


@settings(max_examples=volume(60))
@given(
    st.tuples(*[st.lists(SQUARES, max_size=8)] * 2),
    st.tuples(*[st.lists(st.sampled_from(CATALOGUE), max_size=6)] * 2),
    st.tuples(st.booleans(), st.booleans()),
    MARKS,
    st.sampled_from((ACT, PLAYED)),
    st.binary(max_size=300),
    st.lists(st.lists(st.sampled_from(CATALOGUE), max_size=5).map(tuple), max_size=4).map(tuple),
)
def test_observations_of_described_situations_arrive_too(
    tables, hands, standing, marks, phase, history, dealt
):
    ruleset = PAZAAK.ruleset()
    state = PAZAAK.positions.state(
        ruleset, tables=tables, hands=hands, standing=standing, marks=marks, phase=phase,
        history=history, dealt=(dealt, dealt), set_number=1000, sets=(500, 499),
    )  # fmt: skip
    arrives(ruleset, state.observation(0))


def test_a_set_without_marks_arrives_without_any():
    ruleset = PAZAAK.ruleset()
    seen = next(walk(ruleset, 1)).observation(0)
    assert sent(ruleset, seen).marks is NO_MARKS


def test_the_json_form_of_an_observation_names_its_parts():
    table = Table(a="10 ±4:-4 6", b="9", hands=("+1 ±1T", "-2 D"), act=True, sets=(1, 0))
    table.do("play +1", "end turn").draw(8)
    seen = PAZAAK.wire.describe(table.state.observation(0))
    assert seen == {
        "seat": 0,
        "legal_actions": [],
        "history": ["seat 0: play +1", "seat 0: end turn", "seat 1: draws 8"],
        "side_deck": [],
        "dealt": [["+1", "±1T"]],
        "hand": ["±1T"],
        "rival_cards": 2,
        "table": [
            {"value": 10, "face": "10", "printed": 10},
            {"value": -4, "face": "±4", "printed": 4},
            {"value": 6, "face": "6", "printed": 6},
            {"value": 1, "face": "+1", "printed": 1},
        ],
        "rival_table": [
            {"value": 9, "face": "9", "printed": 9},
            {"value": 8, "face": "8", "printed": 8},
        ],
        "total": 13,
        "rival_total": 17,
        "standing": False,
        "rival_standing": False,
        "sets": 1,
        "rival_sets": 0,
        "starter": 0,
        "set_number": 2,
        "phase": "act",
        "turn": 1,
        "marks": {"negated": [[], []], "laid": [0, 0], "overshot": [False, False], "burnt": []},
    }
    rival = PAZAAK.wire.describe(table.state.observation(1))
    assert rival["legal_actions"] == ["end turn", "stand", "play -2", "play D"]


@settings(max_examples=volume(30))
@given(RULES, SEEDS)
def test_the_json_form_of_an_observation_omits_nothing(ruleset, seed):
    states = walk(ruleset, seed)
    seen = [state.observation(seat) for state in states for seat in (0, 1)]
    descriptions = [PAZAAK.wire.describe(observation) for observation in seen]
    for observation, description in zip(seen, descriptions, strict=True):
        assert json.loads(json.dumps(description)) == description
        assert {*description} == {*observation.__struct_fields__} - {"ruleset"}
        texts = description["legal_actions"]
        assert [*map(PAZAAK.notation.action, texts)] == [*observation.legal_actions]
        assert len(description["history"]) == len(events_of(observation.history))
    assert len({json.dumps(description) for description in descriptions}) == len({*seen})


def test_the_offer_names_the_cards_to_choose_from():
    small = PAZAAK.ruleset('standard(collection="+1 +1 -2 ±3 D +4 +5 +6 -1 -3 2&4",max_copies=2)')
    assert PAZAAK.loadouts.describe(PAZAAK.loadouts.offer(small, 1)) == {
        "seat": 1,
        "sizes": [10, 10],
        "catalogue": ["+1", "+1", "+4", "+5", "+6", "-1", "-2", "-3", "±3", "2&4", "D"],
        "unlimited": False,
    }
    offer = PAZAAK.loadouts.describe(PAZAAK.loadouts.offer(PAZAAK.ruleset("table"), 0))
    assert offer["unlimited"] is True
    assert offer["catalogue"][:7] == ["+1", "+2", "+3", "+4", "+5", "+6", "-1"]


@given(st.lists(st.sampled_from(CATALOGUE), min_size=10, max_size=10))
def test_a_side_deck_is_read_as_it_is_written(deck):
    ruleset = PAZAAK.ruleset()
    loadout = PAZAAK.loadouts.accept(ruleset, deck)
    text = PAZAAK.loadouts.text(loadout)
    assert PAZAAK.loadouts.accept(ruleset, PAZAAK.loadouts.parse(text)) == loadout


def test_a_side_deck_may_be_written_with_commas_and_plain_signs():
    deck = PAZAAK.loadouts.parse(" +1,-2, +/-3  D ±1T 2&4")
    assert [card.name for card in deck] == ["+1", "-2", "±3", "D", "±1T", "2&4"]


@pytest.mark.parametrize("text", ["+1 +2 7", "+9", "x" * 1000, "stand", "10 " * 10])
def test_what_is_no_side_card_is_refused_in_a_short_line(text):
    with pytest.raises(ParseError) as refusal:
        PAZAAK.loadouts.parse(text)
    assert len(str(refusal.value)) < 200
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("text", ["", "+1", "+1 " * 11])
def test_a_side_deck_of_the_wrong_size_can_be_read_but_is_not_accepted(text):
    with pytest.raises(IllegalLoadout):
        PAZAAK.loadouts.accept(PAZAAK.ruleset(), PAZAAK.loadouts.parse(text))

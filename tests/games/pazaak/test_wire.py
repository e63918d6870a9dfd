"""Observations of Pazaak, packed for other processes and as JSON for other languages."""

import json

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.core.errors import IllegalLoadout, ParseError
from arena.core.seeding import generator
from arena.games.pazaak.cards import CATALOGUE, DECK_CARDS, square
from arena.games.pazaak.history import events_of
from arena.games.pazaak.observation import PazaakObservation
from arena.games.pazaak.stages import ACT, NO_MARKS, PLAYED, Marks
from tests.games.pazaak.table import PAZAAK, Table
from tests.games.pazaak.test_properties import RULES, SEEDS, walk
from tests.sizes import volume


def sent(ruleset, observation):
    """The observation that a receiver unpacks."""
    message = msgspec.msgpack.encode(PAZAAK.pack(observation))
    return PAZAAK.unpack(ruleset, msgspec.msgpack.decode(message))


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
    deck = PAZAAK.accept_loadout(ruleset, None)
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
    state = PAZAAK.position(
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
    seen = PAZAAK.describe(table.state.observation(0))
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
        "marks": {
            "negated": [[], []],
            "laid": [0, 0],
            "overshot": [False, False],
            "burnt": [],
        },
    }
    rival = PAZAAK.describe(table.state.observation(1))
    assert rival["legal_actions"] == ["end turn", "stand", "play -2", "play D"]


@settings(max_examples=volume(30))
@given(RULES, SEEDS)
def test_the_json_form_of_an_observation_omits_nothing(ruleset, seed):
    states = walk(ruleset, seed)
    seen = [state.observation(seat) for state in states for seat in (0, 1)]
    descriptions = [PAZAAK.describe(observation) for observation in seen]
    for observation, description in zip(seen, descriptions, strict=True):
        assert json.loads(json.dumps(description)) == description
        assert {*description} == {*observation.__struct_fields__} - {"ruleset"}
        texts = description["legal_actions"]
        assert [*map(PAZAAK.notation.action, texts)] == [*observation.legal_actions]
        assert len(description["history"]) == len(events_of(observation.history))
    assert len({json.dumps(description) for description in descriptions}) == len({*seen})


def test_the_offer_names_the_cards_to_choose_from():
    small = PAZAAK.ruleset('standard(collection="+1 +1 -2 ±3 D +4 +5 +6 -1 -3 2&4",max_copies=2)')
    assert PAZAAK.describe_offer(PAZAAK.offer(small, 1)) == {
        "seat": 1,
        "sizes": [10, 10],
        "catalogue": ["+1", "+1", "+4", "+5", "+6", "-1", "-2", "-3", "±3", "2&4", "D"],
        "unlimited": False,
    }
    offer = PAZAAK.describe_offer(PAZAAK.offer(PAZAAK.ruleset("table"), 0))
    assert offer["unlimited"] is True
    assert offer["catalogue"][:7] == ["+1", "+2", "+3", "+4", "+5", "+6", "-1"]


@given(st.lists(st.sampled_from(CATALOGUE), min_size=10, max_size=10))
def test_a_side_deck_is_read_as_it_is_written(deck):
    ruleset = PAZAAK.ruleset()
    loadout = PAZAAK.accept_loadout(ruleset, deck)
    text = PAZAAK.notation.loadout(loadout)
    assert PAZAAK.accept_loadout(ruleset, PAZAAK.notation.parse_loadout(text)) == loadout


def test_a_side_deck_may_be_written_with_commas_and_plain_signs():
    deck = PAZAAK.notation.parse_loadout(" +1,-2, +/-3  D ±1T 2&4")
    assert [card.name for card in deck] == ["+1", "-2", "±3", "D", "±1T", "2&4"]


@pytest.mark.parametrize("text", ["+1 +2 7", "+9", "x" * 1000, "stand", "10 " * 10])
def test_what_is_no_side_card_is_refused_in_a_short_line(text):
    with pytest.raises(ParseError) as refusal:
        PAZAAK.notation.parse_loadout(text)
    assert len(str(refusal.value)) < 200
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("text", ["", "+1", "+1 " * 11])
def test_a_side_deck_of_the_wrong_size_can_be_read_but_is_not_accepted(text):
    with pytest.raises(IllegalLoadout):
        PAZAAK.accept_loadout(PAZAAK.ruleset(), PAZAAK.notation.parse_loadout(text))

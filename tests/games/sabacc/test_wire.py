"""Observations of Sabacc, packed for other processes and as JSON for other languages."""

import json
from itertools import islice

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.core.chance.seeding import generator
from arena.core.errors import ParseError
from arena.games.sabacc.cards.rulesets import MAX_CHIPS, RULESETS
from arena.games.sabacc.engine.actions import PUT_, stake
from arena.games.sabacc.engine.history import events_of
from arena.games.sabacc.engine.observation import SabaccObservation
from arena.games.sabacc.engine.stages import BET
from arena.games.sabacc.engine.state import SabaccState
from arena.games.sabacc.engine.wire import PACKING
from tests.games.sabacc.play import SABACC, TEN, TWENTY, any_rules, match, play_random, situation
from tests.sizes import volume

SEEDS = st.integers(0, 2**32)
EXPELLING = st.sampled_from([0.0, 0.0, 0.05])
FOLDING = st.sampled_from([0.0, 0.1, 0.4])
DERIVED = ("owed", "hands_left", "ante", "target")  # described, though no fields


def sent(observation):
    """The observation that a receiver unpacks."""
    message = msgspec.msgpack.encode(SABACC.wire.pack(observation))
    return SABACC.wire.unpack(observation.rules, msgspec.msgpack.decode(message))


def things(observation):
    """All objects that are compared by identity, in order."""
    rows = (*observation.shown, *observation.laid, *observation.extra)
    cards = [*observation.hand, *sum(rows, ())]
    return [*observation.legal_actions, *cards, observation.rules, observation.variant]


def arrives(seen):
    same(sent(seen), seen)


def same(got, seen):
    assert got == seen
    assert type(got) is SabaccObservation
    assert [*map(id, things(got))] == [*map(id, things(seen))]
    # True and 1 are equal, and so are lists of them: only the bytes differ.
    assert msgspec.msgpack.encode(got) == msgspec.msgpack.encode(seen)


def walk(rules, seats, seed, expel=0.0, fold=0.1):
    state = SABACC.new_state(rules, [b""] * seats)
    return play_random(state, generator(seed), expel, fold)


@settings(max_examples=volume(60))
@given(any_rules, st.sampled_from(SABACC.seats), SEEDS, EXPELLING, FOLDING)
def test_every_observation_arrives_as_it_was_sent(rules, seats, seed, expel, fold):
    for state in islice(walk(rules, seats, seed, expel, fold), 400):
        for seat in range(seats):
            arrives(state.observation(seat))


@settings(max_examples=volume(60))
@given(any_rules, st.sampled_from(SABACC.seats), SEEDS, EXPELLING, FOLDING)
def test_every_seat_is_sent_what_changed(rules, seats, seed, expel, fold):
    """Of any of the states of a match, in order; a seat is sent some of them."""
    pack = PACKING.packer(SabaccState.fields, changes=True)
    unpack = [PACKING.unpacker(rules, changes=True) for _ in range(seats)]
    rng = generator(seed)
    for state in islice(walk(rules, seats, seed, expel, fold), 400):
        for seat in range(seats):
            if rng.random() < 0.5:
                written = msgspec.msgpack.encode(pack(state, seat))
                same(unpack[seat](msgspec.msgpack.decode(written)), state.observation(seat))


@settings(max_examples=volume(30))
@given(any_rules, st.sampled_from(SABACC.seats), SEEDS)
def test_the_fields_of_a_state_are_those_of_its_observation(rules, seats, seed):
    for state in islice(walk(rules, seats, seed), 100):
        for seat in range(seats):
            fields, seen = state.fields(seat), msgspec.structs.astuple(state.observation(seat))
            assert fields == seen
            assert msgspec.msgpack.encode(fields) == msgspec.msgpack.encode(seen)


@pytest.mark.parametrize("changes", [False, True])
def test_later_observations_are_short(changes):
    """Some 14 of 52 fields change between two decisions of a seat; the history is sent once."""
    pack = PACKING.packer(SabaccState.fields, changes)
    sizes = {0: [], 1: []}
    for state in walk(SABACC.ruleset("new_republic(hands=12)"), 2, 5):
        if (seat := state.current_player()) >= 0:
            sizes[seat].append(len(msgspec.msgpack.encode(pack(state, seat))))
    for first, *later in sizes.values():
        assert len(later) > 20
        assert first > 90
        mean = sum(later) / len(later)  # bytes
        assert mean < 90 if changes else mean > 300


@pytest.mark.parametrize("name", RULESETS)
def test_every_ruleset_arrives_to_the_end_of_a_match(name):
    states = list(walk(SABACC.ruleset(f"{name}(hands=2)"), 3, 7))
    for seat in range(3):
        arrives(states[-1].observation(seat))


def test_a_choice_of_thousands_of_stakes_is_a_few_bytes():
    table = situation(
        "1 of Coins", "2 of Coins", stage=BET, options={"mode": "chips", "cap": 0, "stack": 10**6}
    )
    seen = table.state.observation(table.to_act())
    assert len(seen.legal_actions) > MAX_CHIPS - 2
    assert stake(PUT_, MAX_CHIPS) in seen.legal_actions
    arrives(seen)
    assert len(SABACC.wire.pack(seen)) < 300


def test_the_variant_in_force_arrives_when_it_has_changed():
    states = walk(SABACC.ruleset("variable(tick_every=1,hands=2)"), 2, 3)
    variants = {sent(state.observation(0)).variant.name for state in states}
    assert len(variants) > 2


def test_the_json_form_of_an_observation_names_its_parts():
    """The second hand of two: nothing is on the table but the stakes."""
    first = "Jedi Master, 5 of Coins, Ace of Staves", "7 of Flasks, 2 of Coins, 1 of Coins"
    options = {"variant": "imperial", "mode": "chips", "hands": 2, "cap": 3, "stack": 9}
    table = match(2, *first, TWENTY, TEN, **options).do("put 2", "fold", "put 1")
    seen = SABACC.wire.describe(table.state.observation(0))
    nothing_yet = {
        "shown": [[], []],
        "laid": [[], []],
        "extra": [[], []],
        "won": [],
        "expelled": [],
        "queue": [],
        "slips_out": [],
        "due": [],
        "out_since": [0, 0],
        "rolls": [0, 0],
        "all_in": [False, False],
        "drew_first": [False, False],
    }
    zeros = (
        *("turn", "step", "button", "carried", "to_call", "raises", "gone"),
        *("shuffles", "shifts", "slips_drawn", "slips_in_hand"),
    )
    noes = ("swapping", "raised", "demanded", "drew", "recycled")
    assert {name: seen.pop(name) for name in nothing_yet} == nothing_yet
    assert [seen.pop(name) for name in zeros] == [0] * len(zeros)
    assert [seen.pop(name) for name in noes] == [False] * len(noes)
    assert seen == {
        "seat": 0,
        "legal_actions": ["put 1", "put 2", "put 3", "fold"],
        "history": [
            "seat 1: deals a hand",
            "seat 0: puts 1 to enter",
            "seat 1: puts 1 to enter",
            "seat 0: puts 2",
            "seat 1: folds",
            "seat 0: wins (+4)",
            "seat 0: deals a hand",
            "seat 1: puts 1 to enter",
            "seat 0: puts 1 to enter",
            "seat 1: puts 1",
        ],
        "hand": ["3 of Staves", "3 of Flasks", "4 of Coins"],
        "memory": ["4 of Coins", "3 of Flasks", "3 of Staves"],
        "past": [["Jedi Master", "5 of Coins", "Ace of Staves"]],
        "variant": "imperial",
        "player": 0,
        "stage": "betting",
        "need": "nothing",
        "waiting": [0],
        "hand_number": 2,
        "hand_start": 6,
        "active": [True, True],
        "amounts": [9, 6],
        "pot": 3,
        "staked": [1, 2],
        "round_put": [0, 1],
        "last_stake": 1,
        "opener": 1,
        "ticks": 3,
        "untouched": [True, True],
        "hand_sizes": [3, 3],
        "owed": 1,
        "hands_left": 0,
        "ante": 1,
        "target": 0,
    }


@settings(max_examples=volume(30))
@given(any_rules, st.sampled_from(SABACC.seats), SEEDS, EXPELLING)
def test_the_json_form_of_an_observation_omits_nothing(rules, seats, seed, expel):
    states = islice(walk(rules, seats, seed, expel), 120)
    seen = [state.observation(seed % seats) for state in states]
    descriptions = [SABACC.wire.describe(observation) for observation in seen]
    for observation, description in zip(seen, descriptions, strict=True):
        assert json.loads(json.dumps(description)) == description
        assert {*description} == {*observation.__struct_fields__, *DERIVED} - {"rules"}
        texts = description["legal_actions"]
        assert [*map(SABACC.notation.action, texts)] == [*observation.legal_actions]
        lines, start = description["history"], description["hand_start"]
        assert len(lines) == len(events_of(observation.history))
        assert len(lines) - start == len(observation.hand_events)
    assert len({json.dumps(description) for description in descriptions}) == len({*seen})


@pytest.mark.parametrize("text", ["", "  "])
def test_the_loadout_of_sabacc_is_empty(text):
    loadout = SABACC.loadouts.parse(text)
    assert SABACC.loadouts.accept(SABACC.ruleset(), loadout) == b""
    assert SABACC.loadouts.text(b"") == ""


@pytest.mark.parametrize("text", ["+1", "Jedi Master", "x" * 1000])
def test_any_other_loadout_is_refused_in_a_short_line(text):
    with pytest.raises(ParseError, match="sabacc has no loadouts; leave out '") as refusal:
        SABACC.loadouts.parse(text)
    assert len(str(refusal.value)) < 100

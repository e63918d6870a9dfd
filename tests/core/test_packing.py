"""Packing of observations by declared fields, and the bounds of its memos."""

import subprocess
import sys

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.core.actions import Action
from arena.core.dealer import SeatStreams
from arena.core.game import Ruleset
from arena.core.observation import Observation
from arena.core.packing import Code, Memo, Packing, row, rows
from arena.core.seeding import generator
from arena.games.pazaak.game import Pazaak
from arena.games.sabacc.game import Sabacc

RULES = Ruleset(name="plain", source="made for tests")
LEAVES = tuple(Action(id, f"leaf {id}") for id in range(200))
LEAF = LEAVES.__getitem__
A_ROW = st.lists(st.sampled_from(LEAVES), max_size=12).map(tuple)


def number(leaf):
    return leaf.id


class Heap(Observation, frozen=True):
    rules: Ruleset
    leaves: tuple[Action, ...]
    heaps: tuple[tuple[Action, ...], ...]
    counts: tuple[int, ...]
    flags: tuple[bool, ...]
    big: int = 0
    word: str = ""
    maybe: tuple[int, int] | None = None


PACKING = Packing(
    Heap,
    "rules",
    {
        "legal_actions": row(number, LEAF),
        "leaves": row(number, LEAF),
        "heaps": rows(number, LEAF),
    },
)
HEAPS = st.builds(
    Heap,
    st.integers(0, 5),
    A_ROW,
    st.binary(max_size=40),
    st.just(RULES),
    A_ROW,
    st.lists(A_ROW, max_size=5).map(tuple),
    st.lists(st.integers(-(2**63), 2**63 - 1)).map(tuple),
    st.lists(st.booleans()).map(tuple),
    st.integers(-(2**63), 2**64 - 1),
    st.text(),
    st.none() | st.tuples(st.integers(0, 9), st.integers(0, 9)),
)


@given(HEAPS)  # actions compare by identity
def test_an_observation_is_read_as_it_was_written(seen):
    got = PACKING.unpack(RULES, PACKING.pack(seen))
    assert got == seen
    assert got.rules is RULES
    assert msgspec.msgpack.encode(got) == msgspec.msgpack.encode(seen)


@given(HEAPS, st.data())
def test_what_was_cut_off_is_refused(seen, data):
    packed = PACKING.pack(seen)
    cut = data.draw(st.integers(0, len(packed) - 1))
    with pytest.raises(msgspec.DecodeError):
        PACKING.unpack(RULES, packed[:cut])


def test_a_field_of_another_type_is_refused():
    packed = PACKING.pack(Heap(0, (), b"", RULES, (), (), (1,), (True,)))
    values = msgspec.msgpack.decode(packed)
    values[6] = ["one"]
    with pytest.raises(msgspec.ValidationError):
        PACKING.unpack(RULES, msgspec.msgpack.encode(values))


def test_a_heap_of_nothing_is_not_nothing():
    code = rows(number, LEAF)
    for heaps in ((), ((),), ((), ()), ((LEAVES[0],), ())):
        assert code.things[code.written[heaps]] == heaps


def test_a_memo_computes_a_value_once_and_is_bounded():
    asked = []
    memo = Memo(lambda thing: asked.append(thing) or -thing, 10)
    for number in [*range(35), 34, 33]:
        assert memo[number] == -number
        assert len(memo) <= 10
    assert asked == [*range(35)]


def test_the_memo_of_a_code_is_bounded():
    code = Code(int, lambda thing: thing + 1, lambda plain: plain - 1, memo=3)
    for number in range(100):
        assert code.things[code.written[number]] == number
    assert max(len(code.written), len(code.things)) <= 3


ELSEWHERE = """
import sys
import msgspec
from arena.games.{game}.game import {kind}
game = {kind}()
rules = game.ruleset(sys.argv[1])
seen = [game.unpack(rules, packed) for packed in msgspec.msgpack.decode(sys.stdin.buffer.read())]
received = [(game.pack(one), [action.id for action in one.legal_actions]) for one in seen]
answers = [game.notation.action(game.describe(one)["legal_actions"][-1]).id for one in seen]
sys.stdout.buffer.write(msgspec.msgpack.encode((received, answers)))
"""


@pytest.mark.parametrize(
    ("game", "spelling"),
    [
        (Pazaak(), "console(hand_scope=set,flip_scope=both)"),
        (Sabacc(), "variable(dice=true,hands=4,mode=chips,slip_return=kept_out)"),
    ],
    ids=["pazaak", "sabacc"],
)
def test_another_process_unpacks_the_same_observations(game, spelling):
    rules, rng, seen = game.ruleset(spelling), generator(1), []
    for seed in range(4):
        state = game.new_state(rules, [game.accept_loadout(rules, None)] * 2, SeatStreams(seed))
        while not state.is_terminal():
            seen.append(state.observation(state.current_player()))
            state.apply_action(rng.choice(state.legal_actions()))
    script = ELSEWHERE.format(game=game.name, kind=type(game).__name__)
    sent = [game.pack(one) for one in seen]
    back = subprocess.run(
        [sys.executable, "-c", script, spelling],
        input=msgspec.msgpack.encode(sent), capture_output=True, check=True,
    )  # fmt: skip
    received, answers = msgspec.msgpack.decode(back.stdout)
    legal = [[action.id for action in one.legal_actions] for one in seen]
    assert received == [[packed, ids] for packed, ids in zip(sent, legal, strict=True)]
    assert answers == [ids[-1] for ids in legal]

"""Packing of observations by declared fields, and the bounds of its memos."""

import subprocess
import sys

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.core.actions import Action
from arena.core.chance.dealer import SeatStreams
from arena.core.chance.seeding import generator
from arena.core.game import Ruleset
from arena.core.observation import Observation
from arena.core.parts.packing import Code, Memo, Packing, row, rows
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
    nested: tuple[tuple[int, ...], ...] = ()
    share: float = 0.0


PACKING = Packing(
    Heap,
    "rules",
    {"legal_actions": row(number, LEAF), "leaves": row(number, LEAF), "heaps": rows(number, LEAF)},
    growing=("history",),
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
    st.lists(st.lists(st.integers(0, 9), max_size=3).map(tuple), max_size=3).map(tuple),
    st.floats(allow_nan=False),
)
FIELDS = Heap.__struct_fields__


def of_seats(state, seat):
    """The fields of a seat's observation, where a state is the observations of all seats."""
    return msgspec.structs.astuple(state[seat])


def sending(packing=PACKING, seats=3, fields_of=of_seats):
    """A function that sends a seat its observation; returns what was written, and what is read."""
    pack = packing.packer(fields_of, changes=True)
    unpack = [packing.unpacker(RULES, changes=True) for _ in range(seats)]

    def send(state, seat):
        written = msgspec.msgpack.decode(msgspec.msgpack.encode(pack(state, seat)))
        return written, unpack[seat](written)

    return send


def places(written):
    """The names of the fields that were sent after the first observation."""
    return [name for at, name in enumerate(FIELDS) if written[-1] >> at & 1]


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


@given(st.lists(HEAPS, min_size=3, max_size=3), st.data())
def test_a_match_is_read_as_it_was_written(state, data):
    """Three seats are sent their observations in any order, while any of their fields change."""
    send = sending()
    for _ in range(data.draw(st.integers(1, 12))):
        seat = data.draw(st.integers(0, 2))
        others = data.draw(HEAPS)
        changed = data.draw(st.sets(st.sampled_from(FIELDS)))
        changes = {name: getattr(others, name) for name in changed}
        changes["history"] = state[seat].history + changes.get("history", b"")
        state[seat] = msgspec.structs.replace(state[seat], **changes)
        _, got = send(state, seat)
        assert got == state[seat]
        assert got.rules is RULES
        assert [*map(id, got.legal_actions)] == [*map(id, state[seat].legal_actions)]
        # True and 1 are equal, and so are lists of them: only the bytes differ.
        assert msgspec.msgpack.encode(got) == msgspec.msgpack.encode(state[seat])


START = Heap(0, (), b"abc", RULES, LEAVES[:2], (), (1,), (True,))


def test_fields_that_have_not_changed_are_not_sent():
    send, state = sending(), [START]
    assert send(state, 0)[0] == PACKING.pack(START)
    state[0] = msgspec.structs.replace(START, leaves=LEAVES[1:4], word="new")
    written, _ = send(state, 0)
    assert written == [bytes([1, 2, 3]), "new", written[-1]]
    assert places(written) == ["leaves", "word"]
    assert send(state, 0) == ([0], state[0])


def test_of_a_growing_field_the_end_is_sent():
    send, state = sending(), [START]
    send(state, 0)
    for added in (b"d", b"", b"efg"):
        state[0] = msgspec.structs.replace(state[0], history=state[0].history + added)
        written, got = send(state, 0)
        assert written[:-1] == [added] * bool(added)
        assert got == state[0]


def test_what_is_equal_but_another_object_is_sent():
    """True and 1 are equal, and so are equal rulesets, of which the receiver has its own."""
    send, state = sending(), [msgspec.structs.replace(START, big=1)]
    send(state, 0)
    state[0] = msgspec.structs.replace(START, big=True, rules=msgspec.structs.replace(RULES))
    written, got = send(state, 0)
    assert places(written) == ["rules", "big"]
    assert written[:-1] == [None, True]
    assert got.big is True
    assert got.rules is RULES


def test_what_another_seat_was_sent_is_sent_again():
    send, state = sending(), [START, msgspec.structs.replace(START, seat=1)]
    assert [type(send(state, seat)[0]) for seat in (0, 1, 0)] == [bytes, bytes, list]


def test_an_observation_that_was_read_does_not_change_with_the_next():
    send, state = sending(), [START]
    _, first = send(state, 0)
    state[0] = msgspec.structs.replace(START, history=b"abcd", counts=(2, 3))
    _, second = send(state, 0)
    assert (first, second) == (START, state[0])


def test_who_is_sent_a_match_again_from_its_start_reads_the_same():
    pack, state, written = PACKING.packer(of_seats, changes=True), [START], []
    for number in range(5):
        state[0] = msgspec.structs.replace(START, history=b"abc" * (number + 1), big=number)
        written.append(pack(state, 0))
    twins = [PACKING.unpacker(RULES, changes=True) for _ in range(2)]
    some, others = ([unpack(one) for one in written] for unpack in twins)
    assert some == others
    assert some[-1] == state[0]


@pytest.mark.parametrize("count", [64, 65, 70])
def test_observations_of_many_fields_are_sent(count):
    """Changes are bits of a number, of which msgpack has 64; of more fields all are sent."""
    more = [(f"field{n}", int) for n in range(count - 4)]
    kind = msgspec.defstruct("Many", [("rules", Ruleset), *more], bases=(Observation,), frozen=True)
    packing = Packing(kind, "rules", {"legal_actions": row(number, LEAF)})
    send = sending(packing)
    state = [kind(0, (), b"", RULES, *range(count - 4))]
    send(state, 0)
    state[0] = msgspec.structs.replace(state[0], **{more[-1][0]: -1})
    written, got = send(state, 0)
    assert got == state[0]
    assert written == ([-1, 1 << 63] if count == 64 else packing.pack(state[0]))


def test_the_fields_are_the_observations_or_what_a_game_says_faster():
    class State:
        def observation(self, seat):
            return START

    assert PACKING.packer()(State(), 0) == PACKING.pack(START)


@pytest.mark.parametrize("changes", [False, True])
def test_observations_are_sent_whole_where_that_is_faster(changes):
    pack, unpack = PACKING.packer(of_seats, changes), PACKING.unpacker(RULES, changes)
    written = [pack([START], 0) for _ in range(2)]
    assert [type(one) for one in written] == [bytes, list if changes else bytes]
    assert [unpack(one) for one in written] == [START, START]


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
sent = msgspec.msgpack.decode(sys.stdin.buffer.read())
seen = [game.wire.unpack(rules, packed) for packed in sent]
received = [(game.wire.pack(one), [action.id for action in one.legal_actions]) for one in seen]
answers = [game.notation.action(game.wire.describe(one)["legal_actions"][-1]).id for one in seen]
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
        state = game.new_state(rules, [game.loadouts.accept(rules, None)] * 2, SeatStreams(seed))
        while not state.is_terminal():
            seen.append(state.observation(state.current_player()))
            state.apply_action(rng.choice(state.legal_actions()))
    script = ELSEWHERE.format(game=game.name, kind=type(game).__name__)
    sent = [game.wire.pack(one) for one in seen]
    back = subprocess.run(
        [sys.executable, "-c", script, spelling],
        input=msgspec.msgpack.encode(sent), capture_output=True, check=True,
    )  # fmt: skip
    received, answers = msgspec.msgpack.decode(back.stdout)
    legal = [[action.id for action in one.legal_actions] for one in seen]
    assert received == [[packed, ids] for packed, ids in zip(sent, legal, strict=True)]
    assert answers == [ids[-1] for ids in legal]

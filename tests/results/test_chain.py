"""The hash chain over results: a head a round, the same however the matches were stored."""

from __future__ import annotations

from hashlib import sha256

import msgspec
import pytest
import trio
from arena_results.schema.rows import EntryRow, Status
from arena_results.store.chain import first_head, next_head
from arena_results.store.queries import tournament
from arena_results.store.store import Store

from arena.core.errors import BadStore
from arena.core.tournaments.format import Pairing, Round

ROUNDS = (Round(1, (Pairing((0, 1)), Pairing((2, 3)))), Round(2, (Pairing((0, 2)),), byes=(1, 3)))


@pytest.fixture
def matches(played):
    first = [
        played((1, board, leg), (2 * board - 2, 2 * board - 1))
        for board in (1, 2)
        for leg in (1, 2)
    ]
    return first, [played((2, 1, 1), (0, 2), 1)]


@pytest.fixture
def heads(database, new, field):
    """Stores rounds of matches, each in some batches, and returns the heads of its chain."""

    def heads(*rounds, finished=True, **changes):
        async def store():
            writer = Store(database)
            cup = await writer.create_tournament(new(**changes), list(map(EntryRow, field)))
            for round, batches in zip(ROUNDS, rounds, strict=False):
                await writer.save_round(cup, round)
                for batch in batches:
                    await writer.sink(cup).write(batch)
                await writer.sink(cup).close_round(round.number)
            await writer.set_status(cup, Status.FINISHED if finished else Status.INTERRUPTED)
            return cup

        found = tournament(database, trio.run(store))
        assert found.chain == (found.heads[-1] if finished else None)
        return found.heads

    return heads


def test_the_order_and_the_batches_of_storing_do_not_change_it(heads, matches):
    first, second = matches
    whole = heads([first], [second])
    assert whole == heads([[match] for match in reversed(first)], [second])
    assert whole == heads([first[2:], first[:2]], [second], name="another cup", seed=3)


def test_it_is_what_its_description_says(heads, matches, new):
    encode = msgspec.msgpack.encode
    first, second = matches
    head = sha256(encode([1, "dice", "standard", "1", "swiss", 4, True, 2, 0, 0])).digest()
    for round, played in zip(
        ([1, [[0, 1], [2, 3]], []], [2, [[0, 2]], [1, 3]]), (first, second), strict=True
    ):
        parts = [[m.key.pairing, m.key.leg, m.record.to_bytes()] for m in played]
        head = sha256(head + b"".join(map(encode, [round, *parts]))).digest()
    assert heads([first], [second])[-1] == head.hex()


def test_every_part_of_it_counts(heads, matches, played, new):
    first, second = matches
    whole = heads([first], [second])[-1]
    others = [
        heads([[played((1, 1, 1), (1, 0)), *first[1:]]], [second]),
        heads([first[1:]], [second]),
        heads([first], [[played((2, 1, 1), (0, 2), 1, actions=b"\1")]]),
        *(heads([first], [second], **terms) for terms in ({"stake": 1}, {"format": "round-robin"})),
    ]
    assert len({whole, *(chain[-1] for chain in others)}) == 6
    start = first_head(new())
    rounds = {
        next_head(start, each, ()) for each in (*ROUNDS, Round(2, ROUNDS[1].pairings, (3, 1)))
    }
    assert len(rounds) == 3


def test_a_round_that_is_closed_already_stays_as_it_is(database, heads, matches, played):
    before = heads([matches[0]], finished=False)

    async def again():
        sink = Store(database).sink(1)
        await sink.write([played((1, 1, 3), (0, 1))])
        await sink.close_round(1)

    trio.run(again)
    assert tournament(database, 1).heads == before


@pytest.mark.parametrize("number", [1, 2])
def test_a_round_is_closed_in_order_and_once_it_is_stored(database, heads, matches, number):
    heads(finished=False)

    async def close():
        store = Store(database)
        if number == 2:
            for round in ROUNDS:
                await store.save_round(1, round)
        await store.close_round(1, number)

    with pytest.raises(BadStore, match=f"round {number} of tournament 1 follows none in the chain"):
        trio.run(close)

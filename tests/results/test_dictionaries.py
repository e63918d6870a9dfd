"""Records are deflated by the first ones of their tournament."""

from __future__ import annotations

import pytest
import trio
from arena_results.schema.checksums import MATCH
from arena_results.schema.dictionaries import dictionary_of
from arena_results.schema.packing import Packer, learned
from arena_results.schema.rows import EntryRow
from arena_results.store.organising import delete_tournament
from arena_results.store.queries import matches
from arena_results.store.store import Store
from msgspec import structs

from arena.core.errors import AlteredResults, HarnessFault
from arena.core.outcome import Outcome
from arena.core.record import PlayedMatch
from tests.results.conftest import FIELD, ROUND
from tests.results.database_files import edit

ACTIONS = bytes(range(40))


@pytest.fixture
def sent(played):
    return [played((1, 1, leg), (0, 1), 1, actions=ACTIONS + bytes((leg,))) for leg in range(1, 9)]


def dictionary(database, number: int) -> bytes:
    with database.reading() as connection:
        return dictionary_of(connection, number)


def test_a_record_like_the_first_takes_a_few_bytes(sent):
    keys = [each.key for each in FIELD]
    record = MATCH.picks("record")
    with_it, without = (
        len(record(Packer("dice", "standard", "1", keys, known).row(1, sent[7])))
        for known in (learned(sent[:4]), b"")
    )
    assert without > 40 > 12 > with_it


def test_the_first_matches_make_the_dictionary_and_later_ones_keep_it(database, run, new, sent):
    number = run(new(), sent[:3])
    made = dictionary(database, number)
    assert made == learned(sent[:3])
    trio.run(Store(database).sink(number).write, sent[3:])
    assert dictionary(database, number) == made
    assert [each for _, each in matches(database, number)] == sent
    delete_tournament(database, number)
    assert dictionary(database, number) == b""


def test_writers_that_began_before_the_first_match_pack_by_the_same(database, new, sent):
    async def store() -> int:
        number = await Store(database).create_tournament(new(), [*map(EntryRow, FIELD)])
        await Store(database).save_round(number, ROUND)
        one, other = (Store(database).sink(number) for _ in range(2))
        await one.write(sent[4:])
        await other.write(sent[:4])
        return number

    number = trio.run(store)
    assert dictionary(database, number) == learned(sent[4:])
    assert [each for _, each in matches(database, number)] == sent


def test_matches_that_were_refused_leave_no_dictionary(database, run, new, sent, played):
    number = run(new(), [])
    early = played((7, 1, 1), (0, 1), 1)
    with pytest.raises(HarnessFault, match="came before its round"):
        trio.run(Store(database).sink(number).write, [early])
    assert dictionary(database, number) == b""


def test_records_that_do_not_follow_from_their_rows_are_stored_whole(database, run, new, played):
    engine, outcome = {"engine": "0"}, {"outcome": Outcome((-0.0, 0.0), (2, 2))}
    sent = [
        changed(played((1, 1, 1), (0, 1), -1), **engine),
        changed(played((1, 1, 2), (1, 0)), **outcome),
        played((1, 1, 3), (0, 1), 1),
    ]
    number = run(new(), sent)
    found = [each for _, each in matches(database, number)]
    assert found == sent
    assert [each.record.to_bytes() for each in found] == [each.record.to_bytes() for each in sent]


def changed(match: PlayedMatch, **changes: object) -> PlayedMatch:
    return structs.replace(match, record=structs.replace(match.record, **changes))


def test_records_without_their_dictionary_are_altered_results(database, run, new, sent):
    number = run(new(), sent)
    edit(database, "DELETE FROM dictionary")
    missing = r"match 1\.1\.1: its record cannot be read: the dictionary of its tournament is miss"
    with pytest.raises(AlteredResults, match=missing):
        [each for _, each in matches(database, number)]

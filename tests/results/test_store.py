from __future__ import annotations

import subprocess
import sys
from contextlib import ExitStack

import pytest
import trio
import trio.testing
from arena_results.bots.seasons import Season, seasons
from arena_results.file.database import open_database
from arena_results.file.runner_lock import RunnerLock
from arena_results.schema.rows import EntryRow, Status
from arena_results.store.queries import match_rows, matches, tournament, tournaments
from arena_results.store.store import Store
from sqlalchemy import text

from arena.core.errors import BadInput, BadStore, HarnessFault, UnknownName
from arena.core.outcome import Fault, Termination
from arena.core.record import MatchKey
from arena.core.tournaments.format import Pairing, Round

ROUND = Round(1, (Pairing((0, 1)), Pairing((3, 2))), byes=(4,))


@pytest.fixture
def entries(field):
    return [EntryRow(participant, 1500.0 + index) for index, participant in enumerate(field)]


@pytest.fixture
async def store(database):
    return Store(database)


@pytest.fixture
async def cup(store, new, entries):
    """A running tournament whose first round is paired."""
    number = await store.create_tournament(new(), entries)
    await store.save_round(number, ROUND)
    return number


async def test_a_tournament_is_read_as_it_was_stored(database, store, cup, entries, played):
    await store.save_round(cup, Round(2, (Pairing((1, 0)),)))
    sent = [
        played((1, 1, 1), (0, 1), 1),
        played((1, 2, 1), (3, 2), -1, termination=Termination.CRASH),
    ]
    await store.sink(cup).write(sent)
    stored = tournament(database, cup)
    assert stored.field == tuple(entries)
    assert stored.rounds == (ROUND, Round(2, (Pairing((1, 0)),)))
    assert list(stored.played) == [MatchKey(1, 1, 1), MatchKey(1, 2, 1)]
    crash = stored.played[MatchKey(1, 2, 1)]
    assert (crash.seats, crash.returns, crash.scores) == ((3, 2), (-1.0, 1.0), (3, 1))
    assert (crash.termination, crash.offender, crash.move) == (Termination.CRASH, 0, 5)
    assert stored.summary.seed == 2**63 - 1
    assert stored.summary.spec == '{"a": 1}'
    assert (stored.summary.entries, stored.summary.matches) == (4, 2)
    assert [each for _, each in matches(database, cup)] == sent


async def test_the_faults_of_expelled_seats_are_read_as_stored(database, store, cup, played):
    faults = (
        Fault(2, Termination.ILLEGAL_ACTION, 17, 'illegal action: "7"'),
        Fault(0, Termination.TIMEOUT, 21),
    )
    sent = [
        played((1, 1, 1), (0, 1, 2), places=(2, 1, 3), expelled=faults),
        played(
            (1, 1, 2),
            (1, 2, 0),
            places=(2, 1, 3),
            expelled=faults[:1],
            termination=Termination.CRASH,
        ),
        played((1, 1, 3), (2, 0, 1), places=(1, 1, 3)),
    ]
    await store.sink(cup).write(sent)
    assert [match.expelled for match in match_rows(database, cup)] == [faults, faults[:1], ()]
    assert [each for _, each in matches(database, cup)] == sent


async def test_matches_are_read_in_schedule_order(database, store, cup, played):
    places = [(1, pairing, leg) for pairing in (1, 2) for leg in (1, 2, 11)]
    sent = [played(place, (0, 1), 1) for place in places]
    async with trio.open_nursery() as nursery:
        for match in reversed(sent):
            nursery.start_soon(store.sink(cup).write, [match])
    assert [each for _, each in matches(database, cup)] == sent


async def test_the_same_record_again_is_ignored(database, store, cup, played):
    sink = store.sink(cup)
    first, second, third = (played((1, 1, leg), (0, 1), 1) for leg in (1, 2, 3))
    await sink.write([first])
    await sink.write([])
    await sink.write([first, second, third, second])
    assert [each for _, each in matches(database, cup)] == [first, second, third]


async def test_another_record_of_a_stored_match_is_refused_with_its_whole_batch(
    database, store, cup, played
):
    sink = store.sink(cup)
    await sink.write([played((1, 1, 1), (0, 1), 1)])
    batch = [played((1, 1, 2), (0, 1), 1), played((1, 1, 1), (0, 1), 1, actions=b"\x03")]
    with pytest.raises(BadStore, match=r"match 1\.1\.1 of tournament 1 is stored with another"):
        await sink.write(batch)
    assert [match.key for match in match_rows(database, cup)] == [MatchKey(1, 1, 1)]


async def test_two_writers_store_each_match_once(url, database, store, cup, played):
    sent = [played((1, 1, leg), (0, 1), 1) for leg in range(1, 201)]
    with open_database(url) as other:
        async with trio.open_nursery() as nursery:
            for start in range(0, 200, 20):
                for writer in (store, Store(other)):
                    nursery.start_soon(writer.sink(cup).write, sent[start : start + 20])
    assert [each for _, each in matches(database, cup)] == sent


@pytest.mark.parametrize(
    ("place", "seats", "termination", "message"),
    [
        ((1, 1, 1), (0, 1), Termination.HARNESS_FAULT, r"match 1\.1\.1 is void"),
        ((1, 1, 1), (0, 3), Termination.RULES, "seats 'dot@.*', who is not in the field"),
        ((7, 1, 1), (0, 1), Termination.RULES, "came before its round was saved"),
    ],
)
async def test_records_of_harness_faults_are_refused(
    database, store, new, entries, played, place, seats, termination, message
):
    number = await store.create_tournament(new(), entries[:3])
    await store.save_round(number, ROUND)
    good, bad = played((1, 2, 1), (0, 1), 1), played(place, seats, 1, termination=termination)
    with pytest.raises(HarnessFault, match=message):
        await store.sink(number).write([good, bad])
    assert [*match_rows(database, number)] == []


async def test_a_cancelled_write_is_whole_or_absent(url, database, store, cup, played):
    sink = store.sink(cup)
    running = [played((1, 1, leg), (0, 1), 1) for leg in (1, 2)]
    waiting = [played((1, 2, leg), (2, 3), 1) for leg in (1, 2)]
    with open_database(url) as other, ExitStack() as blocker:
        blocker.enter_context(other.writing())
        async with trio.open_nursery() as nursery:
            nursery.start_soon(sink.write, running)
            await trio.testing.wait_all_tasks_blocked()
            nursery.start_soon(sink.write, waiting)
            await trio.testing.wait_all_tasks_blocked()
            nursery.cancel_scope.cancel()
            blocker.close()
    assert [each for _, each in matches(database, cup)] == running


WRITE_FOREVER = """
import sys, trio
from itertools import count
from arena.core.outcome import Outcome
from arena.core.record import MatchRecord, Measurement, MatchKey, PlayedMatch
from arena_results.file.database import open_database
from arena_results.file.runner_lock import RunnerLock
from arena_results.store.store import Store

async def main(url, id, *seats):
    with open_database(url) as database:
        sink = Store(database).sink(int(id))
        for batch in count():
            legs = range(batch * 50 + 1, batch * 50 + 51)
            await sink.write([
                PlayedMatch(
                    MatchKey(1, 1, leg),
                    MatchRecord("dice", "standard", "1", leg, seats, (b"", b""), b"",
                                Outcome((1.0, -1.0), (3, 1))),
                    Measurement((1, 2), (3, 4)),
                )
                for leg in legs
            ])
            print(legs[-1], flush=True)

trio.run(main, *sys.argv[1:])
"""


async def test_what_was_written_survives_kill_9(database, url, cup, field):
    arguments = [sys.executable, "-c", WRITE_FOREVER, url, str(cup)]
    process = subprocess.Popen(
        [*arguments, *(participant.key for participant in field[:2])], stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    with process.stdout as lines:
        for _ in range(20):
            confirmed = int(lines.readline())
        process.kill()
        confirmed = max([confirmed, *map(int, lines)])
    process.wait()
    with open_database(url) as reopened:
        stored = [each for _, each in matches(reopened, cup)]
        with reopened.reading() as connection:
            counted = connection.execute(text("SELECT match_count FROM tournament")).scalar()
    assert len(stored) == counted
    assert len(stored) in (confirmed, confirmed + 50)
    assert [match.key.leg for match in stored] == list(range(1, len(stored) + 1))


async def test_a_round_is_paired_once(database, store, cup):
    await store.save_round(cup, ROUND)
    with pytest.raises(BadStore, match="round 1 of tournament 1 is stored with other pairings"):
        await store.save_round(cup, Round(1, (Pairing((1, 0)), Pairing((3, 2))), byes=(4,)))
    assert tournament(database, cup).rounds == (ROUND,)


async def test_the_status_follows_the_course_of_a_tournament(database, store, cup):
    with RunnerLock(database, cup):
        (before,) = tournaments(database)
    assert (before.status, before.finished_at) == (Status.RUNNING, None)
    await store.set_status(cup, Status.INTERRUPTED)
    (stopped,) = tournaments(database)
    assert (stopped.status, stopped.finished_at) == (Status.INTERRUPTED, None)
    await store.set_status(cup, Status.FINISHED)
    (done,) = tournaments(database)
    assert done.status is Status.FINISHED
    assert done.finished_at is not None
    assert done.finished_at >= done.created_at


async def test_a_bot_version_is_one_participant_in_all_its_tournaments(
    database, store, new, entries, field
):
    assert await store.create_tournament(new(), entries[:3]) == 1
    assert await store.create_tournament(new(), entries[1:]) == 2
    with database.reading() as connection:
        keys = connection.exec_driver_sql("SELECT key FROM participant ORDER BY key").scalars()
        assert [*keys] == sorted(each.key for each in field)
    assert tournament(database, 2).field == tuple(entries[1:])


async def test_a_participant_is_entered_once(database, store, new, entries):
    with pytest.raises(BadInput, match=r"^bob@1\.0\+0{11}1 is entered twice"):
        await store.create_tournament(new(), [*entries, entries[1]])
    assert tournaments(database) == ()


async def test_a_season_and_its_tournament_are_stored_together_or_not_at_all(
    database, store, new, entries
):
    number = await store.create_tournament(new(), entries, league="Cantina", season=1)
    assert seasons(database) == (Season("Cantina", 1, number),)
    with pytest.raises(
        BadStore, match=r"(UNIQUE constraint failed: |unique constraint \"pk_)season"
    ):
        await store.create_tournament(new(), entries, league="Cantina", season=1)
    assert [each.id for each in tournaments(database)] == [number]


async def test_an_unknown_tournament_is_refused_with_the_stored_ones(store, cup):
    with pytest.raises(UnknownName, match="unknown tournament '9'; choices: 1"):
        await store.set_status(9, Status.FINISHED)
    with pytest.raises(UnknownName, match="unknown tournament '9'; choices: 1"):
        store.sink(9)


@pytest.mark.on_files
async def test_a_full_disk_is_one_line_and_keeps_what_was_there(database, store, cup, played):
    await store.sink(cup).write([played((1, 1, 1), (0, 1), 1)])
    with database.writing() as connection:
        pages = connection.execute(text("PRAGMA page_count")).scalar()
        connection.execute(text(f"PRAGMA max_page_count = {pages}"))
    with pytest.raises(BadStore, match=r"results\.db failed: database or disk is full"):
        await store.sink(cup).write([played((1, 1, leg), (0, 1), 1) for leg in range(2, 999)])
    assert len([*match_rows(database, cup)]) == 1

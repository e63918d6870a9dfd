"""Changes of stored tournaments: requests to pause, concurrency, names, deletion."""

from __future__ import annotations

import os

import msgspec
import pytest
from arena_results.boards.leaderboard import leaderboard
from arena_results.file.runner_lock import RunnerLock
from arena_results.schema.rows import EntryRow, Status
from arena_results.store.organising import delete_tournament, rename, request_pause, set_concurrency
from arena_results.store.queries import match_rows, summary, tournament, tournaments
from arena_results.store.store import Store
from sqlalchemy import text

from arena.core.errors import AlteredResults, BadInput, BadStore, UnknownName
from arena.core.tournaments.executor import Pace
from arena.core.tournaments.format import Pairing, Round


@pytest.fixture
async def store(database):
    return Store(database)


@pytest.fixture
async def cup(store, new, field):
    number = await store.create_tournament(new(), [EntryRow(each) for each in field[:2]])
    await store.save_round(number, Round(1, (Pairing((0, 1)),)))
    return number


async def test_a_running_tournament_learns_of_requests_when_it_stores(database, store, cup, played):
    pace = Pace(4)
    sink = store.sink(cup, pace)
    with RunnerLock(database, cup):
        await store.set_status(cup, Status.RUNNING)
        await sink.write([played((1, 1, 1), (0, 1), 1)])
        assert pace == Pace(4)
        set_concurrency(database, cup, 2)
        request_pause(database, cup)
        assert pace == Pace(4)
        await sink.write([played((1, 1, 2), (0, 1), 1)])
        assert pace == Pace(2, last_round=0)
        request_pause(database, cup, "match")
        await sink.write([played((1, 1, 2), (0, 1), 1)])  # also if it was stored already
        assert pace.pausing
        await store.set_status(cup, Status.RUNNING)
        after = Pace(1)
        await store.sink(cup, after).write([played((1, 1, 3), (0, 1), 1)])
    assert after == Pace(2)  # the request ended, the concurrency lasts
    assert msgspec.json.decode(summary(database, cup).spec) == {"a": 1, "concurrency": 2}


async def test_only_a_running_tournament_can_pause(database, store, cup):
    with pytest.raises(BadInput, match="tournament 1 is interrupted; only a running one can pause"):
        request_pause(database, cup)
    await store.set_status(cup, Status.FINISHED)
    for change in (request_pause, lambda *to: set_concurrency(*to, 2)):
        with pytest.raises(BadInput, match="tournament 1 is finished"):
            change(database, cup)
    with pytest.raises(BadInput, match="cannot pause after 'now'; choices: match, round"):
        request_pause(database, cup, "now")
    for change in (request_pause, delete_tournament, lambda *to: rename(*to, "x")):
        with pytest.raises(UnknownName, match="unknown tournament '9'; choices: 1"):
            change(database, 9)


@pytest.mark.parametrize("name", ["", "n" * 101, "a\nb", "\x1b[2J", "\ud800"])
async def test_a_name_fits_in_a_line(database, cup, name):
    with pytest.raises(BadInput, match=r"^name: expected 1 to 100 characters") as no:
        rename(database, cup, name)
    assert str(no.value).isprintable()
    assert len(str(no.value)) < 200
    assert summary(database, cup).name == "cup"


async def test_a_name_stored_without_a_bound_is_shown_in_a_line(database, store, new, field):
    entries = [EntryRow(each) for each in field[:2]]
    spec = '{"name":"a\\nb","games":2}'
    number = await store.create_tournament(new(name="a\nb" + "c" * 5_000, spec=spec), entries)
    await store.create_tournament(new(name="two  blanks"), entries)
    assert [each.name for each in tournaments(database)] == [
        "a b" + "c" * 94 + "...",
        "two  blanks",
    ]
    found = tournament(database, number).summary
    assert msgspec.json.decode(found.spec) == {"name": found.name, "games": 2}
    rename(database, number, "short")
    assert summary(database, number).name == "short"


@pytest.mark.parametrize("workers", [0, -1, 1025])
async def test_the_concurrency_has_bounds(database, cup, workers):
    with pytest.raises(BadInput, match=f"a number from 1 to 1024, not {workers}"):
        set_concurrency(database, cup, workers)


async def test_another_name_is_also_that_of_the_spec(database, cup):
    rename(database, cup, "spring")
    found = summary(database, cup)
    assert found.name == msgspec.json.decode(found.spec)["name"] == "spring"


async def test_a_deleted_tournament_is_gone_and_its_number_stays_its_own(
    database, store, cup, new, field, played
):
    await store.sink(cup).write([played((1, 1, 1), (0, 1), 1)])
    other = await store.create_tournament(new(), [EntryRow(each) for each in field[1:3]])
    assert leaderboard(database) != ()
    with (
        RunnerLock(database, cup),
        pytest.raises(BadStore, match=rf"tournament 1 of .* played by process {os.getpid()} "),
    ):
        delete_tournament(database, cup)
    assert len([*match_rows(database, cup)]) == 1
    delete_tournament(database, cup)
    assert [each.id for each in tournaments(database)] == [other]
    for read in (summary, tournament, delete_tournament):
        with pytest.raises(UnknownName, match="unknown tournament '1'; choices: 2"):
            read(database, cup)
    assert leaderboard(database) == ()
    delete_tournament(database, other)
    assert await store.create_tournament(new(), [EntryRow(each) for each in field[:2]]) == 3
    with database.writing() as connection:
        for table in ("tournament", "entry", "round", "match"):
            count = connection.execute(text(f'SELECT count(*) FROM "{table}"')).scalar()
            assert count == {"tournament": 3, "entry": 2}.get(table, 0)
        connection.execute(text("DELETE FROM tournament WHERE id = 2"))
    with pytest.raises(AlteredResults, match="tournament 2: its row is missing"):
        tournaments(database)


async def test_an_edited_row_is_not_confirmed_by_a_change(database, cup):
    with database.writing() as connection:
        connection.execute(text("UPDATE tournament SET seed = 1"))
    with pytest.raises(AlteredResults, match="tournament 1: its row does not match"):
        rename(database, cup, "spring")

"""Open pages follow the database, whoever writes it."""

from __future__ import annotations

import re
import shutil

import pytest
import trio
from arena_results.file.database import open_database
from arena_results.schema.rows import Status
from arena_results.store.queries import tournaments
from arena_results.store.store import Store

from arena.web.site.guard.settings import Settings
from tests.cli.stored_cups import store
from tests.web.client import visiting


@pytest.fixture
def own(cups, tmp_path):
    copy = shutil.copy(cups.removeprefix("sqlite:///"), tmp_path / "own.db")
    return f"sqlite:///{copy}"


def identified(event: str) -> tuple[str, str]:
    """The id and the content of an event."""
    lines = event.split("\n")
    assert event.endswith("\n\n")
    assert all(re.match("(id|data): ", line) for line in lines[:-2])
    content = "\n".join(line[6:] for line in lines if line.startswith("data: "))
    return lines[0].removeprefix("id: "), content


def parts(event: str) -> tuple[int, str]:
    """The number of matches and the content of an event."""
    found, content = identified(event)
    return int(found.partition("-")[0]), content


async def test_what_another_connection_stores_is_on_open_pages(own):
    settings = Settings(db=own, interval=0.1, poll=0.05)
    async with visiting(settings) as site, site.stream("/live/") as events:
        with trio.fail_after(20):
            before, content = parts(await events.receive())
        assert "new cup" not in content
        await trio.to_thread.run_sync(lambda: store(own, name="new cup"))
        with trio.fail_after(20):
            number = before
            while number == before:  # at first the tournament, then its matches
                number, content = parts(await events.receive())
        assert number == before + 8
        assert "new cup" in content


async def test_an_event_is_what_the_page_shows_and_has_the_match_count(site):
    page = (await site.get("/t/1")).text
    matches = (await site.get("/api/tournaments/1")).json["tournament"]["matches"]
    async with site.stream("/live/t/1") as events:
        with trio.fail_after(20):
            number, content = parts(await events.receive())
    assert number == matches
    board = re.compile(r'<div class="featured".*?<p class="soft small note">', re.DOTALL)
    assert "data-move" in board.search(page)[0]  # open pages keep it, and are not sent it again
    assert board.sub("", content) in board.sub("", page)
    assert len(content) < 30_000


async def test_a_page_that_was_away_goes_on_where_it_stopped(own):
    async with visiting(Settings(db=own, interval=0.1, poll=0.05)) as site:
        async with site.stream("/live/") as events:
            last, content = identified(await events.receive())
        number = int(last.partition("-")[0])
        async with (
            site.stream("/live/", last_event_id=last) as known,
            site.stream("/live/", last_event_id=f"{number}-0") as older,
        ):
            with trio.fail_after(20):
                assert identified(await older.receive()) == (last, content)
            with pytest.raises(trio.WouldBlock):
                known.receive_nowait()
            await trio.to_thread.run_sync(lambda: store(own, name="new cup"))
            with trio.fail_after(20):
                while parts(await known.receive())[0] == number:
                    pass


async def test_a_page_that_was_away_gets_a_change_that_stored_no_match(own):
    await trio.to_thread.run_sync(lambda: store(own, name="open cup", finished=False))
    with open_database(own) as database:
        number = tournaments(database)[-1].id
    async with visiting(Settings(db=own)) as site:
        async with site.stream(f"/live/t/{number}") as events:
            last, content = identified(await events.receive())
        assert "Stopped in round" in content
        with open_database(own) as database:
            await Store(database).set_status(number, Status.FINISHED)
        with trio.fail_after(20):
            async with site.stream(f"/live/t/{number}", last_event_id=last) as events:
                now, content = identified(await events.receive())
    assert "Finished" in content
    assert (now != last, now.partition("-")[0]) == (True, last.partition("-")[0])


async def test_listeners_of_one_address_share_what_is_drawn(own, monkeypatch):
    async with visiting(Settings(db=own)) as site:
        drawn = []
        work = site.site.work
        monkeypatch.setattr(site.site, "work", lambda *a: drawn.append(a) or work(*a))
        async with (
            site.stream("/live/t/1") as one,
            site.stream("/live/t/1") as two,
            site.stream("/live/t/1") as three,
        ):
            with trio.fail_after(20):
                events = {await each.receive() for each in (one, two, three)}
        assert len(events) == 1
        assert len(drawn) <= 4  # each looks whether the address names something, one draws


async def test_a_stream_of_nothing_is_refused(site):
    assert (await site.get("/live/t/9")).status == 404
    assert (await site.get("/live/b")).status == 404
    assert (await site.get("/live/t/1?sort=luck")).status == 404


async def test_streams_end_with_the_site(own):
    async with visiting(Settings(db=own)) as site, site.stream("/live/") as events:
        await events.receive()
        site.site.closing.set()

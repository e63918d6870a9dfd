"""Leaderboards are drawn after a change before visitors ask, who get the one before meanwhile."""

from __future__ import annotations

import shutil
import threading
from itertools import count

import pytest
import trio

import arena
from arena.core.errors import BadInput
from arena.web import app
from arena.web.site.guard.settings import Settings
from tests.web.client import visiting

FAIL_SECONDS = 60


@pytest.fixture
def own(cups, tmp_path):
    """A database that a test may change."""
    return str(shutil.copy(cups.removeprefix("sqlite:///"), tmp_path / "own.db"))


def change(file):
    with arena.open_database(file) as db:
        db.run(["random", "stand(at=17)"], games=2, seed=1)


async def test_visitors_get_the_answer_before_while_it_is_computed_ahead_of_them(own):
    numbers, begun, gate = count(1), threading.Event(), threading.Event()
    gate.set()

    def slow(site):
        begun.set()
        assert gate.wait(FAIL_SECONDS)
        return next(numbers)

    def every(*key):
        return True

    async with visiting(Settings(db=f"sqlite:///{own}")) as visitor:
        site = visitor.site
        assert await site.ask(slow) == 1
        (kept,) = site._kept.values()
        kept.took, kept.made = FAIL_SECONDS, kept.made - 10 * FAIL_SECONDS
        await site.keep_current(every, 0)
        await trio.to_thread.run_sync(change, own)
        await site.keep_current(every, kept.asked + 1)  # nobody has asked for it since
        assert next(numbers) == 2
        begun.clear(), gate.clear()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(site.keep_current, every, 0)
            await trio.to_thread.run_sync(begun.wait, FAIL_SECONDS)
            with trio.fail_after(FAIL_SECONDS):
                assert await site.ask(slow) == 1
            gate.set()
        assert await site.ask(slow) == 3


async def test_an_answer_that_nobody_keeps_current_is_computed_for_whoever_asks(own):
    numbers = count(1)

    def quick(site):
        return next(numbers)

    async with visiting(Settings(db=f"sqlite:///{own}")) as visitor:
        site = visitor.site
        assert await site.ask(quick) == 1
        (kept,) = site._kept.values()
        kept.took, kept.made = FAIL_SECONDS, kept.made - 10 * FAIL_SECONDS
        await trio.to_thread.run_sync(change, own)
        assert await site.ask(quick) == 2


async def test_an_unexpected_visitor_gets_the_older_board_then_the_present(own):
    settings = Settings(db=f"sqlite:///{own}", poll=0.01, interval=0.01, prepared=True)
    async with visiting(settings) as visitor:
        site, page = visitor.site, "/g/pazaak/standard"
        before = await visitor.get(page)
        (kept,) = site._kept.values()
        await trio.to_thread.run_sync(change, own)
        kept.took, kept.made = FAIL_SECONDS, -1e9
        older = await visitor.get(page)
        assert older.headers["etag"] != before.headers["etag"]
        assert ("This is as of" in before.text, "This is as of" in older.text) == (False, True)
        assert ('http-equiv="refresh"' in before.text, 'http-equiv="refresh"' in older.text) == (
            False,
            True,
        )
        async with visitor.stream(f"/live{page}") as events:
            with trio.fail_after(FAIL_SECONDS):
                event = await events.receive()
        assert "This is as of" not in event
        assert "stand(at=17)" in event
        assert kept.asked > 0
        kept.made = -1e9
        await site.keep_current(app._is_leaderboard, kept.asked)
        assert "This is as of" not in (await visitor.get(page)).text


async def test_what_cannot_be_computed_is_not_answered_by_an_older_answer(own):
    failing = False

    def changing(site):
        if failing:
            raise BadInput("no longer")
        return "before"

    async with visiting(Settings(db=f"sqlite:///{own}")) as visitor:
        site = visitor.site
        assert await site.ask_at_once(changing) == ("before", False)
        (kept,) = site._kept.values()
        await trio.to_thread.run_sync(change, own)
        failing, kept.took, kept.made = True, FAIL_SECONDS, -1e9
        assert await site.ask_at_once(changing) == ("before", True)
        with pytest.raises(BadInput):
            await site.keep_current(lambda *key: True, kept.asked)
        with pytest.raises(BadInput):
            await site.ask_at_once(changing)


async def test_leaderboards_are_drawn_again_after_changes_though_nobody_asks(own, monkeypatch):
    monkeypatch.setattr(app, "QUIET_SECONDS", 0.0)
    async with visiting(Settings(db=f"sqlite:///{own}", poll=0.01)) as visitor:
        site = visitor.site
        await visitor.get("/g/pazaak/standard")
        (key,) = site._kept
        site._kept[key].asked = -1e9

        async def until_drawn() -> None:
            version = site.version()
            with trio.fail_after(FAIL_SECONDS):
                while site._entry(key).version != version:
                    await trio.sleep(0.01)

        async with trio.open_nursery() as nursery:
            nursery.start_soon(app.draw_ahead, site)
            await until_drawn()
            await trio.to_thread.run_sync(change, own)
            await until_drawn()
            nursery.cancel_scope.cancel()
        drawn = []
        work = site.work
        monkeypatch.setattr(site, "work", lambda *a: drawn.append(a) or work(*a))
        answer = await visitor.get("/g/pazaak/standard")
        assert (answer.status, drawn) == (200, [])
        assert "stand(at=17)" in answer.text


async def test_a_match_is_drawn_again_after_a_change_of_its_tournament_alone(own, monkeypatch):
    def rename(file):
        with arena.open_database(file) as db:
            db.organiser(1).rename("Another name")

    async with visiting(Settings(db=f"sqlite:///{own}")) as visitor:
        drawn = []
        draw = app.draw_page
        monkeypatch.setattr(app, "draw_page", lambda *a: drawn.append(a) or draw(*a))
        first = await visitor.get("/m/1.1.1.1")
        assert (await visitor.get("/m/1.1.1.1?view=all")).body != first.body
        await trio.to_thread.run_sync(change, own)
        assert (await visitor.get("/m/1.1.1.1")).body == first.body
        assert len(drawn) == 2
        for kept in visitor.site._kept.values():
            kept.made = -1e9
        await trio.to_thread.run_sync(rename, own)
        assert "Another name" in (await visitor.get("/m/1.1.1.1")).text
        assert len(drawn) == 3

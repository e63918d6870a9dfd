"""The tournaments in the terminal: lists that follow the database, matches, and replays."""

from __future__ import annotations

import signal
from contextlib import ExitStack

import pytest

import arena
from arena.plugins.registry import Registry
from arena.service.storage.databases import open_database
from arena.tui.replay import Slider
from arena.tui.watch import POLL_SECONDS, WatchApp
from tests.cli.stored_cups import store
from tests.tui.screens import same_as_stored, text_of, until, walk

pytestmark = pytest.mark.filterwarnings("ignore:.*open seed:UserWarning")


class Hasty(arena.Bot):
    def act(self, observation):
        return observation.legal_actions[0]


class Modest(arena.Bot):
    def act(self, observation):
        return observation.legal_actions[1]


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    file = tmp_path_factory.mktemp("watch") / "cups.db"
    with arena.open_database(file) as db:
        db.run([Hasty, Modest], games=4, seed=3, name="[red]cup[/]")
    return file


@pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=lambda size: f"{size[0]}x{size[1]}")
def test_from_the_list_to_a_replay_by_keyboard(file, size):
    with open_database(f"sqlite:///{file}") as database:
        app = WatchApp(Registry(), database)
        name = f"watch-{size[0]}x{size[1]}"

        async def steps(pilot):
            await until(pilot, lambda: "[red]cup[/]" in text_of(app))
            same_as_stored(app, f"{name}-list")
            for level, sign in (("standings", "W-D-L"), ("rounds", "board"), ("matches", "ending")):
                await pilot.press("enter")
                await until(pilot, lambda sign=sign: sign in text_of(app))
                same_as_stored(app, f"{name}-{level}")
            await pilot.press("enter")
            await until(pilot, lambda: "move 0 of" in text_of(app))
            await pilot.press("right", "right", "right", "v", "v")
            assert "move 3 of" in text_of(app)
            same_as_stored(app, f"{name}-replay")
            await pilot.press("end", "right")
            assert "The end: won by" in text_of(app)
            assert "★ Modest wins the match" in text_of(app)
            await pilot.press("left")
            assert "★ Modest wins set " in text_of(app)
            await pilot.press("end")
            await pilot.press("left_square_bracket", "home", "left")
            assert "move 0 of" in text_of(app)
            slider = app.screen.query_one(Slider)
            await pilot.click(slider, offset=(slider.size.width // 2, 0))
            assert "move 0 of" not in text_of(app)
            await pilot.press("escape", "escape", "escape", "escape", "escape", "escape")
            await until(pilot, lambda: "Tournaments of cups.db" in text_of(app))

        walk(app, steps, size)


def test_a_change_by_another_connection_is_shown(file):
    with open_database(f"sqlite:///{file}") as database:
        app = WatchApp(Registry(), database, 1)

        async def steps(pilot):
            await until(pilot, lambda: "finished" in text_of(app))
            with arena.open_database(file) as db:
                db.organiser(1).rename("renamed")
            await until(pilot, lambda: "Tournament 1 renamed" in text_of(app))
            with arena.open_database(file) as db:
                db.organiser(1).rename("[red]cup[/]")

        walk(app, steps)


def test_a_server_that_is_started_again_costs_a_line(postgres):
    """Also below a table that is looked at, and at the end while it is away."""
    url = postgres.filled()
    store(url, name="cup")
    with open_database(url) as database:
        app = WatchApp(Registry(), database, 1)

        async def steps(pilot):
            await until(pilot, lambda: "Tournament 1 cup" in text_of(app))
            with postgres.away(signal.SIGINT):
                await until(pilot, lambda: "; waiting for it" in text_of(app))
                assert f"the database {url.partition('?')[0]}" in text_of(app)
                await pilot.press("down", "enter", "tab")
                assert "W-D-L" in text_of(app)  # what was read stays
            await until(pilot, lambda: "; waiting" not in text_of(app))
            store(url, name="second cup")
            await pilot.press("escape")
            await until(pilot, lambda: "second cup" in text_of(app))
            ended.enter_context(postgres.away(signal.SIGQUIT))
            await until(pilot, lambda: "; waiting for it" in text_of(app))
            await pilot.press("q")

        with ExitStack() as ended:
            walk(app, steps, (160, 24))


def test_a_change_while_a_screen_closes_is_no_error(file):
    with open_database(f"sqlite:///{file}") as database:
        app = WatchApp(Registry(), database, 1)

        async def steps(pilot):
            await until(pilot, lambda: "finished" in text_of(app))
            await app.screen.query("*").remove()
            with arena.open_database(file) as db:
                db.organiser(1).rename("renamed")
            await pilot.pause(2 * POLL_SECONDS)

        walk(app, steps)


def test_a_hidden_hand_is_not_on_the_screen(file):
    with open_database(f"sqlite:///{file}") as database:
        app = WatchApp(Registry(), database, 1)

        async def steps(pilot):
            await until(pilot, lambda: "finished" in text_of(app))
            for sign in ("board", "ending", "move 0"):
                await pilot.press("enter")
                await until(pilot, lambda sign=sign: sign in text_of(app))
            await pilot.press("v")
            assert text_of(app).count("hand: ▒▒ ▒▒ ▒▒ ▒▒") == 2

        walk(app, steps)

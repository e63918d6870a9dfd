"""The first page: what it shows, where its old lists are, how large it is, and that it is live."""

from __future__ import annotations

import re
import subprocess
import sys
from urllib.request import urlopen

import pytest
import trio
from arena_results.boards.leaderboard import Asked
from arena_results.store.queries import tournaments

import arena
from arena.service.public import front
from arena.service.storage.databases import open_database
from arena.web.site.guard.settings import Settings
from arena.web.site.lists import Place
from arena.web.views import home
from tests.cli.stored_cups import store
from tests.web.browser import visit
from tests.web.client import visiting
from tests.web.served import served

MOST_BYTES = 150_000
"""Everything that the first page loads."""
SIZES = ((375, 812), (1024, 768), (1280, 800), (1920, 1080))


@pytest.fixture(scope="module")
def events(tmp_path_factory):
    """Two games with a finished tournament each, and one that was stopped."""
    file = tmp_path_factory.mktemp("home") / "home.db"
    with arena.open_database(file) as db:
        own = ["stand(at=15)", "stand(at=18)", "random"]
        db.run(own, format="round-robin", games=30, seed=1, name="spring")
        db.run(own, format="round-robin", games=20, seed=2, name="summer")
        bots = ["target-total(at=18)", "cautious-folder", "target-total(at=15)", "random"]
        db.run(bots, game="sabacc", format="tables", seats=4, games=4, seed=3, name="clouds")
    store(f"sqlite:///{file}", "table", finished=False)
    return f"sqlite:///{file}"


@pytest.fixture
async def shown(events):
    async with visiting(Settings(db=events, play=True)) as visitor:
        yield visitor


def panels(text):
    """Returns the sections of a page by their headings, without tags."""
    found = {}
    for section in re.findall(r"<section.*?</section>", text, re.S):
        plain = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", section))
        heading = re.search(r"<h2[^>]*>(.*?)</h2>", section, re.S)
        title = re.sub(r"<[^>]+>|\s+", " ", heading[1]).split() if heading else []
        found[" ".join(title)] = plain
    return found


async def test_it_has_leaders_champions_and_the_featured_match(shown, events):
    page = await shown.get("/")
    found = panels(page.text)
    for game, rules in (("Pazaak", "standard"), ("Sabacc", "old_republic")):
        (board,) = shown.site.boards.now(Asked(game=game.lower(), ruleset=rules))
        listed = found[f"{game} leaders {rules}"]
        for row in board.rows[:5]:
            assert f"{row.participant.name} {row.rating:.0f}" in listed
    for champion in ("spring", "summer", "clouds"):
        assert champion in found["Last champions"]
    with open_database(events) as database:
        match = front.featured(database)
    assert f'href="/m/{match.match}?view=all"' in page.text
    assert 'href="/play"' in page.text
    assert "Submit a bot" not in page.text  # it has no league


async def test_addresses_of_its_old_lists_lead_to_them(shown):
    for old, new in (
        ("/?sort=-matches&page=1", "/events?sort=-matches&page=1"),
        ("/?q=cup", "/events?q=cup"),
        ("/?show=all", "/events?show=all"),
        ("/?boards-sort=-matches", "/leaders?sort=-matches"),
        ("/?boards-q=pazaak&boards-page=1", "/leaders?q=pazaak&page=1"),
    ):
        answer = await shown.get(old)
        assert (answer.status, answer.headers["location"]) == (308, new)
        assert (await shown.get(new)).status == 200
    assert (await shown.get("/?luck=1")).status == 404


async def test_lists_of_all_events_and_leaderboards_are_complete(shown, events):
    with open_database(events) as database:
        known = tournaments(database)
    listed = (await shown.get("/events")).text
    assert all(f'href="/t/{each.id}"' in listed for each in known)
    leaders = (await shown.get("/leaders")).text
    for each in known:
        assert f'href="/g/{each.game}/{each.ruleset}"' in leaders


class First(arena.Bot):
    """Takes the first action."""

    def act(self, observation):
        return observation.legal_actions[0]


@pytest.fixture
def exhibition(tmp_path):
    """A match of a person, which is all that was played."""
    me = arena.PythonBot(First, "jolee", person_seconds=60)
    with arena.open_database(tmp_path / "own.db") as db:
        db.match("random", me, format="exhibition", games=1, mirrored=False)
    return f"sqlite:///{tmp_path}/own.db"


async def test_exhibitions_are_no_events(exhibition):
    async with visiting(Settings(db=exhibition)) as visitor:
        text = (await visitor.get("/")).text
    assert "jolee" not in text
    assert "Nothing has been played here yet" in text


@pytest.mark.parametrize("play", [True, False])
async def test_of_an_empty_database_it_invites_and_says_two_commands(tmp_path, play):
    async with visiting(Settings(db=f"sqlite:///{tmp_path}/none.db", play=play)) as visitor:
        text = (await visitor.get("/")).text
    assert "arena tournament run --format swiss" in text
    assert "arena submit my_bot/" in text
    assert ('href="/play?game=pazaak"' in text) is play
    assert ('href="/play?game=sabacc"' in text) is play
    assert 'class="board' in text


async def test_a_finished_match_is_drawn_once(shown, monkeypatch):
    drawn = []
    monkeypatch.setattr(home, "_drawn", lambda *asked: drawn.append(asked))
    for _ in range(3):
        home.home(shown.site, Place(prefix="", path="/"))
    assert len(drawn) == 1


@pytest.fixture(scope="module")
def address(events):
    with served(events, play=True) as found:
        yield found


def test_everything_it_loads_is_small(browser, address):
    with visit(browser, address + "/") as seen:
        seen.page.wait_for_load_state("load")
        loaded = {each for each in seen.requests if "/live/" not in each and "data:" not in each}
        assert seen.page.locator("img, picture, video, iframe").count() == 0
    assert {each.rpartition(".")[2].partition("?")[0] for each in loaded} >= {"css", "js"}
    sizes = {}
    for each in loaded:
        with urlopen(each, timeout=60) as answer:
            sizes[each] = len(answer.read())
    assert sum(sizes.values()) <= MOST_BYTES, sizes


@pytest.mark.parametrize("size", SIZES, ids=lambda size: str(size[0]))
def test_the_first_screen_has_a_board_and_what_to_do(look, address, size):
    width, height = size
    seen = look(address + "/")
    assert seen.overflow(width) == 0
    seen.page.set_viewport_size({"width": width, "height": height})
    play = seen.page.get_by_role("link", name="Play now").bounding_box()
    assert play["y"] + play["height"] < height / 3
    board = seen.page.locator(".small-player").bounding_box()
    assert board["y"] < height / 3
    assert board["x"] >= 0
    assert board["x"] + board["width"] <= width
    champions = seen.page.get_by_role("heading", name="Last champions").bounding_box()
    if width > 760:  # beside the board
        assert champions["x"] > board["x"] + board["width"]
        assert champions["y"] < height / 2
    assert seen.violations() == []
    assert seen.problems == []


def test_it_says_the_same_without_javascript(look, address):
    texts = []
    for scripts in (True, False):
        seen = look(address + "/", java_script_enabled=scripts)
        texts.append([each.inner_text() for each in seen.page.locator(".panel").all()])
        assert seen.page.locator(".feature .board:visible").first.is_visible()
    assert texts[0] == texts[1] != []


async def test_an_event_that_another_process_plays_moves_within_two_seconds(tmp_path):
    url = f"sqlite:///{tmp_path}/live.db"
    command = [sys.executable, "-m", "arena", "tournament", "run", "--db", url, "--name", "now on"]
    command += ["--format", "swiss", "--rounds", "3", "--games", "100000", "--concurrency", "1"]
    command += [part for at in (15, 16, 17, 18) for part in ("--bot", f"stand(at={at})")]
    settings = Settings(db=url, interval=0.2, poll=0.1)
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            async with visiting(settings) as visitor:
                with trio.fail_after(60):
                    while "Round 1 of 3" not in (await visitor.get("/")).text:
                        assert process.poll() is None
                        await trio.sleep(0.2)
                taken = await seconds_of_changes(visitor, 4)
        finally:
            process.kill()
    assert min(taken) < 2


async def seconds_of_changes(visitor, number):
    """Returns how long it took until the event of the first page changed, some times."""
    found, taken = "", []
    async with visitor.stream("/live/") as events:
        with trio.fail_after(60):
            while len(taken) < number:
                begun = trio.current_time()
                while (now := shares(await events.receive())) == found:
                    pass
                found = now
                taken.append(trio.current_time() - begun)
    return taken[1:]


def shares(event):
    return re.findall(r"the round played|\d+ % of|pairings done|[+-][\d½.]+", event)

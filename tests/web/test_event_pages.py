"""Pages of tournaments at first sight: podium, points of the round, time left, projector."""

from __future__ import annotations

import itertools
import re
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from functools import partial

import pytest
import trio
from arena_tournaments.scoring.standings import Standing

import arena
from arena.core.tournaments.format import Round
from arena.service.report.sums.running import Running, so_far
from arena.web.site.guard.pace import Pace, clock
from arena.web.site.guard.settings import Settings
from tests.pages.played import Stands, Stopped
from tests.web.client import visiting
from tests.web.test_live import parts

CUP, SWISS, RUNNING, TABLES, LEFT = range(1, 6)
NAMES = (*(f"bot-{number}" for number in range(1, 10)), "a-name-of-forty-characters-for-one-bot-x")
FIELD = [
    arena.PythonBot(partial(Stands, 14 + number % 6), name=name, version="1", author=name.title())
    for number, name in enumerate(NAMES)
]


class Calls(arena.Bot):
    """Takes the first action."""

    def act(self, observation):
        return observation.legal_actions[0]


def stop_at(matches):
    def stop(progress):
        if progress.done >= matches:
            raise Stopped

    return stop


@pytest.fixture(scope="module")
def events(tmp_path_factory):
    """The address of a database with tournaments of several kinds, one in the midst of a round."""
    file = tmp_path_factory.mktemp("events") / "events.db"
    sabacc = {"game": "sabacc", "ruleset": "old_republic(mode=chips,hands=2)"}
    with arena.open_database(file) as db:
        db.run(FIELD[:6], format="knockout", games=2, seed=3, third_place=True, name="Autumn Cup")
        db.run(FIELD, format="swiss", rounds=3, games=4, seed=5, name="Autumn Swiss")
        with suppress(Stopped):
            db.run(FIELD, format="swiss", rounds=3, games=20, seed=5, name="Winter Swiss",
                   progress=stop_at(100 + 27))  # fmt: skip
        with suppress(Stopped):
            db.run(["target-total", "cautious-folder", "random"], format="tables", seats=3,
                   games=60, seed=2, name="Tables", progress=stop_at(20), **sabacc)  # fmt: skip
        with suppress(Stopped):
            db.run(FIELD[:4], format="swiss", rounds=3, games=4, seed=1, name="Left early",
                   pause_after_round=1)  # fmt: skip
        db.organiser(LEFT).disqualify("bot-1", reason="copied")
        db.resume(LEFT, FIELD[:4])
    return f"sqlite:///{file}"


@pytest.fixture
async def site(events):
    async with visiting(Settings(db=events)) as visitor:
        yield visitor


def rows(page: str) -> list[list[str]]:
    """The texts of the rows of the standings."""
    body = page[page.index('id="standings"') :].partition("<tbody>")[2].partition("</tbody>")[0]
    found = re.findall(r"<tr>(.*?)</tr>", body, re.DOTALL)
    return [
        [re.sub(r"<.*?>", "", cell).strip() for cell in re.findall(r"<t[dh].*?</t[dh]>", row)]
        for row in found
    ]


async def test_the_champion_stands_first_with_what_it_did(site):
    page = (await site.get(f"/t/{CUP}")).text
    with arena.open_database(site.site.settings.db) as db:
        first, second, third = [row["name"] for row in db.tournament(CUP).standings()][:3]
    steps = re.findall(r'<li class="(first|second|third)">.*?<a [^>]*>(.*?)</a>', page, re.DOTALL)
    assert steps == [("second", second), ("first", first), ("third", third)]
    assert page.index('class="podium"') < page.index('class="tabs"') < page.index('class="bracket')
    assert f"by {first.title()}, won the final" in page
    assert "won the third place" in page
    assert "Watch the final</a>" in page
    assert "podium" not in (await site.get(f"/t/{RUNNING}")).text


async def test_tie_breaks_are_shown_to_those_who_ask(site):
    heads = re.compile(r'<th scope="col".*?>(?:<a .*?>)?([\w-]+)')
    overview = (await site.get(f"/t/{SWISS}")).text
    detail = (await site.get(f"/t/{SWISS}?detail=yes")).text
    assert "MPTS" not in heads.findall(overview)
    assert "MPTS" in heads.findall(detail)
    assert f'<a href="/t/{SWISS}/why">How ties are broken</a>' in overview
    assert "MPTS" in (await site.get(f"/t/{SWISS}/why")).text


async def test_points_of_the_round_are_in_the_standings_before_it_ends(site):
    page = (await site.get(f"/t/{RUNNING}")).text
    document = (await site.get(f"/api/tournaments/{RUNNING}")).json
    before = {row["name"]: row["score"] for row in document["standings"]}
    gained = {row["name"]: row["this_round"] for row in document["standings"]}
    played = [row for row in rows(page) if row[3] not in ("–", "")]
    assert len(played) == sum(each is not None for each in gained.values()) > 0
    for _, name, points, now, *_ in played:
        assert float(points) == before[name] + gained[name]
        assert now == {1.0: "+1", 0.5: "+½", 0.0: "+0"}[gained[name]]
    totals = [float(row[2]) for row in rows(page)]
    assert totals == sorted(totals, reverse=True)
    assert "Stopped in round 2 of 3" in page
    assert re.search(r"<b>\d of 5</b> <span class=\"soft\">pairings", page)
    pairs = re.findall(r'<li class="(now|done|next)">', page)
    assert pairs == sorted(pairs, key=("now", "done", "next").index)
    assert len(pairs) == 5


async def test_a_match_of_the_round_is_shown_without_hands_before_the_end(site):
    page = (await site.get(f"/t/{RUNNING}")).text
    board = page[page.index('class="featured"') :]
    assert '<p class="soft small note">finished</p>' in board
    assert "view=all" not in board
    finished = (await site.get(f"/t/{SWISS}")).text
    assert "finished, all hands open" in finished


async def test_tables_have_all_their_bots_and_points_so_far(site):
    page = (await site.get(f"/t/{TABLES}")).text
    (listed,) = re.findall(r'<li class="now many">(.*?)</ul>', page, re.DOTALL)
    assert listed.count('class="bot"') == 3
    means = [float(row[2]) for row in rows(page)]  # credits of a match, so far
    assert sorted(means, reverse=True) == means
    assert abs(sum(means)) < 0.01 < means[0]


async def test_who_was_disqualified_is_marked_and_last(site):
    page = (await site.get(f"/t/{LEFT}")).text
    *_, last = rows(page)
    assert (last[1], "disqualified" in last) == ("bot-1", True)
    assert "podium" in page
    assert f'href="/t/{LEFT}/rulings"' in page
    crosstable = await site.get(f"/t/{LEFT}/crosstable")
    assert (crosstable.status, 'class="heat' in crosstable.text) == (200, True)


async def test_equal_bars_are_not_drawn(tmp_path):
    from arena.pages.charts import bars

    equal, other = ({"a": [3, 1], "b": [3, 1]}, {"a": [3, 1], "b": [1, 3]})
    assert [each.drawn for each in bars("x", ["play", "time"], equal).columns] == [False] * 3
    assert bars("x", ["play", "time"], other).columns[-1].drawn


async def test_a_projector_has_eight_bots_a_page_and_no_prose(site):
    page = (await site.get(f"/t/{SWISS}/projector?page=1")).text
    assert page.count('<th scope="row">') == 8
    assert "1 to 8 of 10" in page
    assert 'content="12;url=/t/2/projector?page=2"' in page  # pages turn without a script
    last = (await site.get(f"/t/{SWISS}/projector?page=2")).text
    assert last.count('<th scope="row">') == 2
    assert 'content="12;url=/t/2/projector?page=1"' in last
    assert (await site.get(f"/t/{SWISS}/projector?page=3")).status == 404
    cup = (await site.get(f"/t/{CUP}/projector")).text
    assert 'class="bracket tree"' in cup
    assert re.search(r"[\w-]+ wins</span> <b>\d+ : \d+</b>", cup)


@contextmanager
def stepped(file):
    """A tournament that is played in another process, step by step; yields how to take one."""
    command = [sys.executable, "-m", "tests.web.stepped_run", str(file)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:

        def step() -> int:
            process.stdin.write("\n")
            process.stdin.flush()
            return int(process.stdout.readline())

        try:
            assert process.stdout.readline() == "0\n"
            yield step
        finally:
            process.kill()


async def test_points_move_while_another_process_plays(tmp_path):
    file = tmp_path / "stepped.db"
    with stepped(file) as step:
        async with visiting(Settings(db=f"sqlite:///{file}")) as site:
            waits = []
            async with site.stream("/live/t/1") as events:
                with trio.fail_after(60):
                    _, content = parts(await events.receive())
                    assert '<span class="tag live">Round 1 of 3</span>' in content
                    assert "prov" not in content
                    shown = 0
                    for _ in range(3):
                        stored = await trio.to_thread.run_sync(step)
                        begun = time.monotonic()
                        while shown < stored:
                            shown, content = parts(await events.receive())
                        waits.append(time.monotonic() - begun)
            assert re.search(r'<td class="num prov">\+[1½]</td>', content)
            assert re.search(r'<li class="now">.*?<b>\d+(\.5)? : \d+(\.5)?</b>', content, re.DOTALL)
            assert min(waits) < 2


class Time:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_the_time_left_runs_down_like_a_clock():
    pace, now = Pace(time := Time()), 0
    assert pace.of(1, 0, 1000).left is None  # being measured
    shown = []
    for second in range(1, 61):
        time.now += 1
        now += 12 if second % 2 else 8  # about ten a second
        shown.append(pace.of(1, now, 1000 - now, "round 1").left)
    assert shown.count(None) == 2
    shown = shown[2:]
    assert shown == sorted(shown, reverse=True)
    assert all(0.5 < before - after < 1.5 for before, after in itertools.pairwise(shown))


def test_another_speed_replaces_the_time_left():
    pace, now = Pace(time := Time()), 0
    pace.of(1, 0, 10_000)
    for _ in range(60):
        time.now += 1
        now += 10
        fast = pace.of(1, now, 10_000 - now).left
    for _ in range(60):
        time.now += 1
        now += 1
        slow = pace.of(1, now, 10_000 - now).left
    assert slow > 5 * fast
    assert (clock(400), clock(8_000)) == ("6:40", "2:13:20")


def test_equal_thirds_of_points_stand_as_before_the_round():
    before = [
        Standing(rank=index + 1, index=index, name="", score=score, match_points=0, tie_breaks={})
        for index, score in enumerate((9.666666667, 9.333333333))
    ]
    made = Round(number=2, pairings=())
    now = Running(round=made, pairings=(), gained={0: 0.666666667, 1: 1.000000001}, counted=False)
    assert 9.666666667 + 0.666666667 < 9.333333333 + 1.000000001  # by what floats add
    assert [(line.rank, line.index) for line in so_far(before, now)] == [(1, 0), (2, 1)]


def page_of(url: str, path: str = "/t/1") -> str:
    """A page, by default that of the first tournament."""

    async def read() -> str:
        async with visiting(Settings(db=url)) as site:
            answer = await site.get(path)
            assert answer.status == 200
            return answer.text

    return trio.run(read)


def test_both_losers_of_the_semi_finals_stand_on_the_podium(tmp_path):
    url = f"sqlite:///{tmp_path}/cup.db"
    with arena.open_database(url) as db:
        db.run(FIELD[:4], format="knockout", games=2, seed=3)
        third = {row["name"] for row in db.tournament(1).standings() if row["rank"] == 3}
    steps = page_of(url).partition('class="podium"')[2].partition("</ol>")[0]
    shared = re.findall(r'<li class="third">.*?3rd, shared.*?<a [^>]*>(.*?)</a>', steps, re.DOTALL)
    assert len(shared) == 2
    assert {*shared} == third


def test_a_disqualified_bot_stands_on_no_podium(tmp_path):
    url = f"sqlite:///{tmp_path}/left.db"
    with arena.open_database(url) as db:
        db.run(FIELD[:3], games=2, seed=1, rounds=2, pause_after_round=1)
        db.organiser(1).disqualify("bot-2", reason="copied")
        db.resume(1, FIELD[:3])
        assert db.tournament(1).standings()[-1]["name"] == "bot-2"
    podium = page_of(url).partition('class="podium"')[2].partition("</ol>")[0]
    assert podium.count("<li") == 2
    assert "bot-2" not in podium


def test_a_bot_of_leaderboards_by_wins_and_by_amount_has_its_page(tmp_path):
    url = f"sqlite:///{tmp_path}/both.db"
    rules = {"game": "sabacc", "ruleset": "old_republic(mode=chips,hands=2)", "games": 2, "seed": 1}
    with arena.open_database(url) as db:
        for version, scoring in itertools.product("12", ("wins", "amount")):
            own = arena.PythonBot(Calls, name="own", version=version)
            db.run([own, "target-total"], scoring=scoring, **rules)
    assert "<h1>own" in page_of(url, "/b/own")

"""The pages of tournaments: standings as in a report, brackets, stages, and charts."""

from __future__ import annotations

import re
import shutil
from contextlib import suppress
from functools import partial
from html import unescape

import msgspec
import pytest
import trio
from arena_results.boards.leaderboard import Asked
from arena_results.bots.seasons import Season, insert_season
from arena_results.file.database import open_database
from arena_results.schema.rows import VoidMatch
from arena_results.store.store import Store

import arena
from arena.core.outcome import Termination
from arena.core.record import MatchKey
from arena.pages.templates import breakable
from arena.plugins.registry import Registry
from arena.service.boards.rows import leaderboards
from arena.service.boards.table import board_row
from arena.service.league.league_file import LeagueSpec
from arena.service.public.documents import public_report
from arena.service.public.overview import overview
from arena.web.site.guard.settings import Settings
from tests.pages.played import Stands, Stopped, stop
from tests.web.client import visiting

CUP, STAGES, BEGUN, EMPTY, SWISS = 1, 2, 3, 4, 5
FIELD = tuple(
    arena.PythonBot(partial(Stands, at, 14 if at == 18 else 99), name=f"stands-{at}", version="1")
    for at in (15, 16, 17, 18)
)


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """The address of a database with knockouts and stages; one is begun, one is not."""
    file = tmp_path_factory.mktemp("brackets") / "cups.db"
    stages = [{"format": "swiss", "rounds": 3}, {"format": "knockout", "take": 2}]
    with arena.open_database(file) as db:
        db.run(FIELD, format="knockout", games=2, seed=3, third_place=True)
        db.run(FIELD, stages=stages, games=2, seed=4)
        db.run(FIELD, format="knockout", games=2, pause_after_round=1)
        db.organiser(BEGUN).lots(reason="a cup for two")
        with suppress(Stopped):
            db.run(FIELD, format="knockout", games=2, progress=stop)
        db.run(FIELD, format="swiss", rounds=2, games=2, seed=6)
    void = VoidMatch(MatchKey(2, 1, 2), Termination.HARNESS_FAULT, "tls://10.0.0.1:40123: it died")
    with open_database(f"sqlite:///{file}") as database:
        trio.run(Store(database).save_void, SWISS, [void])
    return f"sqlite:///{file}"


@pytest.fixture
async def site(results):
    async with visiting(Settings(db=results)) as visitor:
        yield visitor


def names(text: str) -> list[str]:
    """Names of the standings on a page, from the top."""
    body = text[text.index('id="standings"') :].partition("<tbody>")[2].partition("</tbody>")[0]
    return re.findall(r'<th scope="row"[^>]*>.*?(stands-\d+)', body)


@pytest.mark.thorough("tests/pages draws the bracket")
async def test_a_bracket_is_drawn_as_in_the_report(site, results, tmp_path):
    page = (await site.get(f"/t/{CUP}")).text
    with arena.open_database(results) as db:
        db.tournament(CUP).report(html=tmp_path / "report")
    report = (tmp_path / "report" / "index.html").read_text()
    bracket = re.compile(r'<div class="bracket tree">.*?</div>\s*</div>\s*</section>', re.DOTALL)
    (drawn,) = bracket.findall(page)
    assert bracket.findall(report) == [drawn]
    assert [*re.findall(r'class="tie" role="group" aria-label="(.*?)"', drawn)] == [
        *("semifinal 1", "semifinal 2", "final", "third place")
    ]
    assert re.findall(r"<h3.*?>(.*?)</h3>", drawn) == ["Semi-finals", "Final", "third place"]
    assert drawn.count('<p class="w">') == 4


async def test_names_break_after_their_options_and_columns_are_explained(site):
    assert breakable("a<b(c=1,d=2) e(f=3) g+h") == "a&lt;b(<wbr>c=1,<wbr>d=2) e(f=3) g+<wbr>h"
    page = (await site.get("/t/5?detail=yes")).text
    assert "&lt;wbr" not in page
    legend = page[page.index('<details class="legend">') :]
    assert (
        "<dt>BH-C1</dt><dd>Buchholz: the sum of the opponents&#39; scores (8.1), less 1 lowest</dd>"
        in legend
    )
    assert "BH-C1" not in (await site.get("/t/5")).text  # names come first
    assert "BH-C1" in (await site.get("/t/5/why")).text
    assert re.search(r"\d{4}-\d\d-\d\d \d\d:\d\d UTC", page)


async def test_a_bracket_that_is_not_over_has_the_bouts_to_come(site):
    page = (await site.get(f"/t/{BEGUN}")).text
    assert page.count('<p class="w">') == 2
    assert 'aria-label="final"' in page


async def test_the_organisers_decisions_are_listed_with_their_reason(site):
    listed = re.compile(r">Rulings</h2>\s*<p.*?>lots are drawn in the order .*\(a cup for two\)\.")
    address = f"/t/{BEGUN}/rulings"
    assert f'href="{address}"' in (await site.get(f"/t/{BEGUN}")).text
    assert listed.search((await site.get(address)).text)
    assert ">Rulings<" not in (await site.get(f"/t/{CUP}")).text
    assert "The organiser decided nothing." in (await site.get(f"/t/{CUP}/rulings")).text


async def test_stages_have_standings_and_a_bracket_of_their_own(site):
    page = (await site.get(f"/t/{STAGES}")).text
    for title in ("Stage 1: swiss", "Stage 2: knockout"):
        assert f">{title}</h2>" in page
    assert page.count('class="bracket tree"') == 1
    assert ">Swiss stage</h2>" in page  # beside the bracket


async def test_the_standings_are_those_of_the_report_and_sorted_by_the_address(site):
    page = (await site.get(f"/t/{CUP}")).text
    report = public_report(site.site.registry, site.site.database, CUP)
    assert names(page) == [line.name for line in report.table]
    ratings = overview(site.site.registry, site.site.database, CUP, closest=0).ratings
    rated = sorted(ratings.rows, key=lambda row: row.value)
    assert names((await site.get(f"/t/{CUP}?sort=rating")).text) == [row.label for row in rated]
    assert page.count('<svg class="iv"') == len(FIELD)
    full = (await site.get(f"/t/{CUP}?detail=yes&sort=adjusted")).text
    assert 'aria-sort="ascending"' in full
    by = (await site.get(f"/t/{CUP}?sort=rang")).text
    assert "unknown column &#39;rang&#39;; choices: name, " in by


async def test_faults_lead_to_the_move_of_the_first(site):
    page = (await site.get(f"/t/{CUP}")).text
    (address,) = re.findall(r'href="(/m/[\d.]+\?move=\d+)"', page)
    assert (await site.get(address)).status == 200


async def test_void_matches_are_listed_without_the_machines_that_failed(site):
    page = (await site.get(f"/t/{SWISS}")).text
    assert re.search(r"Match 2\.1\.2, stands-1\d against stands-1\d: harness fault\.", page)
    assert "10.0.0.1" not in page
    assert "Void matches" not in (await site.get(f"/t/{CUP}")).text


async def test_charts_have_losses_times_and_the_closest_matches(site, monkeypatch):
    page = (await site.get(f"/t/{STAGES}/charts")).text
    titles = re.findall(r"<h2[^>]*>(.*?)</h2>", page)
    assert titles == [
        "Ratings, round by round", "Losses by cause", "Time of a decision", "The closest matches",
    ]  # fmt: skip
    monkeypatch.setattr("arena.web.views.tournament.MAX_READ", 3)
    shorter = (await site.get(f"/t/{CUP}/charts")).text
    assert "Time of a decision" not in shorter
    assert f"arena report {CUP} --html FOLDER" in shorter


async def test_a_tournament_without_matches_says_so(site):
    assert (await site.get(f"/t/{EMPTY}")).status == 200
    assert "No match is played yet." in (await site.get(f"/t/{EMPTY}/charts")).text


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("/nothing", "unknown page '/nothing'; choices: /, /b, /b/{name}, /events, /g/{game}/"),
        ("/t/99", "unknown tournament '99'; choices: 1, 2, 3, 4, 5"),
        ("/t/x/charts", "unknown tournament 'x'; choices: 1, 2, 3, 4, 5"),
        ("/t/1?page=9", "page '9' of the list: there is page 1"),
        (
            "/t/1?colour=red",
            "unknown parameter 'colour' of this page; choices: detail, page, q, sort",
        ),
        ("/t/1/matches?round=9", "there is no round 9: rounds 1 to 2 were paired"),
        ("/t/1/matches?bot=nobody", "unknown bot 'nobody'; choices: stands-15"),
        ("/g/pazaak/none", "unknown ruleset 'none' in the database; choices: standard"),
        ("/g/none/standard", "unknown game 'none' in the database; choices: pazaak"),
        ("/g/pazaak/standard?unit=x", "unknown unit 'x'; choices: rating"),
        ("/b/nobody", "unknown bot 'nobody'; choices: "),
        ("/m/9.1.1.1", "unknown tournament '9'; choices: 1, 2, 3, 4, 5"),
        ("/m/x", "cannot read the match 'x'; write TOURNAMENT.ROUND.PAIRING.MATCH"),
        ("/m/1.1.1.1?view=seat7", "view 'seat7': match 1.1.1.1 has the views public, seat0, seat1"),
        ("/m/1.1.1.1?move=999", "there is no move 999: the match has moves 0 to "),
        ("/static/x.css", "unknown file 'x.css'; choices: board.css"),
    ],
)
async def test_a_page_that_is_not_there_names_the_thing_and_the_choices(site, address, message):
    answer = await site.get(address)
    shown = unescape(re.search('<p class="lead">(.*?)</p>', answer.text)[1])
    assert (answer.status, shown[: len(message)]) == (404, message)


@pytest.mark.parametrize("league", ["Cantina", "Another"])
async def test_the_season_of_a_league_has_its_anchors(results, tmp_path, league):
    url = f"sqlite:///{shutil.copy(results.removeprefix('sqlite:///'), tmp_path / 'own.db')}"
    with open_database(url) as database, database.writing() as connection:
        insert_season(connection, Season("Cantina", 1, STAGES))
    own = LeagueSpec(name=league, house=("stands-15", "stands-16"), anchors={"stands-16": 1234.0})
    async with visiting(Settings(db=url, league=own)) as site:
        pinned = league == "Cantina"
        for page, shown in ((STAGES, pinned), (f"{STAGES}/charts", pinned), (CUP, False)):
            assert (">1234" in (await site.get(f"/t/{page}")).text) is shown, page
        bot, rules = (await site.get("/b/stands-16")).text, (await site.get("/g/pazaak/standard"))
        assert (">1234<" in bot) is pinned
        assert (
            '<th scope="row" class="bot"><a href="/league">' in bot
        ) is pinned  # its row of the season
        assert '<a href="/g/pazaak/standard">' in bot  # that of all tournaments
        assert ("without the anchors of the league: " in rules.text) is pinned
        answer = await site.get("/api/league")
        board = (await site.get(f"/api/leaderboard?tournament={STAGES}")).json
        elo = await site.get(f"/api/leaderboard?tournament={STAGES}&rating=elo")
        assert (await site.get("/api/leaderboard?tournament=99")).status == 404
    assert (1234.0 in [row["rating"] for row in board]) is pinned
    assert (elo.status, len(elo.json)) == (200, len(board))
    if not pinned:
        assert (answer.status, "unknown page '/api/league'" in answer.json["error"]) == (404, True)
        return
    asked = Asked(tournament=STAGES, anchors=own.anchors)
    with open_database(url) as database:  # as arena leaderboard --tournament 2 --anchor -o json
        boards = leaderboards(database, asked, registry=Registry())
    rows = [board_row(row) for board in boards for row in board.rows]
    assert answer.json == msgspec.json.decode(msgspec.json.encode(rows))
    assert 1234.0 in [row["rating"] for row in answer.json]
    assert board == answer.json


async def test_of_two_versions_of_an_anchor_the_first_has_its_rating(tmp_path):
    url = f"sqlite:///{tmp_path / 'own.db'}"
    newer = arena.PythonBot(partial(Stands, 19), name="stands-15", version="2")
    with arena.open_database(tmp_path / "own.db") as db:
        await db.run_async([*FIELD[:2], newer], format="round-robin", games=4, seed=1)
    with open_database(url) as database, database.writing() as connection:
        insert_season(connection, Season("Cantina", 1, 1))
    own = LeagueSpec(name="Cantina", house=("stands-15", "random"), anchors={"stands-15": 1234.0})
    async with visiting(Settings(db=url, league=own)) as site:
        for page in ("/league", "/t/1", "/t/1/charts", "/b/stands-15"):
            assert (await site.get(page)).status == 200, page
        bot = (await site.get("/b/stands-16")).text
        assert '<th scope="row" class="bot"><a href="/league">' in bot
        assert "/g/pazaak/standard" not in bot  # the same matches: one bot has one rating
        rows = (await site.get("/api/league?all_versions=1")).json
    pinned = [(row["name"], row["version"]) for row in rows if row["rating"] == 1234.0]
    assert pinned == [("stands-15", "1")]


async def test_the_place_of_each_bot_has_its_reason(tmp_path):
    with arena.open_database(tmp_path / "places.db") as db:
        run = await db.run_async(FIELD, format="round-robin", games=4, seed=1)
        reasons = {row["name"]: run.explain(row["name"])["parts"][-1] for row in run.standings()}
    async with visiting(Settings(db=f"sqlite:///{tmp_path / 'places.db'}")) as site:
        page = (await site.get("/t/1/why")).text
        links = re.findall(
            r'<th scope="row" class="bot"><a href="(/t/1/why/[^"]+)">([^<]+)</a>', page
        )
        assert [name for _, name in links] == [*reasons]
        for address, name in links:
            own = (await site.get(address)).text
            assert reasons[name]["reason"] in page
            assert reasons[name]["reason"] in own
            steps = [*reasons[name]["rounds"], *reasons[name]["steps"]]
            assert own.count("<tr><td") == len(steps)
        assert (await site.get("/t/1/why/nobody")).status == 404


async def test_points_of_a_table_go_on_in_further_lines(tmp_path):
    bots = ["random", "target-total", "cautious-folder"]
    with arena.open_database(tmp_path / "tables.db") as db:
        await db.run_async(bots, game="sabacc", format="tables", seats=3, games=3, seed=1)
    async with visiting(Settings(db=f"sqlite:///{tmp_path / 'tables.db'}")) as site:
        page = (await site.get("/t/1/rounds")).text
    (points,) = re.findall(r"<td>([\d.]+ : [\d.]+ : [\d.]+)</td>", page)
    assert sum(map(float, points.split(" : "))) == 4.5

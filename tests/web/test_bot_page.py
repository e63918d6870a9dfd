"""The page of a bot: its lists have addresses of their own, and its history is drawn."""

from __future__ import annotations

import re

import pytest
import trio

import arena
from arena.pages.faces import SIZE, face
from arena.service.boards.versions import UNKNOWN, VersionChange
from arena.web.site.guard.settings import Settings
from arena.web.views import bot_parts
from arena.web.views.bot_parts import exploited
from tests.pages.played import Stands
from tests.web.client import visiting

ADDRESSES = (
    *("/leaders?sort=-matches", "/b/late", "/b/weak?worst-sort=match"),
    *("/b/new", "/b/new?ratings-sort=version", "/b/new?ratings-sort=-version"),
    *("/b/steady", "/b/steady?ratings-sort=games&sort=-won", "/b/steady?ratings-sort=luck"),
    *("/b/steady?ratings-page=2", "/b/steady?tab=matches", "/b/optimal", "/b/steady?tab=log"),
    "/b/steady?tab=matches&against=weak&result=won&tournament=2",
)
"""Pages of a bot follow each other: the hands of its latest matches are solved once for them."""


class OneHand(Stands):
    """Has ten equal cards, and so the same hand in every match: it is solved once for all."""

    def prepare(self, offer):
        return ["+3"] * 10


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """The address of a database with three events; one bot comes in two versions, one once."""
    file = tmp_path_factory.mktemp("bots") / "cups.db"

    def bot(name, at, version="1"):
        return arena.PythonBot(lambda: OneHand(at), name=name, version=version)

    steady, weak = bot("steady", 16), bot("weak", 19)
    with arena.open_database(file) as db:
        db.run([steady, weak, bot("late", 15)], format="round-robin", games=40, seed=1)
        db.run([steady, weak, bot("new", 17, "1.0")], format="round-robin", games=40, seed=2)
        db.run([steady, weak, bot("new", 18, "1.1")], format="round-robin", games=40, seed=3)
    return f"sqlite:///{file}"


@pytest.fixture(scope="module")
def pages(results):
    """The answers of one site to requests of these addresses."""

    async def answers():
        async with visiting(Settings(db=results)) as site:
            return {address: await site.get(address) for address in ADDRESSES}

    return trio.run(answers)


def section(page: str, heading: str) -> str:
    return page[page.index(f"<h2>{heading}<") :].partition("</section>")[0]


def curves(page: str) -> dict[str, str]:
    """The curves of a page: what each shows, by its title."""
    found = re.findall(r"<figcaption>(.*?) <small>.*?(<svg.*?)<details>", page, re.DOTALL)
    return dict(found)


def test_the_history_of_one_version_is_a_curve_with_a_band(pages):
    drawn = curves(section(pages["/b/steady"].text, "Rating"))
    assert [*drawn] == ["pazaak, standard: history"]
    curve = drawn["pazaak, standard: history"]
    assert re.findall(r'text-anchor="middle">(\w+)<', curve) == ["T1", "T2", "T3"]
    (band,) = re.findall(r'<polygon class="band" points="([^"]+)"', curve)
    assert len(band.split()) == 2 * 3


def test_a_bot_of_one_event_has_its_rounds_and_later_changes(pages):
    curve = curves(pages["/b/late"].text)["pazaak, standard: history"]
    assert re.findall(r'text-anchor="middle">(\w+)<', curve)[-1] == "now"


def test_versions_stand_in_the_history_and_beside_each_other(pages):
    drawn = curves(pages["/b/new"].text)
    assert [*drawn] == ["pazaak, standard: history", "pazaak, standard: new by version"]
    assert "from" in drawn["pazaak, standard: history"]
    assert re.findall(r">(T\d, [\d.]+)<", drawn["pazaak, standard: history"]) == [
        "T2, 1.0",
        "T3, 1.1",
    ]


def test_the_end_of_a_history_is_the_rating_of_the_leaderboard(pages):
    page = pages["/b/steady"].text
    rating = re.search(r'<td class="num">(\d{3,4})</td>', section(page, "Ratings"))[1]
    assert re.search(rf"to {rating} \(T3\)", section(page, "Rating"))
    assert re.search(rf"<dt>rating, ± \d+</dt><dd>{rating}</dd>", page)


def test_intervals_are_drawn_beside_the_ratings(pages):
    ratings = section(pages["/b/new"].text, "Ratings")
    table = ratings.partition("<tbody>")[2].partition("</tbody>")[0]
    assert table.count('class="iv"') == 2  # two versions


@pytest.mark.parametrize(
    ("address", "heading", "first"),
    [
        ("/b/new?ratings-sort=version", "Ratings", "1.0"),
        ("/b/new?ratings-sort=-version", "Ratings", "1.1"),
        ("/leaders?sort=-matches", "Leaderboards", "pazaak, standard"),
    ],
)
def test_each_list_of_a_page_is_sorted_by_its_own_parameter(pages, address, heading, first):
    found = section(pages[address].text, heading)
    row = found.partition("<tbody>")[2].partition("</tr>")[0]
    assert first in row
    assert "aria-sort" in found


def test_lists_of_a_page_keep_what_the_others_are_sorted_by(pages):
    page = pages["/b/steady?ratings-sort=games&sort=-won"].text
    links = re.findall(r'href="(/b/steady\?[^"]+)"', section(page, "Rivals"))
    assert links
    assert all("ratings-sort=games" in each for each in links)
    links = re.findall(r'href="(/b/steady\?[^"]+)"', section(page, "Ratings"))
    assert all("sort=-won" in each and each.endswith("#ratings") for each in links)
    refused = pages["/b/steady?ratings-sort=luck"]
    assert (refused.status, "unknown column &#39;luck&#39;; choices: " in refused.text) == (
        404,
        True,
    )
    assert pages["/b/steady?ratings-page=2"].status == 404


def test_the_worst_decisions_are_sorted_by_match_as_numbers(pages):
    page = pages["/b/weak?worst-sort=match"].text
    found = page[page.index('id="worst"') :].partition("<tbody>")[2].partition("</tbody>")[0]
    matches = re.findall(r'<th scope="row" class="bot"><a [^>]*>([\d.]+)<', found)
    assert len(matches) > 1
    keys = [[*map(int, match.split("."))] for match in matches]
    assert keys == sorted(keys)


def test_faults_are_shown_once_where_nothing_else_lost_a_match(pages, tmp_path):
    file = tmp_path / "cups.db"
    bad = arena.PythonBot(lambda: Stands(16, breaks=0), name="bad", version="1")
    with arena.open_database(file) as db:
        db.run([bad, "random"], format="round-robin", games=2, seed=1)

    async def page():
        async with visiting(Settings(db=f"sqlite:///{file}")) as site:
            return (await site.get("/b/bad")).text

    texts = trio.run(page), pages["/b/steady"].text
    headings = ("Lost by its own faults", "Why it lost")
    assert [[each in text for each in headings] for text in texts] == [[True, False], [False, True]]


def figures(page: str) -> dict[str, str]:
    return {
        re.sub(r",? ±.*", "", label): value
        for label, value in re.findall(r"<div><dt>(.*?)</dt><dd>(.*?)</dd></div>", page)
    }


def test_the_head_has_the_figures_of_the_latest_version(pages):
    found = figures(pages["/b/new"].text)
    assert [*found][:2] == ["rating", "rank of 4"]  # four bots, one of them in two versions
    assert found["rank of 4"].isdecimal()
    assert [each for each in found if each.startswith("won of 80")]
    (change,) = [each for each in found if each.startswith("against 1.0")]
    assert re.search(r"[+−]\d+ <small>(better|worse|not yet known)</small>", found[change])


def test_a_new_version_is_marked_in_the_curve(pages):
    curve = curves(section(pages["/b/new"].text, "Rating"))["pazaak, standard: history"]
    assert re.findall(r'class="begins".*?<text[^>]*>([\d.]+)<', curve) == ["1.1"]
    assert 'class="begins"' not in curves(pages["/b/steady"].text)["pazaak, standard: history"]


def test_the_form_is_drawn_and_said(pages):
    page = pages["/b/weak?worst-sort=match"].text
    form = re.search(r'aria-label="10 last results, the newest last: ([WDL]{10})"', page)[1]
    drawn = page.partition('class="form"')[2].partition("</span>")[0]
    counts = [drawn.count(f'class="{kind}"') for kind in ("fw", "fl", "fd")]
    assert counts == [form.count(each) for each in "WLD"]


def test_what_to_look_at_next_leads_to_the_move(pages):
    found = section(pages["/b/weak?worst-sort=match"].text, "What to look at next")
    assert re.search(r"<b>\d+ of \d+ losses</b>: did not stand above a standing rival", found)
    assert re.search(r'href="/m/3\.\d+\.\d+\.\d+\?view=all&amp;move=\d+">Show', found)


def test_the_worst_decisions_are_drawn_with_what_was_better(pages):
    page = pages["/b/weak?worst-sort=match"].text
    assert page.count('<div class="mini">') == 3
    first = page.partition("<h2>Worst decision of the last 30 matches<")[2]
    first = first.partition('class="panel"')[0]
    assert re.search(r"<b>[A-Z][^<]+\.</b> [A-Z][^<]+ is better\.", first)
    chances = re.search(r"Chance to win (\d+) %, after it (\d+) %, were the rival without", first)
    assert int(chances[1]) > int(chances[2])
    assert re.search(r'href="/m/[\d.]+\?view=all&amp;move=\d+">Look', first)


def test_the_matches_are_listed_the_newest_first_and_filtered(pages):
    def listed(page: str) -> list[str]:
        return re.findall(r'<th scope="row" class="bot"><a href="/m/[^"]+">([\d.]+)</a>', page)

    every = listed(pages["/b/steady?tab=matches"].text)
    keys = [tuple(map(int, each.split("."))) for each in every]
    assert len(every) == 50
    assert keys == sorted(keys, reverse=True)
    page = pages["/b/steady?tab=matches&against=weak&result=won&tournament=2"].text
    chosen = listed(page)
    assert chosen
    assert {each.split(".")[0] for each in chosen} == {"2"}
    assert '<option value="weak" selected>weak</option>' in page
    assert '<option value="won" selected>won</option>' in page
    refused = pages["/b/steady?tab=log"]
    assert (refused.status, "choices: matches" in refused.text) == (404, True)


def test_a_bot_without_matches_has_no_tabs_and_says_so(pages):
    page = pages["/b/optimal"].text
    assert "It has played no match yet." in page
    assert 'class="tabs"' not in page
    assert 'class="face"' in page


def test_a_face_follows_from_the_name():
    assert face("cem") == face("cem") != face("fay")
    for name in ("cem", "fay", "", "x" * 60):
        squares = set(face(name))
        assert squares == {(SIZE - 1 - column, row) for column, row in squares}
        assert squares


def test_a_bot_that_can_be_played_leads_to_the_table(results):
    async def page(play: bool):
        async with visiting(Settings(db=results, play=play)) as site:
            return (await site.get("/b/optimal")).text

    assert 'href="/play?game=pazaak&amp;bots=optimal">Play against it' in trio.run(page, True)
    assert "Play against it" not in trio.run(page, False)


def test_how_exploitable_it_is_stands_in_plain_words():
    row = {"version": "2.0", "board": "kuhn, single", "unit": "chips", "exploitability": 0.4219}
    row["exploit_seats"] = 2
    by_lot = {"exploit_kind": "estimate", "exploit_answers": 339, "exploit_won": 0.485}
    bound = {"exploit_kind": "lower bound", "exploit_won": 0.5, "exploit_error": 0.25}
    exact = {"exploit_kind": "exact", "exploit_answers": 36, "exploit_won": -0.5}
    assert exploited(
        [
            row | by_lot | {"exploit_error": 0.098},
            row | {"exploitability": None},
            row | exact | {"exploit_error": None},
            row | bound | {"exploit_seats": 3},
        ]
    ) == [
        "Version 2.0 at kuhn, single: the exploitability is 0.4219 chips a match (an estimate by "
        "339 answers). In matches its best opponent won +0.48 ± 0.10 chips a match (95 %).",
        "Version 2.0 at kuhn, single: the exploitability is 0.4219 chips a match (exact). "
        "In matches its best opponent won −0.50 chips a match (95 %).",
        "Version 2.0 at kuhn, single: the exploitability is at least 0.4219 chips a match (lower "
        "end of a 95 % interval, at a table of 3 seats). In matches a responder won +0.50 ± 0.25 "
        "chips a match (95 %).",
    ]


def test_the_figures_of_a_board_by_chips_have_decimals():
    own = {"game": "kuhn", "ruleset": "single", "name": "new", "version": "2"}
    change = VersionChange(**own, previous="1", elo=-0.25, low=-0.5, high=0, unit="chips")
    row = {"unit": "chips", "few": False, "low": -0.893, "high": -0.157, "rating": -0.525}
    row |= own | {"rank": 2, "field": 2, "firsts": 11, "games": 40}
    assert [(each.value, each.label) for each in bot_parts.figures(row, [change])] == [
        ("−0.525", "chips, ± 0.368"),
        ("2", "rank of 2"),
        ("28 %", "won of 40"),
        ("−0.250", "against 1 (−0.500 to 0.000)"),
    ]
    assert change.verdict == UNKNOWN
    assert bot_parts.verdict([change]) == ""
    assert (
        change.text
        == f"{UNKNOWN}: -0.250 (-0.500 to 0.000) chips a match against 1 after no matches"
    )

"""The page of a bot: its lists have addresses of their own, and its history is drawn."""

from __future__ import annotations

import re

import pytest
import trio

import arena
from arena.web.site.settings import Settings
from tests.pages.played import Stands
from tests.web.client import visiting

ADDRESSES = (
    *("/leaders?sort=-matches", "/b/late", "/b/weak?worst-sort=match"),
    *("/b/new", "/b/new?ratings-sort=version", "/b/new?ratings-sort=-version"),
    *("/b/steady", "/b/steady?ratings-sort=games&sort=-won", "/b/steady?ratings-sort=luck"),
    "/b/steady?ratings-page=2",
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

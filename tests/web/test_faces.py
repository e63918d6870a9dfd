"""Terminal, pages, API and documents have the same columns: those of one table."""

from __future__ import annotations

import csv
import html
import io
import json
import re
from pathlib import Path
from unittest.mock import patch

import pytest
from pyarrow import parquet
from typer.testing import CliRunner

import arena
from arena.cli.app import build
from arena.cli.texts import report
from arena.core.table import INTERVAL_HEAD, Column
from arena.service.boards import table
from arena.service.report.tables import standings
from arena.web.site.guard.settings import Settings
from tests.web.client import visiting


def command(*words: str) -> bytes:
    result = CliRunner().invoke(build(list(words)), list(words), prog_name="arena")
    assert result.exit_code == 0, result.stderr
    return result.stdout_bytes


def headings(text: str, line: int = 1) -> list[str]:
    """The headings of a table on a terminal, which are its second line, after the title."""
    return re.split(r"  +", text.splitlines()[line].strip())


def heads(page: str, caption: str) -> list[str]:
    """The headings of a table of a page."""
    own = page.partition(f'<caption class="sr">{caption}')[2].partition("</thead>")[0]
    found = re.findall(r"<th scope=\"col\".*?</th>", own, re.DOTALL)
    without = [re.sub(r"<svg.*?</svg>|<[^>]*>", "", each, flags=re.DOTALL) for each in found]
    return [html.unescape(each).strip() for each in without]


def first_line(document: bytes) -> list[str]:
    """The cells of the first line of CSV."""
    return next(csv.reader(io.StringIO(document.decode())))


def documents(*words: str) -> dict[str, list[str]]:
    """The keys of each document of a command."""
    out = {name: command(*words, "-o", name) for name in ("json", "jsonl", "csv", "parquet")}
    return {
        "json": [*_rows(json.loads(out["json"]))[0]],
        "jsonl": [*json.loads(out["jsonl"].splitlines()[0])],
        "csv": first_line(out["csv"]),
        "parquet": parquet.read_table(io.BytesIO(out["parquet"])).column_names,
    }


def _rows(document: object) -> list[dict[str, object]]:
    return document["standings"] if isinstance(document, dict) else document


BOARD = ("leaderboard", "--ruleset", "standard", "--db")


async def faces_of_the_leaderboard(url: str) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """The headings that people see, and the keys of documents, by face."""
    async with visiting(Settings(db=url)) as site:
        page = (await site.get("/g/pazaak/standard")).text
        api = (await site.get("/api/leaderboard?ruleset=standard")).json
    with arena.open_database(url) as db:
        python = db.leaderboard(ruleset="standard")
    export = command("export", "1", "ratings", "-o", "csv", "--db", url)
    people = {
        "terminal": headings(command(*BOARD, url).decode()),
        "page": heads(page, "pazaak, standard"),
    }
    keys = {
        **documents(*BOARD, url),
        "HTTP": [*api[0]],
        "Python": [*python[0]],
        "export": [key for key in first_line(export) if key != "before"],
    }
    return people, keys


async def test_all_faces_of_the_leaderboard_have_the_same_columns(cups):
    people, keys = await faces_of_the_leaderboard(cups)
    assert "P(beats next)" in people["terminal"]
    assert people["page"] == people["terminal"]
    written = [each.key for each in table.COLUMNS if not each.derived]
    assert {face: found for face, found in keys.items() if found != written} == {}


async def test_a_column_more_of_the_leaderboard_is_in_all_faces(cups, monkeypatch):
    more = Column("deals", "independent deals", right=True, type="integer")
    monkeypatch.setattr(table, "COLUMNS", (*table.COLUMNS, more))
    people, keys = await faces_of_the_leaderboard(cups)
    assert {face: found[-1] for face, found in people.items()} == dict.fromkeys(people, more.head)
    assert {face: found[-1] for face, found in keys.items()} == dict.fromkeys(keys, more.key)


OWN = {"rating", INTERVAL_HEAD, "version"}
"""Columns of standings that only faces with ratings show."""


async def faces_of_standings(url: str, folder: Path) -> dict[str, list[str]]:
    """The headings that people see of the standings of a tournament with all columns, by face."""
    async with visiting(Settings(db=url)) as site:
        page = (await site.get("/t/1?detail=yes")).text
    file = folder / "report.html"
    command("report", "1", "--single", str(file), "--replays", "0", "--db", url)
    with patch.object(report, "PIPED_STANDINGS", 400):  # of 80, luck-adjusted scores are left out
        terminal = command("tournament", "show", "1", "--details", "--db", url).decode()
    return {
        "terminal": headings(terminal, 3),  # after the verdict and the title
        "page": [each for each in heads(page, "Standings") if each not in OWN],
        "report": [each for each in heads(file.read_text(), "All columns") if each not in OWN],
    }


async def test_all_faces_of_standings_have_the_same_columns(cups, tmp_path):
    found = await faces_of_standings(cups, tmp_path)
    assert found["terminal"][:3] == ["#", "bot", "score"]
    assert {face: each for face, each in found.items() if each != found["terminal"]} == {}


async def test_a_column_more_of_standings_is_in_all_faces(cups, tmp_path, monkeypatch):
    own = standings._columns
    more = Column("match_points", "match points", right=True)

    def columns(*given):
        yield from [each for each in own(*given) if each.key != more.key]
        yield more

    monkeypatch.setattr(standings, "_columns", columns)
    found = await faces_of_standings(cups, tmp_path)
    assert {face: each[-1] for face, each in found.items()} == dict.fromkeys(found, more.head)
    assert {face: each[-1] for face, each in written_standings(cups).items()} == dict.fromkeys(
        ("jsonl", "csv", "parquet", "export", "Python"), more.key
    )


def written_standings(url: str) -> dict[str, list[str]]:
    """The columns of the standings of a tournament as a list, by face."""
    found = documents("tournament", "show", "1", "--db", url)
    del found["json"]  # a document, whose objects are not columns
    export = command("export", "1", "standings", "-o", "csv", "--db", url)
    with arena.open_database(url) as db:
        python = db.tournament(1).standings()
    return {**found, "export": first_line(export), "Python": [*python[0]]}


def test_all_lists_of_standings_have_the_same_columns(cups):
    found = written_standings(cups)
    assert {"rank", "version", "match_points", "average_place", "amount"} <= {*found["csv"]}
    assert {face: each for face, each in found.items() if each != found["csv"]} == {}


def test_pairs_and_luck_have_the_same_columns_in_all_faces(cups):
    with arena.open_database(cups) as db:
        pairs = db.leaderboard(ruleset="standard", pairs=True)
        luck = db.tournament(1).luck()
    shown = documents("leaderboard", "--ruleset", "standard", "--pairs", "--db", cups)
    assert {face: each for face, each in shown.items() if each != [*pairs[0]]} == {}
    for of, more in (("bots", ()), ("pairs", ("--pairs",))):
        written = command("tournament", "luck", "1", *more, "-o", "csv", "--db", cups)
        assert {*first_line(written)} == {*luck[of][0]}


LISTS = {
    "Tournaments": ("/events", ("tournament", "list")),
    "Bots": ("/b", ("bots",)),
    "Matches": ("/t/1/matches", ("matches", "1")),
    "Ratings": ("/b/stand", ("bots", "show", "stand")),
    "Worst decisions": ("/b/stand", ("bots", "show", "stand", "--matches", "9")),
}
"""Lists of the site, by their captions, with their page and the command that prints them."""


def below(text: str, title: str) -> list[str]:
    """The headings below a title on a terminal; at the top of a text without it."""
    lines = text.splitlines()
    return headings(text, lines.index(title) + 1 if title in lines else 0)


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    """The address of a database in which house bots have played."""
    url = f"sqlite:///{tmp_path_factory.mktemp('house')}/house.db"
    with arena.open_database(url) as db:
        db.run(["stand(at=12)", "counter"], games=4, seed=1)
    return url


@pytest.mark.parametrize("caption", LISTS)
async def test_a_list_has_the_same_columns_on_a_page_and_on_a_terminal(house, caption):
    path, words = LISTS[caption]
    terminal = below(command(*words, "--db", house).decode(), caption)
    async with visiting(Settings(db=house)) as site:
        page = heads((await site.get(path)).text, caption)
    assert len(page) > 2
    assert page == terminal


async def test_lists_of_a_report_have_the_columns_of_a_terminal(cups, tmp_path):
    file = tmp_path / "report.html"
    command("report", "1", "--single", str(file), "--replays", "3", "--db", cups)
    page = file.read_text()
    closest = below(command("matches", "1", "--closest", "3", "--db", cups).decode(), "none")
    assert heads(page, "The closest matches") == closest


@pytest.mark.parametrize(
    ("chance", "text"),
    [(None, None), (0.5, "50.0%"), (0.9995, ">99.9%"), (0.0005, "<0.1%"), (0.999, "99.9%")],
)
def test_a_chance_is_never_a_whole_0_or_100(chance, text):
    assert table.percent(chance) == text

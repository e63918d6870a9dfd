"""A format of an extension whose standings have parts: every interface shows them."""

from __future__ import annotations

import json
import os

import pytest

import arena
from arena.plugins.manager import GROUP
from arena.plugins.registry import Registry
from arena.service.storage.databases import open_database
from arena.tui.watch import WatchApp
from arena.web.site.guard.settings import Settings
from tests.cli.in_process import run_in_process
from tests.tui.screens import text_of, until, walk
from tests.web.client import visiting

HALVES = '''
from arena_tournaments.formats.round_robin import RoundRobin

from arena.core.table import Column, Table
from arena.core.tournaments.format import Section

TEAMS = {"Odd": slice(0, None, 2), "Even": slice(1, None, 2)}


class Halves(RoundRobin, kw_only=True):
    """A round robin whose standings have parts."""

    name: str = "halves"
    summary: str = "a round robin of two teams"
    wrong: str = ""

    def sections(self, names, played):
        points = [0.0] * len(names)
        for past in played:
            for result in past.results:
                for index, own in zip(result.pairing.seats, result.points):
                    points[index] += own
        for title, part in TEAMS.items():
            yield Section(title=title, members=tuple(range(len(names))[part]))
        rows = ({"team": title, "points": sum(points[part])} for title, part in TEAMS.items())
        columns = (Column("team", "team"), Column("points", "points", right=True))
        yield Section(title="Teams", table=Table(columns=columns, rows=rows))


class Wrong(Halves, kw_only=True):
    name: str = "wrong"

    def sections(self, names, played):
        return [Section(title="Odd", members=(0, len(names)))]


class Ragged(Halves, kw_only=True):
    name: str = "ragged"

    def sections(self, names, played):
        return [Section(title="Teams", table=Table(columns=(Column("a", "a"),), rows=[{"b": 1}]))]


def arena_formats():
    return [Halves(), Wrong(), Ragged()]
'''
BOTS = ("stand", "random", "stand(at=15)", "hand-saver")
WORDS = [word for bot in BOTS for word in ("--bot", bot)]
RUN = ["tournament", "run", "--seed", "7", "--concurrency", "1", "--games", "2", *WORDS]


@pytest.fixture(autouse=True)
def halves(install, tmp_path, monkeypatch):
    install(
        "arena-halves", {GROUP: {"halves": "halves_extension"}}, {"halves_extension.py": HALVES}
    )
    monkeypatch.setenv("ARENA_DB", f"sqlite:///{tmp_path / 'halves.db'}")


def answer(tmp_path, *words: str, code: int = 0) -> str:
    ended, out, err = run_in_process([*words], tmp_path, os.environ)
    assert (ended, "warning" in err) == (code, False), err
    return err if code else out


def test_parts_of_standings_stand_in_documents_and_in_the_terminal(tmp_path):
    shown = json.loads(answer(tmp_path, *RUN, "--format", "halves", "-o", "json"))
    odd, even, teams = shown["sections"]
    assert [each["title"] for each in (odd, even, teams)] == ["Odd", "Even", "Teams"]
    assert {line["name"] for line in odd["standings"]} == {*BOTS[::2]}
    assert {line["name"] for line in even["standings"]} == {*BOTS[1::2]}
    # Of two who met in two matches, which is all that counts in their part.
    for part in (odd, even):
        assert sum(line["score"] for line in part["standings"]) == 2
        assert part["standings"][0]["rank"] == 1
        assert {"DE", "WIN"} <= {*part["standings"][0]["tie_breaks"]}
    points = {line["name"]: line["score"] for line in shown["standings"]}
    assert teams["standings"] == [
        {"team": "Odd", "points": sum(points[name] for name in BOTS[::2])},
        {"team": "Even", "points": sum(points[name] for name in BOTS[1::2])},
    ]
    lines = answer(tmp_path, "tournament", "show", "1").splitlines()
    heads = [lines.index(title) for title in ("Odd", "Even", "Teams")]
    assert heads == sorted(heads)
    assert lines[heads[0] + 1].split()[:3] == ["#", "bot", "score"]
    assert lines[heads[2] + 1].split() == ["team", "points"]


def test_parts_of_a_stage_are_its_own(tmp_path):
    stages = ("--stage", "halves", "--stage", "halves(take=2)")
    shown = json.loads(answer(tmp_path, *RUN, *stages, "-o", "json"))
    assert "sections" not in shown
    first, last = shown["stages"]
    assert [len(each["standings"]) for each in first["sections"]] == [2, 2, 2]
    assert [each["standings"][0]["name"] for each in last["sections"][:2]] == last["entrants"]
    text = answer(tmp_path, "tournament", "show", "1")
    assert [text.count(f"\n{title}\n") for title in ("Odd", "Even", "Teams")] == [2, 2, 2]


def test_members_of_a_part_do_not_meet_at_once_in_a_bracket(tmp_path):
    stages = ("--stage", "halves", "--stage", "knockout(take=4)")
    for seed in range(3):
        words = [str(seed) if word == "7" else word for word in RUN]
        shown = json.loads(answer(tmp_path, *words, *stages, "-o", "json"))
        ranked = [line["name"] for line in shown["stages"][0]["standings"]]
        last = shown["stages"][1]
        assert last["entrants"][:2] == ranked[:2], "the higher seeds of both semifinals stay"
        for bout in last["bracket"][:2]:
            assert sum(name in BOTS[::2] for name in bout["names"]) == 1
        assert answer(tmp_path, "tournament", "verify", str(seed + 1))


@pytest.fixture
def played(halves, tmp_path):
    """Plays tournament 1."""
    answer(tmp_path, *RUN, "--format", "halves")


async def test_pages_and_the_programs_of_others_have_them(tmp_path, played):
    with arena.open_database(tmp_path / "halves.db") as db:
        cup = db.tournament(1)
        sections = cup.sections()
        assert [row["name"] for row in sections["Odd"]] == [
            row["name"] for row in cup.document()["sections"][0]["standings"]
        ]
        assert sections["Teams"] == cup.document()["sections"][2]["standings"]
        page = cup.report(html=tmp_path / "cup").read_text()
    async with visiting(Settings(db=os.environ["ARENA_DB"])) as site:
        shown = (await site.get("/t/1")).text
        api = (await site.get("/api/tournaments/1")).json
    assert api["sections"] == cup.document()["sections"]
    for text in (page, shown):
        for title in ("Odd", "Even", "Teams"):
            assert f"<h3>{title}</h3>" in text
        assert '<th scope="col">team</th>' in text


def test_tab_goes_through_the_tables_of_the_terminal_application(played):
    with open_database(os.environ["ARENA_DB"]) as database:
        app = WatchApp(Registry(), database, 1)

        async def steps(pilot):
            await until(pilot, lambda: "Standings (Tab: next of 4 tables)" in text_of(app))
            for title in ("Odd", "Even", "Teams", "Standings"):
                await pilot.press("tab")
                await until(pilot, lambda title=title: f" {title} (Tab" in text_of(app))
                heads = [*map(str.split, text_of(app).splitlines())]
                assert (["team", "points"] in heads) == (title == "Teams")

        walk(app, steps)


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("wrong", "gave a wrong answer in sections: members {4} in a field of 4, counted from 0"),
        ("ragged", "gave a wrong answer in sections: a row of Teams without a"),
    ],
)
def test_a_wrong_part_is_one_line_that_names_the_extension(tmp_path, name, problem):
    text = answer(tmp_path, *RUN, "--format", name, code=2)
    assert f"format {name} of distribution arena-halves 1.0 {problem}" in text
    assert "Traceback" not in text

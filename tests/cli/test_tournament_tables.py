"""Whole tournaments at tables of more than two, in real processes, of a game from a plugin."""

from __future__ import annotations

import os
from itertools import combinations
from pathlib import Path

import pytest

from tests.cli.tournament_runs import Place, without_progress

BOTS = """
from arena import Bot


class Raiser(Bot):
    def __init__(self, n: int = 0) -> None:
        self.left = n

    def act(self, observation):
        self.left -= 1
        return observation.legal_actions[self.left >= 0]


class Crasher(Bot):
    def act(self, observation):
        raise ValueError("boom")
"""
EXTENSION = """


def arena_games():
    from tests.table_game import Table

    return [Table()]
"""
SEED = ("--seed", "7", "--concurrency", "1", "--trust", "raisers.py", "--game", "table")


def raisers(count):
    return [f"raisers.py:Raiser(n={n})" for n in range(count)]


def bots(count):
    return [word for name in raisers(count) for word in ("--bot", name)]


class Tables(Place):
    """A place where a game for two to four seats is installed."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        (folder / "raisers.py").write_text(BOTS)
        site = folder / "site"
        about = site / "table_game_extension-1.0.dist-info"
        about.mkdir(parents=True)
        (site / "table_extension.py").write_text(EXTENSION)
        (about / "METADATA").write_text(
            "Metadata-Version: 2.1\nName: table-game-extension\nVersion: 1.0\n"
        )
        (about / "entry_points.txt").write_text("[arena]\ntable = table_extension\n")
        root = Path(__file__).parents[2]
        self.env["PYTHONPATH"] = os.pathsep.join(map(str, (site, root)))


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A round robin of five in tables of three (1), and a Swiss of seven in tables of four (2)."""
    place = Tables(tmp_path_factory.mktemp("tables"))
    place.robin = place.arena(
        "tournament", "run", *SEED, *bots(5), "--format", "tables", "--seats", "3",
        "--games", "6", "-o", "json",
    )  # fmt: skip
    place.swiss = place.arena(
        "tournament", "run", *SEED, *bots(6), "--bot", "raisers.py:Crasher",
        "--format", "table-swiss", "--seats", "4", "--games", "5",
    )  # fmt: skip
    return place


def test_seats_are_printed_before_play_and_are_data(place):
    assert place.robin.code == 0, place.robin.err
    assert without_progress(place.robin.err) == (
        "Tournament 1: table plain, tables, 5 bots, 10 rounds, 6 games a pairing; open seed 7\n"
        "5 entrants at tables of up to 3: 1 table of 3 and 1 of 2 a round\n"
    )
    shown = place.robin.document["tournament"]
    assert (shown["seats"], shown["tables"], shown["resting"]) == (3, [3, 2], 0)
    assert shown["scoring"] == "table"
    assert shown["matches"] == 10 * 2 * 6


def test_everybody_meets_everybody_equally_often_and_sits_everywhere(place):
    met = {}
    for one in place.robin.document["rounds"]:
        for pairing in one["pairings"]:
            for pair in combinations(sorted(pairing["names"]), 2):
                met[pair] = met.get(pair, 0) + 1
    assert set(met.values()) == {4}
    sat = {}
    for match in place.played(1):
        size = len(match.record.seats)
        for seat, key in enumerate(match.record.seats):
            sat[key, size, seat] = sat.get((key, size, seat), 0) + 1
    assert {count for (_, size, _), count in sat.items() if size == 3} == {6 * 6 // 3}
    assert {count for (_, size, _), count in sat.items() if size == 2} == {4 * 6 // 2}


def test_the_standings_add_up(place):
    document = place.robin.document
    rows = document["standings"]
    # A match is worth half a point a seat in all.
    assert sum(row["score"] for row in rows) == 10 * 6 * 5 / 2
    raises = {row["name"]: row["amount"] for row in rows}
    assert raises["raisers:Raiser(n=0)"] == 0
    assert raises["raisers:Raiser(n=1)"] == 10 * 6
    assert all(1 < row["average_place"] < 3 for row in rows)
    for row, points in zip(rows, document["crosstable"]["points"], strict=True):
        assert points.count(None) == 1
        assert row["won"] + row["drawn"] + row["lost"] == 60
    against = sum(value for row in document["crosstable"]["points"] for value in row if value)
    assert against == 10 * 6 * (3 + 1)


def test_it_is_shown_and_resumed_as_it_was_played(place):
    for verb in ("show", "resume"):
        answer = place.arena("tournament", verb, "1", "-o", "json")
        assert (answer.code, answer.out) == (0, place.robin.out)


def test_games_that_do_not_fit_the_seats_and_expelled_seats_are_reported(place):
    assert place.swiss.code == 0, place.swiss.err
    lines = place.swiss.err.splitlines()
    assert lines[1:] == [
        "7 entrants at tables of up to 4: 1 table of 4 and 1 of 3 a round",
        "5 games per pairing are not a multiple of 3 or 4 seats: "
        "not everybody sits in every seat equally often",
    ]
    text = place.swiss.out
    assert "Rounds: table and match points" in text
    assert "Tables: 7 entrants at tables of up to 4: 1 table of 4 and 1 of 3 a round." in text
    assert "Adjudicated losses: crash 15 (raisers:Crasher 15)." in text
    assert text.split("Rounds:")[0].rstrip().splitlines()[-1].split()[1] == "raisers:Crasher"


def test_by_default_the_games_are_fair_to_all_seats(place):
    answer = place.arena(
        "tournament", "run", *SEED, *bots(3), "--format", "tables", "-o", "json"
    )  # fmt: skip
    shown = answer.document["tournament"]
    assert (shown["seats"], shown["games"], shown["tables"]) == (3, 24, [3])
    assert answer.err.splitlines()[1:] == ["3 entrants at tables of 3: 1 table of 3 a round"]


def test_tables_that_are_never_full_are_named_before_play_and_after(place):
    played = place.arena(
        "tournament", "run", *SEED, *bots(4), "--format", "table-swiss", "--seats", "3",
        "--rounds", "1", "--games", "2",
    )  # fmt: skip
    line = "4 bots do not fill tables of 3: they sit at tables of 2 and 2"
    assert played.err.splitlines()[1:] == [
        "4 entrants at tables of up to 3: 2 tables of 2 a round",
        line,
    ]
    assert f" 2 tables of 2 a round.\n{line}.\n" in played.out
    number = played.err.partition(":")[0].split()[1]
    refused = place.arena("tournament", "together", number)
    assert refused.code == 2
    assert refused.err.startswith(f"arena: no table of tournament {number} had more than two seats")


def test_a_match_of_several_is_one_table(place):
    answer = place.arena("match", *raisers(4), *SEED, "--games", "4", "-o", "json")
    assert answer.code == 0, answer.err
    assert answer.document["tournament"]["format"] == "tables"
    assert answer.document["tournament"]["tables"] == [4]
    assert answer.document["result"] is None
    deals = {match.record.seed for match in place.played(answer.document["tournament"]["id"])}
    assert len(deals) == 1


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("match", *raisers(5), *SEED), "table plays at tables of 2 to 4, not 5: name 2 to 4 bots"),
        (("match", *raisers(3), *SEED[:-2]), "pazaak plays at tables of 2, not 3: name 2 bots"),
        (
            ("tournament", "run", *SEED, *bots(4), "--seats", "4"),
            "--seats: round-robin is for tables of 2, not 4; formats for that: table-swiss, tables",
        ),
        (
            ("tournament", "run", *SEED, *bots(4), "--seats", "7"),
            "--seats: table plays at tables of 2 to 4, not 7",
        ),
        (
            ("tournament", "run", *SEED, *bots(4), "--format", "tables", "--stake", "5"),
            "--seats: a stake is between two; tables of 3 play without (stake = 0)",
        ),
        (
            ("tournament", "run", *SEED, *bots(4), "--seats", "1"),
            "--seats: expected a whole number >= 2, not 1",
        ),
    ],
)
def test_a_field_that_does_not_fit_is_one_line(place, words, problem):
    answer = place.arena(*words)
    assert (answer.code, answer.out, answer.err) == (2, "", f"arena: {problem}\n")


AUTHORED = """
from arena import Bot

__author__ = "{author}"


class {name}(Bot):
    def act(self, observation):
        return observation.legal_actions[0]
"""


def with_authors(place, *authors):
    """Files of bots, one for each author, as options of a run."""
    words = []
    for number, author in enumerate(authors):
        path = place.folder / f"bot{number}.py"
        path.write_text(AUTHORED.format(author=author, name=f"Bot{number}"))
        words += ["--bot", path.name, "--trust", path.stem]
    return words


TABLES = (
    *("tournament", "run", "--game", "sabacc", "--seats", "3", "--games", "3", "--seed", "7"),
    *("--concurrency", "1", "-o", "json"),
)


def tables_of(answer):
    assert answer.code == 0, answer.err
    return [
        set(each["names"]) for played in answer.document["rounds"] for each in played["pairings"]
    ]


@pytest.mark.parametrize("format", ["tables", "table-swiss"])
@pytest.mark.thorough("the other format for tables", everyday=["tables"])
def test_bots_of_one_author_sit_apart_unless_asked(tmp_path, format):
    place = Place(tmp_path)
    bots = with_authors(place, "Ann Lee", "ann  lee", "", "", "", "")
    apart = place.arena(*TABLES, "--format", format, "--rounds", "1", *bots)
    assert tables_of(apart)
    assert not any(table >= {"bot0", "bot1"} for table in tables_of(apart))
    assert "crowded_authors" not in apart.document["tournament"]
    asked = place.arena(*TABLES, "--format", format, "--rounds", "1", *bots, "--authors-together")
    assert any(table >= {"bot0", "bot1"} for table in tables_of(asked))
    for number in ("1", "2"):
        assert place.arena("tournament", "verify", number).code == 0


def test_an_author_of_more_bots_than_tables_is_named(tmp_path):
    place = Place(tmp_path)
    bots = with_authors(place, "Ann", "Ann", "", "Ann", "")
    answer = place.arena(*TABLES, "--format", "table-swiss", "--rounds", "2", *bots)
    assert "Bots 3 by Ann at 2 tables: as few as can be sit together\n" in answer.err
    assert answer.document["tournament"]["crowded_authors"] == [{"author": "Ann", "bots": 3}]
    assert all(len(table & {"bot0", "bot1", "bot3"}) <= 2 for table in tables_of(answer))
    shown = place.arena("tournament", "show", "1")
    assert "Authors: 3 by Ann at 2 tables: as few as can be sit together.\n" in shown.out


def test_at_tables_of_two_nobody_can_be_kept_apart(tmp_path):
    place = Place(tmp_path)
    words = ("--bot", "random", "--bot", "counter", "--authors-together")
    answer = place.arena("tournament", "run", *words)
    assert answer.code == 2
    expected = (
        "--authors-apart/--authors-together: at tables of two any two bots meet; leave it out"
    )
    assert answer.err == f"arena: {expected}\n"

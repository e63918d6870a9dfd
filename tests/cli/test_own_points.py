"""Points and tie-breaks of an organiser's own, and explanations, from the options to the report."""

from __future__ import annotations

import json

import pytest

import arena
from tests.cli.tournament_runs import Place

BOTS = ("stand(at=17)", "random", "stand(at=16)", "counter", "hand-saver")
RUN = ("tournament", "run", "--seed", "3", "--concurrency", "1", "--games", "2")
FIELD = (*RUN, *(word for bot in BOTS for word in ("--bot", bot)))
FILE = f"""
seed = 3
games = 2
concurrency = 1
bots = {json.dumps(BOTS)}

[[stages]]
format = "swiss"
rounds = 3
points = [3, 1, 0]
bye_points = 2
tiebreaks = ["BH-C1", "DE"]

[[stages]]
format = "round-robin"
take = 3
points = [2, 1, 0]
tiebreaks = ["DE", "SB"]
"""


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """Three tournaments: a round robin, a Swiss, and both as stages."""
    place = Place(tmp_path_factory.mktemp("own-points"))
    own = ("--points", "3,1,0", "--tiebreaks", "DE,BH-C1")
    (place.folder / "cup.toml").write_text(FILE)
    assert place.arena(*FIELD, *own).code == 0
    swiss = "swiss(points='3,1,0', bye_points=2, tiebreaks='BH-C1,DE')"
    assert place.arena(*FIELD, "--format", swiss, "--rounds", "4").code == 0
    assert place.arena("tournament", "run", "cup.toml").code == 0
    return place


def document(place, number, *more):
    return json.loads(place.arena("tournament", "show", str(number), *more, "-o", "json").out)


def test_own_points_and_tie_breaks_are_verified(place):
    for number in (1, 2, 3):
        assert place.arena("tournament", "verify", str(number)).code == 0


def test_the_standings_go_by_them(place):
    robin, swiss, staged = (document(place, number) for number in (1, 2, 3))
    assert robin["tournament"]["points"] == [3.0, 1.0, 0.0]
    for line in robin["standings"]:
        assert line["score"] == 3 * line["won"] + line["drawn"]
        assert [*line["tie_breaks"]] == ["DE", "BH-C1"]
    rested = {name for played in swiss["rounds"] for name in played["byes"]}
    assert rested
    assert {line["score"] for line in swiss["standings"]} <= {*map(float, range(13))}
    assert [*swiss["standings"][0]["tie_breaks"]] == ["BH-C1", "DE"]
    first, second = staged["stages"]
    assert [*first["standings"][0]["tie_breaks"]] == ["BH-C1", "DE"]
    for line in second["standings"]:
        assert line["score"] == 2 * line["won"] + line["drawn"]


def test_a_report_file_has_them(place):
    (place.folder / "cup.trf").write_text(place.arena("tournament", "trf", "2").out)
    lines = (place.folder / "cup.trf").read_text().splitlines()
    assert "162  W 3.0    D 1.0    L 0.0    A 0.0    P 2.0" in lines
    assert "212 BH-C1,DE" in lines
    found = json.loads(place.arena("standings", "--trf", "cup.trf", "-o", "json").out)["standings"]
    shown = document(place, 2)["standings"]
    key = ("rank", "points", "tiebreaks"), ("rank", "score", "tie_breaks")
    assert [[line[each] for each in key[0]] for line in found] == [
        [line[each] for each in key[1]] for line in shown
    ]


def test_a_bot_learns_why_it_stands_where_it_stands(place):
    for number in (1, 2, 3):
        standings = document(place, number)["standings"]
        for line in standings:
            found = document(place, number, "--explain", line["name"])
            assert (found["name"], found["rank"]) == (line["name"], line["rank"])
            part = found["parts"][-1]
            assert part["rank"] == 1 + sum(len(step["ahead"]) for step in part["steps"])
            assert part["rounds"][-1]["total"] == part["steps"][0]["value"]
    text = place.arena("tournament", "show", "3", "--explain", "random").out
    assert text.startswith("random: rank ")
    assert "Stage 1 (swiss): what ranks random" in text
    assert "Stage 2 took 3: " in text
    with arena.open_database(place.file) as db:
        assert db.tournament(1).explain("random") == document(place, 1, "--explain", "random")


def test_brackets_and_strengths_are_explained_by_what_ranks_there(place):
    assert place.arena(*FIELD, "--format", "knockout").code == 0
    assert place.arena(*FIELD, "--format", "adaptive", "--matches", "12").code == 0
    number = len(json.loads(place.arena("tournament", "list", "-o", "json").out))
    bracket = document(place, number - 1)
    winner, second = (line["name"] for line in bracket["standings"][:2])
    text = place.arena("tournament", "show", str(number - 1), "--explain", second).out
    assert f"{second} lost final against {winner}" in text
    strongest = document(place, number)["standings"][0]["name"]
    text = place.arena("tournament", "show", str(number), "--explain", strongest).out
    assert f"{strongest} is ahead of " in text


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("--tiebreaks", "DE,MPTS"), "--tiebreaks: MPTS has no meaning here: the score counts"),
        (("--tiebreaks", "XY"), "--tiebreaks: unknown tie-break 'XY'; choices: AOB, BH, "),
        (("--points", "3,1"), "--points: expected 3 values, separated by commas, not '3,1'"),
        (("--points", "0,1,3"), "--points: expected a win above a draw above a loss, not 0,1,3"),
        (("--points", "3,x,0"), "--points: expected a number as entry 2"),
        (("--bye-points", "1"), "--bye-points: a bye of round-robin is no round; leave it out"),
        (("--format", "knockout", "--points", "3,1,0"), "--points: not available for knockout; "),
        (("--format", "league", "--tiebreaks", "DE"), "--tiebreaks: not available for league; "),
        (("--until", "separated", "--tiebreaks", "DE"), "--tiebreaks: not available with until"),
        (("--scoring", "amount", "--points", "3,1,0"), "--points: by amount the mean amount "),
        (("--stage", "swiss(tiebreaks=TOP)"), "--stage: stage 1: tiebreaks: TOP has no meaning"),
    ],
)
def test_what_has_no_meaning_is_one_line_with_the_choices(place, words, problem):
    answer = place.arena(*FIELD, *words)
    assert answer.code == 2
    assert answer.err.startswith(f"arena: {problem}")
    assert answer.err.count("\n") == 1


def test_nobody_of_that_name_is_one_line(place):
    answer = place.arena("tournament", "show", "1", "--explain", "nobody")
    assert (answer.code, answer.err.count("\n")) == (2, 1)
    assert answer.err.startswith(
        "arena: --explain: unknown bot 'nobody' of the tournament; choices:"
    )
    answer = place.arena("tournament", "show", "1", "--explain", "random", "-o", "csv")
    assert (answer.code, answer.err) == (
        2,
        "arena: -o csv: --explain has no rows of one kind; use table or json\n",
    )

"""``arena rate``: its table, its document, and one line for what is wrong."""

from __future__ import annotations

import json

import pytest

import arena as api
from tests.results.ratings.published_models import baseball

HEADER = "player1,player2,score\n"
EVEN = HEADER + "a,b,1\nb,a,1\n" * 20
PGN = '[White "{}"]\n[Black "b"]\n[Result "{}"]\n\n'


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "results.csv"
    path.write_text(EVEN)
    return path


def test_baseball_with_the_home_effect(arena, file):
    file.write_text(baseball())
    options = ("--prior", 0, "--anchor", "Baltimore=0", "--scale", "log", "--seat-effect")
    shown = arena("rate", file, *options).out
    assert shown.splitlines()[0].startswith("Bradley-Terry, joint maximum likelihood; 7 play")
    assert "Seat effect: 0.302 ± 0.257 (95 %)" in shown


def test_what_the_ratings_cannot_say_is_written_below(arena, file):
    assert "\n40 games seen, 40 rated.\n" in arena("rate", file).out
    assert arena("rate", file, "-o", "json").err == ""
    file.write_text(HEADER + "a,b,1\n" * 3)
    few = arena("rate", file).out
    assert "\nFinite by the prior alone (won or lost everything): a, b.\n" in few
    assert [line.split()[-1] for line in few.splitlines()[3:5]] == ["few", "few"]
    file.write_text(HEADER + "a,b,1\nb,a,1\nc,d,1\nd,c,1\n" * 10)
    answer = arena("rate", file, "-o", "json")
    assert [row["component"] for row in json.loads(answer.out)["ratings"]] == [1, 1, 2, 2]
    assert "note: 2 groups that never met, whose ratings do not compare: a, b | c, d" in answer.err
    assert "\n2 groups that never met, " in arena("rate", file).out


def test_games_that_are_left_out_are_counted(arena, tmp_path):
    file = tmp_path / "games.pgn"
    file.write_text(PGN.format("a", "1-0") + PGN.format("a", "1/2") + PGN.format("b", "1-0"))
    document = json.loads(arena("rate", file, "-o", "json").out)
    keys = ["model", "ratings", "seat_effect", "seat_effect_se", "seen", "rated", "left_out"]
    assert list(document) == keys
    assert all(list(row) == ["player", "rating", "se"] for row in document["ratings"])
    left_out = {"same_player": 1}
    assert (document["seen"], document["rated"], document["left_out"]) == (3, 2, left_out)
    shown = arena("rate", file).out
    assert "\n3 games seen, 2 rated; 1 of a player against itself.\n" in shown


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--anchor", "z"), "--anchor 'z' is not NAME=RATING"),
        (("--model", "elo", "--k", "nan"), "--k: expected a number from 0 to 1000, not nan"),
        (("--before", "x.csv", "--model", "elo"), "arena: x.csv: cannot be read: No such file"),
        (("--before", "x.csv"), "--before: not available for rating system bt, which takes --p"),
        (("--model", "elo(before=x)"), "before: no option in brackets of rating system elo; use "),
    ],
)
def test_what_is_wrong_is_one_line(arena, file, options, message):
    answer = arena("rate", file, *options)
    assert (answer.code, answer.out, answer.err.count("\n")) == (2, "", 1)
    assert message in answer.err


def test_the_function_gives_the_document_and_warns(arena, file):
    assert api.stats.rate(file) == json.loads(arena("rate", file, "-o", "json").out)
    assert api.stats.rate(file, anchor={"a": 10.0}, scale="log", prior=0)["ratings"][0] == {
        "player": "a", "rating": 10.0, "se": 0.0,
    }  # fmt: skip
    file.write_text(HEADER + "a,b,1\n" * 30)
    with pytest.warns(UserWarning, match="finite by the prior alone"):
        api.stats.rate(file)
    with pytest.raises(api.BadInput, match="unknown scale"):
        api.stats.rate(file, scale="x")

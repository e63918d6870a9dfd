from __future__ import annotations

import json

import pytest

import arena as api
from tests.results.ratings.published_models import (
    BASEBALL,
    ELO,
    PUBLISHED,
    baseball,
    lines,
    opponents,
)

HEADER = "player1,player2,score"
EVEN = lines(HEADER, [("a", "b", 1), ("b", "a", 1)] * 20)


@pytest.fixture
def rate(arena, tmp_path):
    """Rates a text as a file; returns the answer."""

    def run(text, *options, before=None, name="results.csv"):
        (tmp_path / name).write_text(text, "utf-8")
        if before is not None:
            (tmp_path / "before.csv").write_text(before)
            options = (*options, "--before", tmp_path / "before.csv")
        return arena("rate", tmp_path / name, *options)

    return run


def document(answer):
    assert answer.code == 0, answer.err
    found = json.loads(answer.out)
    keys = ["model", "ratings", "seat_effect", "seat_effect_se", "seen", "rated", "left_out"]
    assert list(found) == keys
    assert found["seen"] == found["rated"] + sum(found["left_out"].values())
    assert all(list(row) == ["player", "rating", "se"] for row in found["ratings"])
    return found, {row["player"]: row for row in found["ratings"]}


def test_baseball_without_the_home_effect(rate):
    options = ("--prior", 0, "--anchor", "Baltimore=0", "--scale", "log", "-o", "json")
    found, rows = document(rate(baseball(), "--model", "bt", *options))
    assert (found["model"], found["seat_effect"], found["seat_effect_se"]) == ("bt", None, None)
    ratings = [row["rating"] for row in found["ratings"]]
    published = BASEBALL["no_home_adv_vs_Baltimore_sorted"]
    assert [round(each, 2) for each in ratings] == [*reversed(published), 0]
    assert rows.pop("Baltimore")["se"] == 0
    assert all(abs(row["se"] - BASEBALL["se_approx"]) < 0.05 for row in rows.values())


def test_baseball_with_the_home_effect(rate):
    options = ("--prior", 0, "--anchor", "Baltimore=0", "--scale", "log", "--seat-effect")
    found, _ = document(rate(baseball(), *options, "-o", "json"))
    assert round(found["seat_effect"], 3) == pytest.approx(BASEBALL["home_adv"])
    assert found["seat_effect_se"] == pytest.approx(0.257 / 1.96, abs=0.0005)
    answer = rate(baseball(), *options)
    assert "Seat effect: 0.302 ± 0.257 (95 %)" in answer.out
    assert answer.out.splitlines()[0].startswith("Bradley-Terry, joint maximum likelihood; 7 play")


@pytest.mark.parametrize(
    ("key", "volatility", "exact"), [("glicko1", 0.0, 0.5), ("glicko2", 0.06, 0.011)]
)
def test_glickmans_examples(rate, key, volatility, exact):
    case = PUBLISHED[key]
    results, before = opponents(case, volatility)
    _, rows = document(rate(results, "--model", "glicko2", "-o", "json", before=before))
    assert rows["me"]["rating"] == pytest.approx(case["new_r"], abs=exact)
    assert round(rows["me"]["se"], 1) == round(case["new_rd"], 1)


def test_elos_example(rate):
    rivals = [f"rival{number}" for number in range(5)]
    results = zip(["me"] * 5, rivals, ELO["scores"], ["may"] * 5, strict=True)
    before = [("me", ELO["rating"]), *zip(rivals, ELO["opponents"], strict=True)]
    text = lines(f"{HEADER},period", results)
    options = ("--model", "elo", "--k", ELO["K"], "-o", "json")
    _, rows = document(rate(text, *options, before=lines("player,rating", before)))
    assert round(rows["me"]["rating"]) == ELO["new"]
    assert rows["me"]["se"] is None


def test_openskill_for_two_and_for_six(rate):
    published = PUBLISHED["openskill_plackett_luce"]
    two = lines(HEADER, [("p0", "p1", 1)])
    six = lines("game,player,rank", [("x", f"p{rank}", rank) for rank in range(6)])
    for text, expected in ((two, published["win_1v1"]), (six, published["ffa6"])):
        found, _ = document(rate(text, "--model", "openskill", "-o", "json"))
        rows = [(row["player"], row["rating"], row["se"]) for row in found["ratings"]]
        assert rows == [(f"p{rank}", *each) for rank, each in enumerate(expected)]


def test_finishing_orders_by_plackett_luce(rate):
    rows = [(game, name, rank) for game in range(30) for rank, name in enumerate("abc")]
    rows += [("x", "c", 1), ("x", "b", 1), ("y", "b", 1), ("y", "a", 2)]
    answer = rate(lines("game,player,rank", rows), "--model", "pl", "--anchor", "b=100")
    assert [line.split()[1] for line in answer.out.splitlines()[3:6]] == ["a", "b", "c"]
    assert "31 results" not in answer.out.splitlines()[0]
    assert "3 players, 32 results" in answer.out.splitlines()[0]
    assert " 100.0  " in answer.out


def test_pairs_are_one_observation(rate):
    rows = [("a", "b", 1), ("b", "a", 1)] * 20 + [("a", "b", 1), ("b", "a", 0)] * 5
    alone, _ = document(rate(lines(HEADER, rows), "-o", "json"))
    paired = [(*row, number // 2) for number, row in enumerate(rows)]
    together, _ = document(rate(lines(f"{HEADER},pair", paired), "-o", "json"))
    assert together["ratings"][0]["se"] < alone["ratings"][0]["se"] / 1.5


def test_a_result_without_its_twin_counts_and_is_named(rate):
    rows = [("a", "b", 1, deal) for deal in (*range(20), *range(20))] + [("b", "a", 1, "")]
    answer = rate(lines(f"{HEADER},pair", rows))
    assert answer.out.splitlines()[0].endswith("2 players, 41 results")
    assert "Results alone in their pair, which count as a deal each: 1." in answer.out


PGN = """[Event "one"]
[White "A \\"the\\" bot"]
[Black "B"]
[Result "1-0"]

1. e4 {a comment} e5
2. Nf3 1-0

[White "B"]
[Black "A \\"the\\" bot"]
[Result "1/2-1/2"]
[White "B"]
[Black "C"]
[Result "*"]
"""


def test_games_of_chess_engines_are_read(rate):
    answer = rate(PGN, "-o", "json", name="games.pgn")
    found, rows = document(answer)
    assert list(rows) == ['A "the" bot', "B"]
    assert found["ratings"][0]["rating"] > 0
    assert (found["seen"], found["rated"], found["left_out"]) == (3, 2, {"no_result": 1})
    assert "note: 3 games seen, 2 rated; 1 without a result" in answer.err
    table = rate(PGN, name="games.pgn")
    assert "2 results" in table.out.splitlines()[0]
    assert "\n3 games seen, 2 rated; 1 without a result.\n" in table.out
    assert "\n40 games seen, 40 rated.\n" in rate(EVEN).out


def test_groups_that_never_met_are_rated_apart_and_named(rate):
    text = lines(HEADER, [("a", "b", 1), ("b", "a", 1), ("c", "d", 1), ("d", "c", 1)] * 10)
    answer = rate(text, "-o", "json")
    rows = json.loads(answer.out)["ratings"]
    assert [(row["player"], row["component"]) for row in rows] == [
        ("a", 1), ("b", 1), ("c", 2), ("d", 2),
    ]  # fmt: skip
    message = "2 groups that never met, whose ratings do not compare: a, b | c, d"
    assert f"note: {message}" in answer.err
    assert message in rate(text).out


def test_what_the_ratings_cannot_say_is_written(rate):
    few = rate(lines(HEADER, [("a", "b", 1)] * 3)).out
    assert "Finite by the prior alone (won or lost everything): a, b." in few
    assert "Too few results to rank by (fewer than 20 results, or 10 deals): a, b." in few
    assert [line.split()[-1] for line in few.splitlines()[3:5]] == ["few", "few"]
    cycle = lines(HEADER, [("a", "b", 1), ("b", "c", 1), ("c", "a", 1)] * 50)
    assert "a against b (100.0%, expected 50.0%)" in rate(cycle).out
    assert rate(EVEN, "-o", "json").err == ""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty; it should hold player1,player2,score[,pair][,period], or game,player,rank"),
        ("a,b,c\n", "line 1: no column 'player1'; a file holds player1,player2,score[,pair]"),
        (f"{HEADER},score\na,b,1,1", "line 1: twice a column 'score'"),
        (f"{HEADER}\n", "holds no results"),
        (f"{HEADER}\n\na,b\n", "line 3: 2 values for 3 columns"),
        (f"{HEADER}\na,b,1\na,b,2\n", "line 3: score '2' is not from 0 to 1 (1 won, 0.5 drawn"),
        (f"{HEADER}\na,b,nan\n", "line 2: score 'nan' is not from 0 to 1"),
        (f"{HEADER}\na,b,1\nc,c ,0\n", "line 3: c plays against itself"),
        (f"{HEADER}\na,,0\n", "line 2: no player2"),
        ("game,player,rank\n1,a,x\n1,b,2\n", "line 2: rank 'x' is not a number"),
        ("game,player,rank\n1,a,1\n1,a,2\n", "line 3: a plays twice in game 1"),
        ("game,player,rank\n1,a,1\n", "line 2: game 1 has one player"),
        ("game,player,rank\n1,a,1\n1,b,2\n1,c,3\n", "model bt needs results of two players"),
        ('[White "a"]\n[Result "1-0"]\n', "no results: 1 game seen, 0 rated; 1 without both n"),
        (
            '[White "a"]\n[Black "b"]\n[Result "2-0"]\n',
            "line 1: game 1 has the unknown result '2-0'; choices: 1-0, 0-1, 1/2-1/2, 0-0, *",
        ),
        (
            '[White "a"]\n[Black "b"]\n[Result "+/-"]\n\n1-0\n' * 2
            + '[White "a"]\n[Black "b"]\n[Result "x"]\n',
            "line 11: game 3 has the unknown result 'x'",
        ),
    ],
)
def test_what_is_wrong_in_a_file_is_one_line(rate, text, message):
    answer = rate(text)
    assert (answer.code, answer.out) == (2, "")
    assert message in answer.err
    assert answer.err.count("\n") == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ("--model", "whr"),
            "unknown rating system 'whr'; choices: bt, elo, glicko2, joint",
        ),
        (("--scale", "ln"), "unknown scale 'ln'; choices: elo, log"),
        (("--anchor", "z=1"), "unknown player 'z'; choices: a, b"),
        (("--anchor", "z"), "--anchor 'z' is not NAME=RATING"),
        (("--anchor", "a=nan"), "anchor a: expected a rating from -10000 to 10000, not nan"),
        (("--prior", "-1"), "prior: expected a number from 0, not -1"),
        (
            ("--k", "8"),
            "k: not available for rating system bt, which takes prior, scale, seat",
        ),
        (("--model", "elo", "--k", "nan"), "k: expected a number from 0 to 1000, not nan"),
        (("--before", "x.csv", "--model", "elo"), "x.csv: cannot be read: No such file"),
    ],
)
def test_what_is_wrong_in_options_is_one_line(rate, options, message):
    answer = rate(EVEN, *options)
    assert (answer.code, answer.out) == (2, "")
    assert message in answer.err
    assert answer.err.count("\n") == 1


def test_a_perfect_score_without_a_prior_has_no_rating(rate):
    answer = rate(lines(HEADER, [("a", "b", 1)] * 9), "--prior", 0)
    assert answer.code == 2
    assert "somebody won or lost everything; give a prior" in answer.err


@pytest.mark.parametrize(
    ("before", "message"),
    [
        ("player,rating\na,1\na,2\n", "a player stands there twice"),
        ("player,rating,se\na,1500,0\n", "line 2: se '0' is not from 0.01 to 1000"),
        ("player\na\n", "line 1: no column 'rating'; a file holds player,rating[,se][,volatility]"),
    ],
)
def test_what_is_wrong_in_earlier_ratings_is_one_line(rate, before, message):
    answer = rate(EVEN, "--model", "glicko2", before=before)
    assert answer.code == 2
    assert f"before.csv: {message}" in answer.err


def test_the_function_gives_the_document_and_warns(tmp_path, rate):
    file = tmp_path / "results.csv"
    answer = rate(EVEN, "-o", "json")
    assert api.stats.rate(file) == json.loads(answer.out)
    assert api.stats.rate(file, anchor={"a": 10.0}, scale="log", prior=0)["ratings"][0] == {
        "player": "a", "rating": 10.0, "se": 0.0,
    }  # fmt: skip
    file.write_text(lines(HEADER, [("a", "b", 1)] * 30))
    with pytest.warns(UserWarning, match="finite by the prior alone"):
        api.stats.rate(file)
    with pytest.raises(api.BadInput, match="unknown scale"):
        api.stats.rate(file, scale="x")


def test_what_is_left_out_of_games_is_counted_and_explained(rate):
    games = [("a", "b", "1-0"), ("b", "a", "1/2"), ("a", "b", "0-0"), ("?", "b", "1-0")]
    games += [("a", "a", "1-0"), ("a", "b", "*")]
    text = "".join(f'[White "{w}"]\n[Black "{b}"]\n[Result "{r}"]\n\n' for w, b, r in games)
    found, _ = document(rate(text, "-o", "json", name="g.pgn"))
    assert (found["seen"], found["rated"]) == (6, 2)
    assert found["left_out"] == {"both_lost": 1, "no_names": 1, "same_player": 1, "no_result": 1}
    assert (
        "6 games seen, 2 rated; 1 without a result, 1 lost by both, 1 without both names, "
        "1 of a player against itself." in rate(text, name="g.pgn").out
    )


def test_a_tag_that_differs_from_the_moves_counts_and_is_named(rate):
    text = '[White "a"]\n[Black "b"]\n[Result "1-0"]\n\n1. e4 0-1\n'
    answer = rate(text, name="g.pgn")
    assert "g.pgn: line 1: the tag Result and the end of the moves differ; the tag" in answer.err
    assert answer.out.splitlines()[3].split()[1] == "a"


PLAIN = f"{HEADER},period\na,b,0.5,1\nb,a,0.25,2\na,b,1,3\nb,a,1,4\n"


@pytest.mark.parametrize(
    "text",
    [
        PLAIN.replace(",", ";"),
        PLAIN.replace(",", "\t"),
        PLAIN.replace(",", ";").replace("0.", "0,"),
        "sep=;\n" + PLAIN.replace(",", ";"),
        "sep=\t\n" + PLAIN.replace(",", "\t"),
        PLAIN.replace("\n", ",,\n") + ",,,,,\n,,,,,\n",
        PLAIN.replace(HEADER, "Player 1, PLAYER2 ,Score"),
        PLAIN.replace("0.5", "1/2").replace(",1,", ",1-0,"),
        PLAIN.replace("0.5", "½"),
        PLAIN.replace("0.25", '"0,25"'),
    ],
)
def test_what_spreadsheets_write_is_read(rate, text):
    expected = rate(PLAIN, "--model", "elo", "-o", "json")
    assert expected.code == 0
    assert rate(text, "--model", "elo", "-o", "json") == expected


@pytest.mark.parametrize("encoding", ["utf-16", "cp1252", "utf-8-sig"])
def test_letters_of_a_spreadsheet_are_read_in_its_encoding(arena, tmp_path, encoding):
    file = tmp_path / "r.csv"
    file.write_bytes(f"{HEADER}\r\nMüller,Žižek,1\r\n".replace(",", "\t").encode(encoding))
    assert list(document(arena("rate", file, "-o", "json"))[1]) == ["Müller", "Žižek"]


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("r.csv", "{},{},1\n"),
        ("r.pgn", '[White "{}"]\n[Black "{}"]\n[Result "1-0"]\n\n1. e4 1-0\n'),
    ],
)
def test_names_of_a_file_that_mixes_encodings_are_read_with_a_warning(arena, tmp_path, name, form):
    file = tmp_path / name
    head = f"{HEADER}\n" if name == "r.csv" else "% games\n"
    named = form.format("Žižek", "Ann").encode(), form.format("Ann", "Jürg").encode("cp1252")
    file.write_bytes(head.encode() + b"".join(named))
    answer = arena("rate", file, "-o", "json")
    assert list(document(answer)[1]) == ["Žižek", "Ann", "Jürg"]
    assert f"{name}: mixes two encodings: line " in answer.err


def test_lines_are_counted_with_those_that_are_no_rows(rate):
    answer = rate("sep=;\n\nplayer1;player2;score\n;;\na;b;2\n")
    assert "line 5: score '2' is not from 0 to 1" in answer.err

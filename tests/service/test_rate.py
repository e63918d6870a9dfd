"""Ratings of a file of results: published figures, what cannot be said, and bad files."""

from __future__ import annotations

import pytest

from arena.core.errors import BadInput
from arena.plugins.registry import Registry
from arena.service.rating.rate import rate as rate_file
from arena.service.rating.rate import read_anchors
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


@pytest.fixture(scope="module")
def registry():
    return Registry()


@pytest.fixture
def rate(registry, tmp_path):
    """Rates a text, or bytes, as a file; warnings are added to ``rate.warned``."""

    def run(text, model="bt", *, anchors=(), before=None, name="results.csv", **options):
        file, earlier = tmp_path / name, before and tmp_path / "before.csv"
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
        if before:
            earlier.write_text(before)
        anchors = read_anchors(anchors)
        warn = run.warned.append
        return rate_file(registry, file, model, warn, options, anchors=anchors, before=earlier)

    run.warned = []
    return run


def by_name(found):
    return {each.name: each.rating for each in found.players}


def test_baseball_without_the_home_effect(rate):
    found = rate(baseball(), prior=0, anchors=["Baltimore=0"], scale="log")
    assert (found.system.name, found.seat_effect) == ("bt", None)
    published = BASEBALL["no_home_adv_vs_Baltimore_sorted"]
    assert [round(each.rating.value, 2) for each in found.players] == [*reversed(published), 0]
    ratings = by_name(found)
    assert ratings.pop("Baltimore").error == 0
    assert all(abs(each.error - BASEBALL["se_approx"]) < 0.05 for each in ratings.values())


def test_baseball_with_the_home_effect(rate):
    found = rate(baseball(), prior=0, anchors=["Baltimore=0"], scale="log", seat_effect=True)
    effect, error = found.seat_effect
    assert round(effect, 3) == pytest.approx(BASEBALL["home_adv"])
    assert error == pytest.approx(0.257 / 1.96, abs=0.0005)


@pytest.mark.parametrize(
    ("key", "volatility", "exact"), [("glicko1", 0.0, 0.5), ("glicko2", 0.06, 0.011)]
)
def test_glickmans_examples(rate, key, volatility, exact):
    case = PUBLISHED[key]
    results, before = opponents(case, volatility)
    rating = by_name(rate(results, "glicko2", before=before))["me"]
    assert rating.value == pytest.approx(case["new_r"], abs=exact)
    assert round(rating.error, 1) == round(case["new_rd"], 1)


def test_elos_example(rate):
    rivals = [f"rival{number}" for number in range(5)]
    results = zip(["me"] * 5, rivals, ELO["scores"], ["may"] * 5, strict=True)
    before = [("me", ELO["rating"]), *zip(rivals, ELO["opponents"], strict=True)]
    text = lines(f"{HEADER},period", results)
    found = rate(text, "elo", k=float(ELO["K"]), before=lines("player,rating", before))
    rating = by_name(found)["me"]
    assert (round(rating.value), rating.error) == (ELO["new"], None)


def test_openskill_for_two_and_for_six(rate):
    published = PUBLISHED["openskill_plackett_luce"]
    two = lines(HEADER, [("p0", "p1", 1)])
    six = lines("game,player,rank", [("x", f"p{rank}", rank) for rank in range(6)])
    for text, expected in ((two, published["win_1v1"]), (six, published["ffa6"])):
        rows = [
            (each.name, each.rating.value, each.rating.error)
            for each in rate(text, "openskill").players
        ]
        assert rows == [(f"p{rank}", *each) for rank, each in enumerate(expected)]


def test_finishing_orders_by_plackett_luce(rate):
    rows = [(game, name, rank) for game in range(30) for rank, name in enumerate("abc")]
    rows += [("x", "c", 1), ("x", "b", 1), ("y", "b", 1), ("y", "a", 2)]
    found = rate(lines("game,player,rank", rows), "pl", anchors=["b=100"])
    assert (list(by_name(found)), found.results) == (["a", "b", "c"], 32)
    assert by_name(found)["b"].value == pytest.approx(100)


def test_pairs_are_one_observation(rate):
    rows = [("a", "b", 1), ("b", "a", 1)] * 20 + [("a", "b", 1), ("b", "a", 0)] * 5
    alone = rate(lines(HEADER, rows))
    paired = [(*row, number // 2) for number, row in enumerate(rows)]
    together = rate(lines(f"{HEADER},pair", paired))
    assert together.players[0].rating.error < alone.players[0].rating.error / 1.5


def test_a_result_without_its_twin_counts_and_is_named(rate):
    rows = [("a", "b", 1, deal) for deal in (*range(20), *range(20))] + [("b", "a", 1, "")]
    found = rate(lines(f"{HEADER},pair", rows))
    assert found.results == 41
    assert "results alone in their pair, which count as a deal each: 1" in found.notes


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
    found = rate(PGN, name="games.pgn")
    assert list(by_name(found)) == ['A "the" bot', "B"]
    assert found.players[0].rating.value > 0
    assert (found.results, found.left_out) == (2, {"no_result": 1})
    assert "3 games seen, 2 rated; 1 without a result" in found.notes


def test_groups_that_never_met_are_rated_apart_and_named(rate):
    text = lines(HEADER, [("a", "b", 1), ("b", "a", 1), ("c", "d", 1), ("d", "c", 1)] * 10)
    found = rate(text)
    groups = {name: rating.component for name, rating in by_name(found).items()}
    assert groups == {"a": 1, "b": 1, "c": 2, "d": 2}
    note = "2 groups that never met, whose ratings do not compare: a, b | c, d"
    assert note in found.notes


def test_what_the_ratings_cannot_say_is_noted(rate):
    few = rate(lines(HEADER, [("a", "b", 1)] * 3))
    assert "finite by the prior alone (won or lost everything): a, b" in few.notes
    named = "too few results to rank by (fewer than 20 results, or 10 deals): a, b"
    assert named in few.notes
    assert [each.few for each in few.players] == [True, True]
    cycle = rate(lines(HEADER, [("a", "b", 1), ("b", "c", 1), ("c", "a", 1)] * 50))
    assert "a against b (100.0%, expected 50.0%)" in " ".join(cycle.notes)
    assert rate(EVEN).notes == []


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
    assert message in refusal(rate, text)


def refusal(rate, *given, **options):
    with pytest.raises(BadInput) as refused:
        rate(*given, **options)
    assert "\n" not in str(refused.value)
    return str(refused.value)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"model": "whr"}, "unknown rating system 'whr'; choices: bt, elo, glicko2, joint"),
        ({"scale": "ln"}, "unknown scale 'ln'; choices: elo, log"),
        ({"anchors": ["z=1"]}, "unknown player 'z'; choices: a, b"),
        ({"anchors": ["z"]}, "--anchor 'z' is not NAME=RATING"),
        ({"anchors": ["a=nan"]}, "anchor a: expected a rating from -10000 to 10000, not nan"),
        ({"prior": -1}, "--prior: expected a number from 0, not -1"),
        ({"k": 8}, "--k: not available for rating system bt, which takes --prior, --scale, --s"),
        ({"model": "elo", "k": float("nan")}, "--k: expected a number from 0 to 1000, not nan"),
    ],
)
def test_what_is_wrong_in_options_is_one_line(rate, options, message):
    assert message in refusal(rate, EVEN, **options)


def test_a_perfect_score_without_a_prior_has_no_rating(rate):
    text = lines(HEADER, [("a", "b", 1)] * 9)
    assert "somebody won or lost everything; give a prior" in refusal(rate, text, prior=0)


@pytest.mark.parametrize(
    ("before", "message"),
    [
        ("player,rating\na,1\na,2\n", "a player stands there twice"),
        ("player,rating,se\na,1500,0\n", "line 2: se '0' is not from 0.01 to 1000"),
        ("player\na\n", "line 1: no column 'rating'; a file holds player,rating[,se][,volatility]"),
    ],
)
def test_what_is_wrong_in_earlier_ratings_is_one_line(rate, before, message):
    assert f"before.csv: {message}" in refusal(rate, EVEN, "glicko2", before=before)


def test_what_is_left_out_of_games_is_counted_and_explained(rate):
    games = [("a", "b", "1-0"), ("b", "a", "1/2"), ("a", "b", "0-0"), ("?", "b", "1-0")]
    games += [("a", "a", "1-0"), ("a", "b", "*")]
    text = "".join(f'[White "{w}"]\n[Black "{b}"]\n[Result "{r}"]\n\n' for w, b, r in games)
    found = rate(text, name="g.pgn")
    reasons = {"both_lost": 1, "no_names": 1, "same_player": 1, "no_result": 1}
    assert (found.results, found.left_out) == (2, reasons)
    assert (
        "6 games seen, 2 rated; 1 without a result, 1 lost by both, 1 without both names, "
        "1 of a player against itself"
    ) in found.notes


def test_a_tag_that_differs_from_the_moves_counts_and_is_named(rate):
    text = '[White "a"]\n[Black "b"]\n[Result "1-0"]\n\n1. e4 0-1\n'
    found = rate(text, name="g.pgn")
    assert "line 1: the tag Result and the end of the moves differ; the tag" in rate.warned[0]
    assert found.players[0].name == "a"


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
    assert rate(text, "elo").players == rate(PLAIN, "elo").players


@pytest.mark.parametrize("encoding", ["utf-16", "cp1252", "utf-8-sig"])
def test_letters_of_a_spreadsheet_are_read_in_its_encoding(rate, encoding):
    text = f"{HEADER}\r\nMüller,Žižek,1\r\n".replace(",", "\t")
    assert list(by_name(rate(text.encode(encoding)))) == ["Müller", "Žižek"]


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("r.csv", "{},{},1\n"),
        ("r.pgn", '[White "{}"]\n[Black "{}"]\n[Result "1-0"]\n\n1. e4 1-0\n'),
    ],
)
def test_names_of_a_file_that_mixes_encodings_are_read_with_a_warning(rate, name, form):
    head = f"{HEADER}\n" if name == "r.csv" else "% games\n"
    named = form.format("Žižek", "Ann").encode(), form.format("Ann", "Jürg").encode("cp1252")
    found = rate(head.encode() + b"".join(named), name=name)
    assert list(by_name(found)) == ["Žižek", "Ann", "Jürg"]
    assert f"{name}: mixes two encodings: line " in rate.warned[0]


def test_lines_are_counted_with_those_that_are_no_rows(rate):
    text = "sep=;\n\nplayer1;player2;score\n;;\na;b;2\n"
    assert "line 5: score '2' is not from 0 to 1" in refusal(rate, text)

"""Tests that ``arena compare`` plays until a test is decided: text, document, exit codes."""

from __future__ import annotations

import json
import re

import pytest

from tests.cli.tournament_runs import Place

STANDS = ("stand(at=16)", "stand(at=17)")
SEEDED = ("--seed", "7", "--concurrency", "1")


ADJUSTED = (*STANDS, "--seed", "7", "--adjusted", "--sprt", "elo1=30 model=logistic")


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    place = Place(tmp_path_factory.mktemp("compare"))
    place.clear = place.arena("compare", "random", "counter", *SEEDED)
    place.close = place.arena("compare", *STANDS, *SEEDED, "--max-games", "150", "-o", "json")
    place.adjusted = place.arena("compare", *ADJUSTED, "--concurrency", "1")
    return place


def test_it_ends_as_soon_as_the_interval_leaves_out_zero_with_one_sentence(place):
    assert place.clear.code == 0, place.clear.err
    lines = place.clear.out.splitlines()
    assert lines[0].startswith("Results of counter against random (counter's point")
    assert any(line.startswith("Ptnml(0-2): [") for line in lines)
    assert any(
        line.startswith("Elo at 95 %, however often one looks: at least +") for line in lines
    )
    assert lines[-1].startswith("counter is better than random: at least +")
    assert lines[-1].endswith(" Elo (95 %), 100 matches.")


CHIPS = ("--game", "sabacc", "--ruleset", "old_republic(mode=chips)", "--concurrency", "1")


def test_in_a_game_for_credits_it_goes_by_the_mean_amount(place):
    words = ("compare", "random", "cautious-folder", *CHIPS, "--seed", "7")
    answer = place.arena(*words, "--games", "20", "-o", "json")
    found = answer.document
    number = str(found["tournament"])
    standings = place.arena("tournament", "show", number, "-o", "json").document["standings"]
    (own,) = [row for row in standings if row["name"] == "cautious-folder"]
    assert (found["scoring"], found["unit"]) == ("amount", "credits")
    assert found["amount"] == pytest.approx(own["mean_amount"])
    assert found["test"] == "amount_fixed(amount=0,confidence=95)"
    assert found["low"] < found["amount"] < found["high"]
    assert " credits a match (95 %: " in place.arena("tournament", "show", number).out
    assert place.arena("tournament", "verify", number).code == 0
    by_wins = place.arena(*words, "--games", "4", "--fail-below", "-500")
    assert "Scored by wins, not by credits." in by_wins.out


def test_by_amount_it_ends_when_the_interval_of_the_mean_leaves_out_zero(place):
    answer = place.arena("compare", "random", "counter", *SEEDED, "--scoring", "amount")
    lines = answer.out.splitlines()
    assert lines[0].endswith("(counter's point of view), by amount:")
    assert re.fullmatch(
        r"counter is better than random: \+\d\.\d+ points a match "
        r"\(95 %: \+\S+ \.\. \+\S+\), 150 matches\.",
        lines[-1],
    )


def test_the_sentence_stands_in_the_report_of_the_tournament_too(place):
    shown = place.arena("tournament", "show", "1")
    assert "counter is better than random: at least +" in shown.out
    document = place.arena("tournament", "show", "1", "-o", "json").document
    assert document["tournament"]["test"] == "sequence(confidence=95,elo=0)"
    assert document["comparison"]["passed"]
    assert document["tournament"]["name"] == "compare"


def test_too_few_matches_stay_undecided_and_say_how_many_more_are_needed(place):
    found = place.close.document
    assert (place.close.code, found["verdict"], found["passed"]) == (0, "undecided", False)
    assert (found["games"], found["candidate"], found["baseline"]) == (150, *STANDS[::-1])
    assert found["low"] < 0 < found["high"]
    assert sum(found["ptnml"]) == 75
    assert found["more"] is None or found["more"] > 0


def test_a_tournament_of_a_comparison_verifies_and_is_over(place):
    assert place.arena("tournament", "verify", "1").code == 0
    assert "nothing left to play" in place.arena("tournament", "resume", "1").err


def test_the_exit_code_is_1_unless_the_candidate_is_above(place):
    few = ("--max-games", "100", "-o", "json")
    better = place.arena("compare", "random", "counter", *SEEDED, "--fail-below", "5", *few)
    worse = place.arena("compare", "counter", "random", *SEEDED, "--fail-below", "-5", *few)
    open_ = place.arena("compare", *STANDS, *SEEDED, "--fail-below", "0", *few)
    assert [answer.code for answer in (better, worse, open_)] == [0, 1, 1]
    assert worse.document["verdict"] == "worse"
    assert better.document["test"] == "sequence(confidence=95,elo=5.0)"


def test_an_sprt_is_spelled_as_engine_testers_do_and_shows_its_bounds(place):
    words = ("--sprt", "elo0=0", "elo1=200", "model=logistic", "--max-games", "200")
    answer = place.arena("compare", "random", "counter", *SEEDED, *words)
    assert answer.code == 0, answer.err
    assert "(-2.94, 2.94) [0, 200] logistic Elo" in answer.out
    assert "is better than random (SPRT, error 0.05): " in answer.out


@pytest.mark.thorough("test_formats.py compares numbers of workers")
def test_what_is_played_does_not_depend_on_the_number_of_workers(place):
    words = ("compare", *STANDS, "--seed", "7", "--sprt", "elo1=40", "--max-games", "120")
    one, two = (place.arena(*words, "--concurrency", each, "-o", "json") for each in "12")
    assert one.document | {"tournament": 0} == two.document | {"tournament": 0}


def test_an_sprt_that_ends_before_the_interval_has_bounds_says_so(place):
    answer = place.arena("compare", "random", "counter", *SEEDED, "--sprt", "elo1=200")
    sentence = "counter is better than random (SPRT, error 0.05): no bounds yet, 20 matches."
    assert sentence in answer.out


def test_of_single_matches_a_bayesian_model_and_one_look_are_enough(place):
    words = ("--sprt", "elo1=100 model=bayesian", "--not-mirrored", "--max-games", "60")
    found = place.arena("compare", *STANDS, *SEEDED, *words, "-o", "json").document
    assert found["ptnml"] is None
    assert found["games"] <= 60
    once = place.arena("compare", *STANDS, *SEEDED, "--games", "30")
    assert "Elo at 95 %, one look: " in once.out


def test_adjusted_it_ends_by_scores_without_luck_and_says_so(place):
    answer = place.adjusted
    assert answer.code == 0, answer.err
    lines = answer.out.splitlines()
    (without,) = [line for line in lines if line.startswith("Without luck: ")]
    assert re.fullmatch(
        r"Without luck: \S+ Elo \(95 %: .*\), score: \S+%, as sure as \S+ times the matches",
        without,
    )
    assert lines[1].startswith("Elo: ")
    assert any(line.endswith("[0, 30] logistic Elo, without luck") for line in lines)
    assert re.search(r"without luck, \d+ matches\.$", lines[-1])
    assert int(re.search(r"Games: (\d+)", answer.out)[1]) < 400


def test_adjusted_the_report_and_the_verification_go_by_the_same_scores(place):
    document = place.arena("tournament", "show", "3", "-o", "json").document
    found = document["comparison"]
    assert (document["tournament"]["adjusted"], found["decision"]) == (True, "H0")
    assert found["llr"] <= found["lower"]
    assert found["adjusted"]["worth"] > 5
    assert found["adjusted"]["low"] < found["adjusted"]["elo"] < found["adjusted"]["high"]
    assert place.adjusted.out.splitlines()[-1] in place.arena("tournament", "show", "3").out
    assert place.arena("tournament", "verify", "3").code == 0


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ((*STANDS, "--adjusted", "--not-mirrored", "--sprt", "model=bayesian"), "adjusted scores"),
        (
            ("cautious-folder", "exact-drawer", "--game", "sabacc", "--adjusted"),
            "has no value function",
        ),
        (("counter", "countr"), "unknown bot 'countr'"),
        (("counter", "counter"), "counter is entered twice"),
        (("a.py", "b.py"), "are the same code: there is nothing to compare"),
        ((*STANDS, "--sprt", "elo0=5 elo1=5"), "elo0: expected less than elo1, 5, not 5"),
        ((*STANDS, "--sprt", "elo=5"), "unknown value 'elo' of sprt"),
        ((*STANDS, "--sprt", "elo0=5", "--fail-below", "3"), "--fail-below: is elo0 of --sprt"),
        ((*STANDS, "--sprt", "model=bayesian"), "add --not-mirrored"),
        ((*STANDS, "--games", "5", "--max-games", "6"), "--games: cannot be combined with --max-g"),
        ((*STANDS, "--confidence", "0.95"), "expected 51 to 99.99 (percent), not 0.95"),
        ((*STANDS, "--sprt", "elo1=9", "--scoring", "amount"), "--scoring: is amount, and the te"),
        ((*STANDS, "random"), "two bots are compared"),
        (("raises.py", "random"), "raises"),
    ],
)
def test_bad_input_is_one_line_and_nothing_is_played(place, words, problem):
    code = "from arena import Bot\nclass A(Bot):\n    def act(self, seen):\n        return seen\n"
    for name in ("a.py", "b.py"):
        (place.folder / name).write_text(code)
    (place.folder / "raises.py").write_text("raise ValueError('no')\n" + code)
    before = len(json.loads(place.arena("tournament", "list", "-o", "json").out))
    answer = place.arena("compare", *words)
    assert answer.code == 2
    assert problem in answer.err.splitlines()[-1]
    assert len(json.loads(place.arena("tournament", "list", "-o", "json").out)) == before

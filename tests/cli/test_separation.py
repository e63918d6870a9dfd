"""Tournaments that play until ranks are separated, from the options to the report."""

from __future__ import annotations

import json

import pytest

from tests.cli.tournament_runs import Place

RUN = ("tournament", "run", "--seed", "3", "--concurrency", "1", "--games", "2")
BOTS = ("--bot", "stand(at=17)", "--bot", "random", "--bot", "stand(at=16)")
ADAPTIVE = (*RUN, *BOTS, "--format", "adaptive", "--matches", "16")
UNTIL = (*RUN, *BOTS, "--until", "separated(90%)", "--matches", "20")


@pytest.fixture
def place(tmp_path):
    return Place(tmp_path)


def document(place, number):
    return json.loads(place.arena("tournament", "show", str(number), "-o", "json").out)


def test_a_stopped_one_goes_on_the_same_is_verified_and_reports_its_ranks(place):
    whole = place.arena(*ADAPTIVE)
    assert whole.code == 0
    place.arena(*ADAPTIVE, "--pause-after-round", "3")
    assert place.arena("tournament", "resume", "2").code == 0
    one, other = document(place, 1), document(place, 2)
    assert one["tournament"]["chain"] == other["tournament"]["chain"]
    assert one["separation"] == other["separation"]
    assert one["tournament"]["matches"] <= 16
    assert (one["tournament"]["scoring"], one["tournament"]["games"]) == ("strength", 2)
    found = one["separation"]
    assert (found["confidence"], len(found["neighbours"])) == (95.0, 2)
    names = [line["name"] for line in one["standings"]]
    assert [each["upper"] for each in found["neighbours"]] == names[:2]
    assert all(each["low"] < each["elo"] < each["high"] for each in found["neighbours"])
    assert "Ranks separated with 95 % confidence, however often one looks" in whole.out
    assert "undecided" in whole.out
    assert place.arena("tournament", "verify", "2").code == 0


def test_a_round_robin_plays_on_and_is_verified(place):
    answer = place.arena(*UNTIL)
    assert answer.code == 0
    shown = document(place, 1)
    assert 6 <= shown["tournament"]["matches"] <= 20
    assert (shown["tournament"]["until"], shown["separation"]["confidence"]) == (
        "separated(90%)",
        90.0,
    )
    assert len(shown["rounds"]) > 3
    assert place.arena("tournament", "verify", "1").code == 0


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (
            ("--until", "decided"),
            "--until: expected 'separated(95%)', 51 to 99.99 %, not 'decided'",
        ),
        (
            ("--until", "separated(30%)"),
            "expected 'separated(95%)', 51 to 99.99 %, not 'separated(30%)'",
        ),
        (("--until", "separated", "--format", "knockout"), "--until: not available for knockout"),
        (
            ("--until", "separated", "--first-to", "3"),
            "--first-to: round-robin that plays until ranks are separated",
        ),
        (("--until", "separated", "--matches", "3"), "do not hold the 3 rounds of the round-robin"),
        (("--until", "separated", "--budget", "9s"), "give matches, not a budget"),
        (
            ("--until", "separated", "--stage", "swiss"),
            "swiss ends when ranks separate; no stage can",
        ),
        (("--stage", "adaptive"), "adaptive ends when ranks separate; no stage can"),
        (("--matches", "90"), "matches needs until"),
        (("--format", "adaptive", "--confidence", "20"), "confidence: expected"),
        (
            ("--format", "adaptive", "--scoring", "amount"),
            "--scoring: adaptive that plays until ranks are separated",
        ),
        (("--format", "adaptive", "--matches", "1"), "do not hold one round: 1 pairings of 4"),
    ],
)
def test_what_does_not_go_together_is_one_line(place, options, problem):
    answer = place.arena("tournament", "run", *BOTS, *options)
    assert (answer.code, answer.out) == (2, "")
    assert problem in answer.err
    assert len(answer.err.strip().splitlines()) <= 2

"""``arena replay --analysis``: win probabilities, luck, and mistakes beside the moves."""

from __future__ import annotations

import json
import re
from math import fsum

import pytest

VALUE = r"[01]\.\d\d : [01]\.\d\d"


def document(arena, stored, *options):
    answer = arena("replay", "1.1.1.1", *options, "-o", "json", "--db", stored)
    assert (answer.code, answer.err) == (0, "")
    return json.loads(answer.out)


def test_every_decision_has_a_win_probability_and_what_was_better(arena, stored):
    plain = arena("replay", "1.1.1.1", "--db", stored).out
    text = arena("replay", "1.1.1.1", "--analysis", "--db", stored).out
    for line in text.splitlines():
        if "draws" in line:
            assert re.search(rf" \(\+0\.\d{{3}} for .*; value {VALUE}\)$", line)
        if "decides: " in line:
            assert re.search(rf" \(value {VALUE}\)$", line)
    whole, end = text.split("\n\nLuck in match points, by ")
    whole = re.sub(r"\n    gives away 0\.\d{3}( by .*)?; better: .*", "", whole)
    whole = re.sub(
        rf" \((\+0\.\d{{3}} for [^ ]+; )?value {VALUE}\)$", "", whole, flags=re.MULTILINE
    )
    assert whole == plain.rstrip("\n")
    assert re.search(r"gives away 0\.\d{3} by what it knew \(pazaak-own-hand 1\); better", text)
    assert "Decisions evaluated by pazaak-own-hand 1\n" in end
    assert re.search(r"random .*\n +\d+ mistakes? in \d+ decisions evaluated, \d\.\d{3} given", end)
    assert "\nvalue: win probability by pazaak-no-hands 1\n" in end
    assert max(map(len, text.splitlines())) <= 80


def test_the_document_sums_the_decisions_of_each_seat(arena, stored):
    plain = document(arena, stored)
    found = document(arena, stored, "--mistakes", "0.02")
    analysis = found.pop("analysis")
    assert found == plain
    assert (analysis["evaluator"], analysis["threshold"]) == ("pazaak-own-hand 1", 0.02)
    decisions = analysis["decisions"]
    assert [each["move"] for each in decisions] == list(range(len(plain["moments"]) - 1))
    for seat in analysis["seats"]:
        own = [each for each in decisions if each["seat"] == seat["seat"]]
        given = [each["given_away"] or 0 for each in own]
        assert seat["decisions"] == len(own)
        assert seat["given_away"] == pytest.approx(fsum(given))
        assert seat["mistakes"] == sum(each >= 0.02 for each in given)
        worst = max(own, key=lambda each: each["given_away"] or 0)
        assert seat["worst"] == (worst["move"] if seat["mistakes"] else None)
    for each in decisions:
        assert sum(each["value"]) == pytest.approx(1)
        assert bool(each["better"]) == bool(each["given_away"])
        assert each["better"] != each["action"]


def test_a_lower_threshold_finds_more_mistakes(arena, stored):
    most, some, none = (
        sum(
            seat["mistakes"]
            for seat in document(arena, stored, "--mistakes", at)["analysis"]["seats"]
        )
        for at in ("0", "0.05", "1")
    )
    assert most > some > none == 0


def test_a_view_evaluates_those_whose_cards_it_shows(arena, stored):
    everything = document(arena, stored, "--analysis")["analysis"]
    for view, seats in (("public", ()), ("seat1", (1,))):
        shown = document(arena, stored, "--analysis", "--view", view)["analysis"]
        for each, known in zip(shown["decisions"], everything["decisions"], strict=True):
            assert each["value"] == known["value"]
            if each["seat"] in seats:
                assert each == known
            else:
                assert (each["given_away"], each["better"]) == (None, "")


def test_matches_that_were_broken_are_analysed_up_to_there(arena, stored):
    crashed = arena("replay", "1.1.2.1", "--analysis", "--summary", "--db", stored)
    assert (crashed.code, "decisions evaluated" in crashed.out) == (0, True)
    unseated = arena("replay", "1.1.4.1", "--analysis", "--db", stored).out
    assert "mistake" not in unseated


def test_what_does_not_go_is_refused_in_a_line(arena, stored):
    for other in ("--log", "--verify"):
        answer = arena("replay", "1", "--analysis", other, "--db", stored)
        assert (answer.code, answer.out) == (2, "")
        assert answer.err == "arena: --analysis: cannot be combined with --log or --verify\n"
    for given in ("2", "-0.1", "nan"):
        answer = arena("replay", "1", f"--mistakes={given}", "--db", stored)
        assert (answer.code, answer.out) == (2, "")
        assert answer.err.endswith("expected a win probability from 0 to 1\n")

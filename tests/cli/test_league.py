"""Leagues on the command line: they pause when nobody needs a match, take entrants, and end."""

from __future__ import annotations

import json

import pytest

from tests.cli.tournament_runs import Place

RUN = ("tournament", "run", "--format", "league", "--seed", "3", "--concurrency", "1")
FEW = ("--within", "150", "--games", "10", "--bot", "stand(at=17)", "--bot", "random")


@pytest.fixture
def place(tmp_path):
    return Place(tmp_path)


def document(place):
    return json.loads(place.arena("tournament", "show", "1", "-o", "json").out)


def test_it_pauses_takes_a_newcomer_is_ended_and_verified(place):
    begun = place.arena(*RUN, *FEW)
    assert begun.code == 0
    assert (
        "Paused. Continue with another bot, or end it:\n  arena tournament add 1 BOT" in begun.err
    )
    first = document(place)
    assert first["tournament"]["status"] == "waiting"
    assert first["tournament"]["within"] == 150.0
    assert place.arena("tournament", "resume", "1").code == 0
    assert document(place) == first
    assert place.arena("tournament", "verify", "1").code == 0

    assert place.arena("tournament", "add", "1", "stand(at=15)").code == 0
    assert place.arena("tournament", "resume", "1").code == 0
    second = document(place)
    assert second["tournament"]["matches"] > first["tournament"]["matches"]
    assert len(second["rounds"]) > len(first["rounds"])
    assert place.arena("tournament", "finish", "1").err == "Tournament 1 is finished\n"
    assert document(place)["tournament"]["status"] == "finished"
    verified = place.arena("tournament", "verify", "1")
    assert (verified.code, "3 bots" in verified.out) == (0, True)
    assert place.arena("tournament", "finish", "1").err.endswith("is finished already\n")


def test_what_ends_by_itself_and_what_is_unfinished_cannot_be_ended(place):
    swiss = ("tournament", "run", "--format", "swiss", "--games", "2", "--seed", "1")
    assert place.arena(*swiss, *FEW[4:], "--bot", "counter", "--concurrency", "1").code == 0
    answer = place.arena("tournament", "finish", "1")
    assert (answer.code, answer.err) == (
        2,
        "arena: tournament 1 ends by itself; only an open-ended one (league) is ended by its "
        "organiser\n",
    )
    answer = place.arena(*RUN[:2], "--within", "50", *FEW[4:])
    assert (
        answer.code,
        "within: not available for round-robin; formats with it: league" in answer.err,
    ) == (2, True)


LEAGUE = """
name = "Cantina"
house = ["stand(at=17)", "random"]
final = {at = 2026-12-20T18:00:00+01:00, matches = 2000, field = "top 16"}
"""


def test_a_league_file_is_checked_and_its_final_is_shown(place, tmp_path):
    file = tmp_path / "league.toml"
    file.write_text(LEAGUE)
    assert place.arena("check", "league", "league.toml").out == (
        "Cantina, season 1: pazaak standard, 2 bots from the start\n"
        "Submissions close at 2026-12-20 18:00 UTC+01:00\n"
        "Final: adaptive, top 16 of the season, at most 2000 matches, 4 games a pairing\n"
    )
    final = json.loads(place.arena("check", "league", "league.toml", "-o", "json").out)["final"]
    assert (final["at"], final["field"]) == ("2026-12-20T18:00:00+01:00", "top 16")

    file.write_text(LEAGUE.replace("2026", "2999"))
    assert place.arena(*RUN, *FEW).code == 0  # it makes the database
    shown = place.arena("check", "league", "league.toml", "--db", place.url).out
    assert shown.endswith(
        "Now open: submissions close at 2999-12-20 18:00 UTC+01:00; then a final is played\n"
    )
    file.write_text(LEAGUE.replace("top 16", "best").replace("random", "nobody"))
    wrong = place.arena("check", "league", "league.toml")
    assert (wrong.code, wrong.out) == (2, "")
    assert wrong.err.startswith("arena: league.toml: final.field: expected 'all' or 'top N' with")
    file.write_text(LEAGUE.replace("random", "nobody"))
    wrong = place.arena("check", "league", "league.toml")
    assert (wrong.code, wrong.err.partition(";")[0]) == (
        2, "arena: Cantina: house: unknown bot 'nobody'",
    )  # fmt: skip
    file.write_text(LEAGUE.partition("final")[0])
    assert "No final" in place.arena("check", "league", "league.toml").out

"""Dry runs and budgets on the command line and from Python."""

from __future__ import annotations

import pytest

import arena as api
from arena.service.run.ahead import estimate
from arena.service.run.ahead.estimate import Speed
from tests.cli.tournament_runs import Place, without_progress

FIELD = ("--bot", "random", "--bot", "stand", "--bot", "stand(at=17)", "--concurrency", "1")
CALIBRATING = "Playing some matches to estimate the time; they are not stored\n"
RUN = ("tournament", "run", *FIELD)


@pytest.fixture
def place(tmp_path):
    return Place(tmp_path)


@pytest.fixture
def ten_a_second(monkeypatch):
    """Every calibration takes 5 seconds, 2 of them to start, and says ten matches a second."""

    async def calibrated(resolved, seconds=3.0):
        return Speed(matches=30, seconds=5.0, start=2.0, workers=1)

    monkeypatch.setattr(estimate, "calibrate", calibrated)


def test_a_dry_run_shows_the_schedule_and_makes_no_database(place, ten_a_second):
    answer = place.arena(*RUN, "--games", "4", "--dry-run")
    assert (answer.code, answer.err) == (0, CALIBRATING)
    lines = answer.out.splitlines()
    assert lines[0] == "Dry run: pazaak standard, round-robin, 3 bots, 3 rounds, 4 games a pairing"
    assert [line.split()[:2] for line in lines[3:6]] == [
        ["1", "random"],
        ["2", "stand"],
        ["3", "stand(at=17)"],
    ]
    assert "Rounds" in lines
    assert "     1  stand - stand(at=17); random rest" in lines
    assert lines[-2:] == [
        "Matches: 12",
        "Time: about 0:03 with 1 worker, by 30 matches that were played in 5.0 s and not stored",
    ]
    assert not place.file.exists()


def test_a_dry_run_says_how_many_matches_a_precision_takes(place, ten_a_second):
    out = place.arena(*RUN, "--games", "4", "--dry-run", "--precision", "20").out
    assert "Precision: strengths within about 161 Elo (95 %)\n" in out
    assert "Within 20 Elo: about 774 matches (258 games a pairing), about 1:19\n" in out
    longer = ("--until", "separated", "--matches", "900", "-o", "json")
    document = place.arena(*RUN, "--games", "4", "--dry-run", *longer).document
    assert (document["at_most"], document["matches"]) == (True, 900)
    assert document["precision"]["separable"] > document["precision"]["elo"] > 0
    assert document["precision"]["asked"] is None
    answer = place.arena(*RUN, "--precision", "20")
    assert answer.err == "arena: --precision: needs --dry-run\n"
    answer = place.arena(*RUN, "--dry-run", "--precision", "0")
    assert answer.err.endswith("arena: precision: expected 0.1 to 1000 Elo, not 0\n")


def test_a_dry_run_of_a_bracket_has_bounds(place, ten_a_second):
    out = place.arena(*RUN, "--games", "4", "--format", "knockout", "--dry-run").out
    assert "knockout, 3 bots, 2 rounds, 4 games a pairing, more if drawn\n" in out
    assert "\nRound 1; later ones follow from the results\n" in out
    assert "\nMatches: at most 8\nTime: at most about 0:03 " in out


def test_a_dry_run_is_a_document(place):
    document = place.arena(*RUN, "--games", "4", "--dry-run", "-o", "json").document
    assert document["tournament"]["games"] == 4
    assert document["calibration"]["matches"] > 0
    assert document["seconds"] > 0
    assert not place.file.exists()
    answer = place.arena(*RUN, "--dry-run", "-o", "csv")
    assert (answer.code, answer.out) == (2, "")
    assert answer.err == "arena: a dry run is printed as a table or as json, not as csv\n"


def test_a_budget_is_in_the_header_and_its_number_is_stored(place, ten_a_second):
    answer = place.arena(*RUN, "--budget", "11s", "--seed", "7")
    assert without_progress(answer.err) == (
        f"{CALIBRATING}Tournament 1: pazaak standard, round-robin, 3 bots, 3 rounds, budget 11s: "
        "12 games a pairing; open seed 7\n"
    )
    document = place.arena("tournament", "show", "1", "-o", "json").document
    assert document["tournament"]["games"] == 12
    assert document["tournament"]["matches"] == 36
    assert place.arena("tournament", "verify", "1").code == 0


def test_a_short_budget_is_refused_before_anything_is_stored(place, ten_a_second):
    answer = place.arena(*RUN, "--budget", "6s")
    assert (answer.code, answer.out) == (2, "")
    assert answer.err == (
        f"{CALIBRATING}arena: --budget: 6s is too short: 6 matches, one mirrored group a pairing, "
        "take about 8s with the calibration\n"
    )
    assert not place.file.exists()


def test_a_budget_replaces_the_games_of_a_file_or_of_a_fork(place, ten_a_second):
    (place.folder / "cup.toml").write_text(
        'bots = ["random", "stand"]\ngames = 4\nseed = 3\nconcurrency = 1\n'
    )
    run = ("tournament", "run", "cup.toml", "-o", "json")
    assert place.arena(*run).document["tournament"]["games"] == 4
    assert place.arena(*run, "--budget", "8s").document["tournament"]["games"] == 10
    fork = ("tournament", "fork", "1", "-o", "json")
    assert place.arena(*fork, "--budget", "9s").document["tournament"]["games"] == 20


def test_budgets_and_dry_runs_from_python(tmp_path, ten_a_second):
    with api.open_database(tmp_path / "cups.db") as db:
        plan = api.dry_run(["random", "stand"], db=db, budget="9s", concurrency=1)
        assert (plan["tournament"]["games"], plan["tournament"]["budget"]) == (20, "9s")
        assert db.tournaments() == []
        cup = db.run(["random", "stand"], budget="8s", concurrency=1)
        assert cup.summary.games == 10
        assert db.match("random", "stand", budget="8s", concurrency=1).summary.games == 10
        with pytest.raises(api.BadInput, match="budget: 6s is too short"):
            db.run(["random", "stand"], budget="6s")

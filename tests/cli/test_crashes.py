"""Bots that crash often stop a tournament; a fork plays crashed matches again and keeps others."""

from __future__ import annotations

import pytest
from arena_results.file.addresses import db_option

import arena
from arena.core.record import MatchKey
from tests.cli.tournament_runs import Place

BOTS = """
from pathlib import Path
from arena import Bot

FIXED = Path(__file__).with_name("fixed")


class Shaky(Bot):
    \"\"\"Crashes in the matches that it begins in the first seat, until the machine is fixed.\"\"\"

    def start(self, context):
        self.crashes = context.seat == 0 and not FIXED.exists()

    def act(self, observation):
        if self.crashes:
            raise OSError("no memory")
        return observation.legal_actions[-1]


class Unready(Bot):
    def start(self, context):
        if not FIXED.exists():
            raise OSError("no files")

    def act(self, observation):
        return observation.legal_actions[-1]
"""
FIELD = ("random", "bots.py:Shaky", "counter", "stand(at=17)")
TRUST = ("--trust", "Shaky", "--trust", "Unready", "--concurrency", "1")


def run_words(*words, bots=FIELD):
    field = [word for bot in bots for word in ("--bot", bot)]
    return ("tournament", "run", *field, *TRUST, *words)


def ledger(place, number):
    with arena.open_database(place.url) as db:
        return db.tournament(number).ledger()


@pytest.fixture
def place(tmp_path):
    place = Place(tmp_path)
    (place.folder / "bots.py").write_text(BOTS)
    return place


def matches(place, number):
    with arena.open_database(place.url) as db:
        return {row["match"].partition(".")[2]: row for row in db.tournament(number).matches()}


def show(place, number):
    return place.arena("tournament", "show", str(number), "-o", "json").document


@pytest.mark.thorough("test_from_python_too is stopped by the same limit, and goes on")
def test_too_many_crashes_stop_the_tournament_until_the_limit_is_raised(place):
    words = ("--games", "20", "--seed", "3", "--max-crash-rate", "0.3", "-o", "json")
    stopped = place.arena(*run_words(*words))
    assert (stopped.code, stopped.out) == (1, "")
    (line,) = [each for each in stopped.err.splitlines() if each.startswith("arena: ")]
    assert line.startswith("arena: bot bots:Shaky crashed in ")
    assert "%), more than --max-crash-rate 0.3 allows; " in line
    assert "arena tournament resume 1" in stopped.err
    assert line.endswith(db_option(place.url))
    replay = line.rpartition("arena replay ")[2].split()
    assert place.arena("replay", *replay).code == 0
    before = matches(place, 1)
    assert show(place, 1)["tournament"]["status"] == "interrupted"
    played = sum("bots:Shaky" in (row["name0"], row["name1"]) for row in before.values())
    assert 20 <= played < 60

    again = place.arena("tournament", "resume", "1")
    assert again.code == 1
    assert "more than --max-crash-rate 0.3 allows; " in again.err
    assert matches(place, 1) == before

    for rate, problem in (("0", "not 0.0"), ("1.5", "not 1.5")):
        answer = place.arena("tournament", "resume", "1", "--max-crash-rate", rate)
        assert answer.code == 2
        expected = f"max_crash_rate: expected a share above 0 and up to 1, {problem}"
        assert answer.err == f"arena: {expected}\n"
    done = place.arena("tournament", "resume", "1", "--max-crash-rate", "0.9", "-o", "json")
    assert (done.code, done.document["tournament"]["status"]) == (0, "finished")
    whole = place.arena(*run_words("--games", "20", "--seed", "3", "-o", "json"))
    assert whole.document["tournament"]["chain"] == done.document["tournament"]["chain"]


def test_from_python_too(place):
    keys = {"games": 20, "seed": 3, "trust": ["Shaky"], "concurrency": 1, "max_crash_rate": 0.3}
    bots = ["random", str(place.folder / "bots.py") + ":Shaky"]
    with arena.open_database(place.url) as db:
        with pytest.raises(arena.ArenaError, match=r"crashed in 1\d of \d+ matches"):
            db.run(bots, **keys)
        assert db.resume(1, max_crash_rate=1.0).finished


def test_few_matches_or_a_share_that_is_allowed_stop_nothing(place):
    words = ("--seed", "3", "--max-crash-rate", "0.3")
    assert place.arena(*run_words(*words, "--games", "6")).code == 0  # 18 matches a bot
    calm = ("random", "counter", "stand(at=17)")
    assert place.arena(*run_words(*words, "--games", "20", bots=calm)).code == 0


@pytest.mark.thorough("results are paired anew after a crash")
def test_crashed_matches_are_played_again_in_a_fork_that_keeps_all_others(place):
    bots = (*FIELD, "bots.py:Unready")
    assert place.arena(*run_words("--games", "4", bots=bots)).code == 0
    before, old = matches(place, 1), show(place, 1)
    crashed = {key for key, row in before.items() if row["termination"] == "crash"}
    assert 0 < len(crashed) < len(before)
    (place.folder / "fixed").touch()

    forked = place.arena("tournament", "fork", "1", "--redo-crashed")
    assert forked.code == 0, forked.err
    kept = len(before) - len(crashed)
    assert (
        f"Tournament 2 is tournament 1 with {len(crashed)} crashed matches played again; "
        f"{kept} matches are the same\n" in forked.err
    )
    assert "to leave one out: arena tournament delete 1" in forked.err
    after, new = matches(place, 2), show(place, 2)
    assert set(after) == set(before)
    for key, row in after.items():
        if key in crashed:
            assert row["termination"] == "rules"
            assert row["seed"] == before[key]["seed"]
        else:
            assert {**row, "match": ""} == {**before[key], "match": ""}
    assert show(place, 1) == old
    assert (new["tournament"]["key"], new["tournament"]["open"]) == (old["tournament"]["key"], True)
    assert new["tournament"]["commitment"] is None
    void = ledger(place, 2)["void"]
    assert {row["match"].partition(".")[2] for row in void} == crashed
    assert {row["cause"] for row in void} == {"crash"}
    assert {row["name"] for row in void} == {"bots:Shaky", "bots:Unready"}
    assert all(row["reason"].endswith("; in tournament 1") for row in void)
    assert f"{len(crashed)} matches were void and played again: 2." in forked.out
    for number in "12":
        assert place.arena("tournament", "verify", number).code == 0


@pytest.mark.parametrize("format", ["swiss", "adaptive"])
def test_later_rounds_are_paired_anew_after_the_first_crash(place, format):
    calm = ("random", "counter", "stand(at=17)", "stand(at=15)", "stand(at=12)", "bots.py:Shaky")
    words = ("--format", format, "--rounds", "3", "--games", "2", "--seed", "4")
    assert place.arena(*run_words(*words, bots=calm)).code == 0
    before = matches(place, 1)
    crashed = [
        MatchKey(*map(int, key.split(".")))
        for key, row in before.items()
        if row["termination"] == "crash"
    ]
    first = min(crashed).round
    (place.folder / "fixed").touch()
    forked = place.arena("tournament", "fork", "1", "--redo-crashed")
    assert forked.code == 0
    assert f"{3 - first} rounds are paired again" in forked.err
    after = matches(place, 2)
    for key, row in before.items():
        if int(key.partition(".")[0]) <= first and row["termination"] != "crash":
            assert {**after[key], "match": ""} == {**row, "match": ""}
    assert all(row["termination"] == "rules" for row in after.values())
    assert place.arena("tournament", "verify", "2").code == 0


def test_a_race_goes_on_before_its_first_crash(place):
    words = ("--best-of", "9", "--seed", "4")
    assert place.arena(*run_words(*words, bots=("random", "bots.py:Shaky"))).code == 0
    (place.folder / "fixed").touch()
    with arena.open_database(place.url) as db:
        cup = db.fork(1, redo_crashed=True)
        assert cup.finished
        assert all(row["termination"] == "rules" for row in cup.matches())
    assert place.arena("tournament", "verify", "2").code == 0


def test_what_cannot_be_played_again_is_one_line(place):
    assert place.arena(*run_words("--games", "2", bots=("random", "counter"))).code == 0
    assert place.arena(*run_words("--games", "2")).code == 0
    for words, problem in (
        (("1",), "tournament 1 has no match that crashed; there is nothing to redo"),
        (("7",), "unknown tournament '7'; choices: 1, 2"),
        (
            ("2", "--games", "4"),
            "--redo-crashed: keeps the tournament's settings; leave out --games",
        ),
    ):
        answer = place.arena("tournament", "fork", *words, "--redo-crashed")
        assert (answer.code, answer.out, answer.err) == (2, "", f"arena: {problem}\n")
    path = place.folder / "bots.py"
    path.write_text(path.read_text() + "\n")
    answer = place.arena("tournament", "fork", "2", "--redo-crashed")
    assert answer.code == 2
    assert "bot bots:Shaky has changed since the tournament began" in answer.err
    assert len(place.arena("tournament", "list", "-o", "json").document) == 2

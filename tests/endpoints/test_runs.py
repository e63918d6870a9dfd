"""Runs with endpoints by the command line: no failure of theirs is rated or paid for twice."""

from __future__ import annotations

import json
import os
import random
import signal
from contextlib import closing
from sqlite3 import connect

import pytest

from arena.core.outcome import RULE_ENDINGS, Termination
from tests.cli.tournament_runs import ServerPlace, alive, check_same, until
from tests.endpoints.runs import (
    PARALLEL,
    PRICES,
    RUN,
    asked,
    digests,
    kept,
    place_with,
    write_endpoint,
)
from tests.endpoints.served import served

BOT = """
from arena import Bot

class First(Bot):
    def act(self, observation):
        return observation.legal_actions[0]
"""


@pytest.fixture(autouse=True)
def quick(fake):
    """The endpoint is up, and answers at once."""
    fake.control(down=0, delay=0)


@pytest.fixture
def place(fake, preloaded, tmp_path):
    return place_with(tmp_path / "place", fake.url, preloaded)


@pytest.fixture(scope="module")
def undisturbed(fake, tmp_path_factory):
    """The outcome of the run, and how many questions it takes."""
    place = place_with(tmp_path_factory.mktemp("undisturbed") / "place", fake.url)
    done = place.arena(*RUN)
    assert done.code == 0, done.err
    return place.outcome(), len(kept(place))


def voids(place):
    with closing(connect(place.file)) as file:
        return file.execute("SELECT count(*) FROM void").fetchone()[0]


def begun(place, fake, questions):
    """Starts the run, and waits until it has asked that many questions more."""
    before = fake.stats()["requests"]
    run = place.start(*RUN)
    until(lambda: fake.stats()["requests"] >= before + questions)
    return run


def test_an_endpoint_that_fails_for_two_seconds_changes_no_result(place, fake, undisturbed):
    fake.control(delay=0.02)
    run = begun(place, fake, 20)
    fake.control(down=2, status=529)
    _, err = run.communicate(timeout=120)
    assert run.returncode == 0, err
    assert err.count("counter at 127.0.0.1: HTTP 529") <= 1
    assert voids(place) == 0
    assert {match.record.outcome.termination for match in place.played()} <= RULE_ENDINGS
    check_same(place.outcome(), undisturbed[0])


def test_a_pause_waits_for_the_questions_under_way(place, fake, undisturbed):
    before = asked(fake)
    fake.control(delay=0.05)
    run = begun(place, fake, 20)
    os.kill(run.pid, signal.SIGINT)
    run.communicate(timeout=120)
    fake.control(delay=0)
    assert 0 < place.stored() < 24
    assert place.arena("tournament", "resume", "1").code == 0
    check_same(place.outcome(), undisturbed[0])
    again = asked(fake) - before
    assert {again[digest] for digest in digests(kept(place))} == {1}


def killed(run, fake, questions):
    """Kills a process once it has asked that many questions; returns whether it still ran."""
    start = fake.stats()["requests"]
    until(lambda: run.poll() is not None or fake.stats()["requests"] >= start + questions)
    if run.poll() is not None:
        return False
    os.kill(run.pid, signal.SIGKILL)
    run.communicate()
    until(lambda: alive(run.pid) == [])
    return True


def killed_run(place, fake, kills, chance):
    """Plays the run under that many kills; at each yields what was kept and what was asked."""
    words = RUN
    fake.control(delay=0.04)
    for _ in range(kills):
        if not killed(place.start(*words), fake, 2 + chance.randrange(8)):
            break
        yield digests(kept(place)), asked(fake)
        words = ("tournament", "resume", "1")
    fake.control(delay=0)
    done = place.arena(*words)
    assert done.code == 0, done.err


@pytest.mark.thorough("more kills", everyday=["3"])
@pytest.mark.parametrize("kills", [3, 8])
def test_a_run_that_is_killed_at_any_moment_asks_no_kept_question_again(
    place, fake, undisturbed, kills
):
    outcome, questions = undisturbed
    before = asked(fake)
    seen = [*killed_run(place, fake, kills, random.Random(kills))]
    after = asked(fake)
    for known, at_the_kill in seen:
        assert all(after[digest] == at_the_kill[digest] for digest in known)
    check_same(place.outcome(), outcome)
    count = after - before
    own = digests(kept(place))
    assert len(own) == questions
    assert sum(count[digest] - 1 for digest in own) <= PARALLEL * len(seen)
    assert len(seen) >= 3
    assert seen[-1][0]


@pytest.mark.thorough("a run on a server, killed; the file's is the test above")
def test_a_server_keeps_the_journal_and_the_transcripts_as_a_file_does(
    fake, postgres, preloaded, tmp_path, undisturbed
):
    outcome, questions = undisturbed
    place_with(tmp_path, fake.url)
    place = ServerPlace(tmp_path, preloaded, postgres.new())
    before = asked(fake)
    seen = [*killed_run(place, fake, 2, random.Random(11))]
    after = asked(fake)
    assert seen[-1][0]
    for known, at_the_kill in seen:
        assert all(after[digest] == at_the_kill[digest] for digest in known)
    assert sum((after - before)[digest] - 1 for digest in digests(kept(place))) <= 2 * PARALLEL
    check_same(place.outcome(), outcome)
    show = ("transcripts", "show", "1.1.1.1")
    assert "You are seat " in place.arena(*show).out
    assert place.arena("export", "1", "--bundle", "cup.arena").code == 0
    purged = place.arena("transcripts", "purge", "1")
    assert purged.err == f"removed the texts of {questions} questions of tournament 1\n"
    left = place.arena(*show).out
    assert "attempt 1: legal" in left
    assert "You are seat " not in left
    board = ("leaderboard", "-o", "json")
    numbers = [row["illegal"] for row in json.loads(place.arena(*board).out)]
    other = ServerPlace(tmp_path, preloaded, postgres.new())
    assert other.arena("import", "cup.arena").code == 0
    assert [row["illegal"] for row in json.loads(other.arena(*board).out)] == numbers


@pytest.mark.parametrize(
    ("keys", "says"),
    [
        ({"key_env": "GPT_KEY"}, "HTTP 401"),
        ({"model": "gpt-9"}, "HTTP 404, no such address or model"),
        ({"key_env": "NO_SUCH_KEY"}, "the variable NO_SUCH_KEY is not set"),
        ({"prompt": "wrong.jinja"}, "'hand_of_the_rival' is undefined"),
        ({"price_in": "0.25 per thousand"}, "price_in: expected"),
        ({"model": "stand+fail=redirect"}, "it redirects to another host, 127.0.0.2"),
        ({"url": "TLS"}, "no connection within 0.3 s; is url right?"),
        ({"model": "stand+fail=length"}, "max_tokens"),
        ({"answer": "schema", "model": "stand+form=ignored"}, 'write answer = "line"'),
    ],
)
def test_what_cannot_work_is_one_line_before_the_first_match(
    locked, tmp_path, monkeypatch, keys, says
):
    if "url" in keys:  # it waits for an answer in TLS
        monkeypatch.setattr("arena.host.endpoints.client.CONNECT_SECONDS", 0.3)
    keys = {"url": locked.url, "key_env": "RIGHT_KEY"} | keys
    keys["url"] = keys["url"].replace("TLS", locked.url.replace("http:", "https:"))
    place = place_with(tmp_path, **keys)
    (tmp_path / "wrong.jinja").write_text("Play {{ hand_of_the_rival }}.")
    place.env |= {"GPT_KEY": "sk-wrong", "RIGHT_KEY": "sk-right"}
    refused = place.arena(*RUN)
    assert refused.code == 2, refused.out
    (line,) = refused.err.splitlines()
    assert line.startswith("arena: ")
    assert says in line
    assert "sk-" not in line
    assert place.arena("tournament", "list", "-o", "json").out.strip() in ("[]", "")


@pytest.fixture(scope="module")
def locked():
    with served("--key", "sk-right") as running:
        yield running


def short(*words):
    """The run with two matches."""
    return (*RUN[:-3], "2", *RUN[-2:], *words)


@pytest.mark.parametrize("fallback", ["lose", "first legal"])
def test_moves_that_no_answer_names_are_counted(fake, tmp_path, fallback):
    keys = {"model": "counter+illegal=1", "tries": 2, "fallback": fallback}
    place = place_with(tmp_path, fake.url, **keys)
    assert place.arena(*short()).code == 0
    rows = json.loads(place.arena("leaderboard", "-o", "json").out)
    found = next(row for row in rows if row["name"] == "gpt")
    assert found["illegal"] == 1.0
    outcomes = [match.record.outcome for match in place.played()]
    if fallback == "lose":
        assert {each.termination for each in outcomes} == {Termination.ILLEGAL_ACTION}
        assert (len(kept(place)), found["played_for"]) == (2 * 2, 0)
    else:
        assert {each.termination for each in outcomes} <= RULE_ENDINGS
        assert found["played_for"] == len(kept(place)) // 2 > 0


def test_a_limit_of_cost_is_never_passed_and_a_higher_one_goes_on(fake, tmp_path):
    place = place_with(tmp_path, fake.url, **PRICES)
    limit = 12.0
    paused = place.arena(*RUN, "--max-cost", str(limit))
    assert paused.code == 3  # a script can tell it from a run that is over
    assert "\npausing: tournament 1 has cost $" in f"\n{paused.err}"
    resume = "arena tournament resume 1 --max-cost 24"
    assert f"; to go on: {resume}" in paused.err
    assert f"Paused. Continue with:\n  {resume} --db " in paused.err
    assert 0 < sum(each.cost for each in kept(place)) <= limit
    assert place.stored() < 24
    again = place.arena("tournament", "resume", "1")
    assert "pausing: " in again.err
    assert sum(each.cost for each in kept(place)) <= limit
    write_endpoint(tmp_path, fake.url, **PRICES | {"price_in": 1.0, "price_out": 1.0})
    before = sum(each.cost for each in kept(place))
    done = place.arena("tournament", "resume", "1", "--max-cost", "40")  # enough at a right price
    assert done.code == 0, done.err
    assert 0 < sum(each.cost for each in kept(place)) - before < 1  # what was paid stays
    assert place.stored() == 24
    assert len(digests(kept(place))) == len(kept(place))


def test_another_prompt_is_another_bot_in_the_middle_of_a_run(fake, tmp_path):
    place = place_with(tmp_path, fake.url, prompt="own.jinja", **PRICES)
    (tmp_path / "own.jinja").write_text('{% extends "default" %}')
    assert "pausing: " in place.arena(*short("--max-cost", "0.01")).err
    (tmp_path / "own.jinja").write_text('{% extends "default" %}{# better #}')
    refused = place.arena("tournament", "resume", "1", "--max-cost", "100")
    assert refused.code == 2
    (line,) = refused.err.splitlines()
    assert "gpt" in line
    assert kept(place) == []


def test_an_endpoint_a_confined_bot_and_a_built_in_one_at_a_table_of_three(fake, tmp_path):
    place = place_with(tmp_path, fake.url)
    (tmp_path / "first.py").write_text(BOT)
    words = ("gpt.toml", "first.py", "target-total", "--game", "sabacc", "--games", "3")
    done = place.arena("match", *words, "--seed", "3")
    assert done.code == 0, done.err
    played = place.played()
    assert len(played) == 3
    for match in played:
        assert match.record.outcome.termination in RULE_ENDINGS
        assert match.measurement.isolation.split(",").count("endpoint") == 1
    assert place.arena("tournament", "verify", "1").code == 0
    assert place.arena("replay", "1.1.1.1").code == 0

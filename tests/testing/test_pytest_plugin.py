"""The fixtures for authors, in runs of pytest of their own."""

from __future__ import annotations

import subprocess
import sys
from textwrap import dedent

import pytest

from tests.testing.plugin_runs import run_pytest

BOTS = """
import time
from functools import partial
import pytest
from arena import Bot
from arena.core.errors import BadInput, BadPlugin, IllegalAction, UnknownName
from arena.games.pazaak.engine.stages import ACT
from arena.testing import RandomBot, Scripted, ScriptedBot

class Stands(Bot):
    def __init__(self, at=17):
        self.at = at

    def act(self, observation):
        return observation.legal_actions[1 if observation.total >= self.at else 0]

class Sleeps(Stands):
    def act(self, observation):
        time.sleep(30)

class Raises(Stands):
    def act(self, observation):
        raise ValueError("out of ideas")
"""


@pytest.fixture
def author(tmp_path):
    """Runs an author's tests, given as text."""

    def run(tests: str, *options: str):
        (tmp_path / "test_author.py").write_text(BOTS + dedent(tests))
        return run_pytest(tmp_path, *options)

    return run


@pytest.mark.thorough("the other tests use them")
def test_the_fixtures_are_listed_with_what_they_are_for(tmp_path):
    (tmp_path / "test_nothing.py").write_text("def test_nothing(): pass\n")
    listed = run_pytest(tmp_path, "--fixtures").out
    for name in ("arena_check", "arena_game", "position", "play_match", "golden_playthrough"):
        (line,) = [line for line in listed.splitlines() if line.startswith(name)]
        assert "pytest_plugin.py" in line


def test_a_run_that_uses_no_fixture_imports_the_plugin_alone():
    code = "import sys, pytest, arena.pytest_plugin; print(*sorted(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    ours = [name for name in done.stdout.split() if name.split(".")[0] == "arena"]
    assert ours == ["arena", "arena.pytest_plugin"]


def test_a_sound_bot_passes_and_its_report_is_given(author):
    ran = author("""
    def test_check(arena_check):
        report = arena_check(Stands, matches=6)
        assert (report.matches, report.passed, report.isolation) == (6, True, "trusted")

    def test_ways_to_name_a_bot(arena_check):
        assert arena_check("stand(at=18)", against="counter", matches=2).passed
        assert arena_check(partial(Stands, at=16), against=RandomBot, matches=2).passed
        assert arena_check(lambda: Stands(15), against=ScriptedBot(["stand"] * 99)).passed
    """)
    assert ran.code == 0, ran.out


def test_a_bot_that_sleeps_is_interrupted_and_reported(author):
    ran = author("""
    def test_check(arena_check):
        arena_check(Sleeps, matches=2, seconds=0.05)
    """)
    assert ran.code == 1
    assert "AssertionError: Sleeps broke 2 of 2 matches of pazaak, standard" in ran.out
    assert "timeout: over its time" in ran.out
    assert "time.sleep(30)" in ran.out


@pytest.mark.thorough("bots that sleep are interrupted by the same alarm")
def test_an_alarm_set_by_other_code_is_kept(author):
    ran = author("""
    import signal, threading

    def test_alarm(arena_check):
        rang = []
        signal.signal(signal.SIGALRM, lambda *_: rang.append(1))
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        arena_check(Stands, matches=2)
        while not rang:
            time.sleep(0.05)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)

    def test_thread(arena_check):
        reports = []
        thread = threading.Thread(target=lambda: reports.append(arena_check(Stands, matches=2)))
        thread.start()
        thread.join()
        assert reports[0].passed

    def test_back_as_it_was(arena_check):
        arena_check(Stands, matches=2)
        assert signal.getsignal(signal.SIGALRM) is signal.SIG_DFL
        assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    """)
    assert ran.code == 0, ran.out


def test_the_match_fixture_returns_a_record_and_shows_faults(author):
    ran = author("""
    def test_record(play_match):
        match = play_match(Stands, "random", seed=4)
        assert match.seats == ("Stands", "random")
        assert match == play_match(Stands, "random", seed=4)
        assert len(play_match(*["random"] * 5, game="sabacc").outcome.returns) == 5

    def test_fails(play_match):
        assert play_match(partial(Raises, at=3), Stands).outcome.returns[0] > 0
    """)
    assert ran.code == 1
    assert "1 failed, 1 passed" in ran.out
    assert "seat 0, Raises: crash: ValueError" in ran.out
    assert "ValueError: out of ideas" in ran.out


def test_the_position_fixture_gives_a_bots_action(author):
    ran = author("""
    def test_ask(position):
        here = position(tables=([10, 8], [9]), hands=("+1 D", ""), phase=ACT)
        text = here.text
        assert (here.ask(Stands), here.ask(Stands(19))) == ("stand", "end turn")
        assert here.ask(ScriptedBot(["play D"])) == "play D"
        assert here.text == text
        with pytest.raises(IllegalAction, match="play .3 as .3 is not one of"):
            here.ask(ScriptedBot(["play ±3 as +3"]))
        with pytest.raises(ValueError, match="out of ideas"):
            here.ask(Raises)

    def test_other_seat(position):
        here = position("pazaak", "kotor1", tables=([10], [9]), turn=1, dealer=Scripted([8]))
        assert (here.seat, here.ask(Stands)) == (1, "stand")
        assert here.state.totals == [10, 17]

    def test_tables(position):
        hands = [("2 of Coins", "3 of Coins", "4 of Coins")] * 4
        assert position("sabacc", hands=hands, turn=2).ask(RandomBot) in ("draw", "pass")

    def test_nobody(position):
        with pytest.raises(BadInput, match="nobody decides here: chance is next"):
            position(tables=([10], [9]))
    """)
    assert ran.code == 0, ran.out


@pytest.mark.thorough("the command line gives the same lines")
def test_a_match_that_cannot_be_played_fails_in_one_line(author):
    ran = author("""
    def test_bad(arena_check, play_match, position):
        with pytest.raises(UnknownName, match="unknown game 'chess'; choices: pazaak, sabacc"):
            arena_check(Stands, game="chess")
        with pytest.raises(UnknownName, match="unknown bot 'nobody'; choices: "):
            play_match(Stands, "nobody")
        with pytest.raises(BadInput, match="pazaak seats 2 to 2 bots, not 3"):
            play_match(Stands, Stands, Stands)
        with pytest.raises(BadInput, match="every match needs a new bot: give its class"):
            arena_check(Stands())
        with pytest.raises(UnknownName, match="unknown pazaak ruleset 'wild'"):
            position(ruleset="wild")
    """)
    assert ran.code == 0, ran.out


@pytest.mark.thorough("test_testing_page.py writes and compares one")
def test_a_golden_playthrough_is_written_compared_and_its_difference_shown(author, tmp_path):
    tests = """
    def test_golden(play_match, golden_playthrough):
        golden_playthrough("kept/match.txt", play_match(Stands, "random", seed=AT))
        golden_playthrough("kept/own.txt", "a text of one's own")
    """
    missing = author(tests.replace("AT", "2"))
    assert "match.txt yet: run pytest with --update-playthroughs" in missing.out
    assert author(tests.replace("AT", "2"), "--update-playthroughs").code == 0
    assert author(tests.replace("AT", "2")).code == 0
    assert (tmp_path / "kept" / "own.txt").read_text() == "a text of one's own"
    other = author(tests.replace("AT", "3"))
    assert other.code == 1
    assert "match.txt differs; if that is right, run pytest with --update-playthroughs" in other.out
    assert "-seed: 2" in other.out
    assert "+seed: 3" in other.out


@pytest.mark.thorough("it is a plugin of pytest as any")
def test_the_plugin_can_be_left_out(author):
    ran = author("def test_check(arena_check): pass", "-p", "no:arena")
    assert "fixture 'arena_check' not found" in ran.out

"""Bad tournament files: one line for each problem, exit code 2, and no database."""

from __future__ import annotations

import signal
import sys

import pytest

from arena.cli.app import main
from arena.cli.terminal.signals import SIGNALS
from tests.cli.tournament_runs import HOSTILE, Answer

FORMATS = "adaptive, double-elimination, gauntlet, groups, knockout, ladder, league, "
FORMATS += "round-robin, swiss, table-swiss, tables"
TWO = ("--bot", "stand", "--bot", "random")


@pytest.fixture
def arena(monkeypatch, capfd, tmp_path):
    """The whole command in this process, in a folder of its own; the process stays as it was."""
    handlers = {number: signal.getsignal(number) for number in SIGNALS}
    monkeypatch.setattr(sys, "stdout", sys.stdout)
    monkeypatch.setattr(sys, "stderr", sys.stderr)
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "1")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONHASHSEED", "0")
    monkeypatch.delenv("ARENA_DB", raising=False)

    def arena(*words: str):
        monkeypatch.setattr(sys, "argv", ["arena", *words])
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = capfd.readouterr()
        return Answer(int(ended.value.code or 0), out, err)

    yield arena
    for number, handler in handlers.items():
        signal.signal(number, handler)


def refused(answer, tmp_path):
    """The lines of a refusal, after which nothing is left behind."""
    assert answer.code == 2
    assert answer.out == ""
    assert "Traceback" not in answer.err
    assert list(tmp_path.glob("*.db*")) == []
    return answer.err.splitlines()


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("--bot", "stnd", "--bot", "random"), "unknown bot 'stnd'; choices: "),
        ((*TWO, "--format", "swis"), f"--format: unknown format 'swis'; choices: {FORMATS}"),
        (
            (*TWO, "--format", "swiss(ruonds=3)"),
            "--format: ruonds: no such key, and no option of swiss; the options are ",
        ),
        ((*TWO, "--ruleset", "std"), "--ruleset: unknown pazaak ruleset 'std'; choices: console, "),
        ((*TWO, "--ruleset", "standard(flop=1)"), "--ruleset: unknown option 'flop' of ruleset"),
        (
            (*TWO, "--ruleset", "standard(max_sets=x)"),
            "--ruleset: option max_sets: expected a whole number, not 'x'",
        ),
        ((*TWO, "--ruleset", "standard("), "--ruleset: cannot read 'standard('; write NAME("),
        ((*TWO, "--games", "0"), "--games: expected a whole number >= 1, not 0"),
        ((*TWO, "--games", "x"), "--games: expected a whole number, not 'x'"),
        ((*TWO, "--rounds", "1.5"), "--rounds: expected a whole number, not '1.5'"),
        ((*TWO, "--decision-seconds", "x"), "--decision-seconds: expected a number, not 'x'"),
        ((*TWO, "--rounds", "0"), "--rounds: expected a whole number >= 1, not 0"),
        ((*TWO, "--seed", "-1"), "--seed: expected a whole number >= 0, not -1"),
        ((*TWO, "--concurrency", "0"), "--concurrency: expected a whole number >= 1, not 0"),
        (
            (*TWO, "--decision-seconds", "nan"),
            "--decision-seconds: expected a number > 0.0, not nan",
        ),
        (
            (*TWO, "--match-seconds", "inf"),
            "--match-seconds: expected a number <= 86400.0, not inf",
        ),
        ((*TWO, "--seed-by", "luck"), "--seed-by: expected entry or rating, not 'luck'"),
        ((*TWO, "--stake", "-5"), "--stake: expected a whole number >= 0, not -5"),
        (
            (*TWO, "--format", "knockout", "--rounds", "2"),
            "--rounds: knockout of 2 plays 1 rounds, not 2",
        ),
        (("--bot", "stand"), "expected at least two bots, not 1"),
        ((), "expected at least two bots, not 0"),
        (
            (*TWO, "--bot", "stand"),
            "stand is entered twice; enter one of them as 'NAME(key=value)'",
        ),
        (("--bot", "stand(at=x)", "--bot", "random"), "bot stand(at=x): at='x' does not fit"),
        (("--bot", "stand(to=3)", "--bot", "random"), "unknown parameter 'to' of bot stand(to=3)"),
        (("--bot", "none.py", "--bot", "random"), "bot file none.py cannot be read: No such"),
        (
            ("--bot", f"{HOSTILE}:Hostile", "--bot", "random", "--isolation", "trusted"),
            "bot hostile:Hostile of file",
        ),
        (
            ("--bot", f"{HOSTILE}:Nobody", "--bot", "random", "--trust", "hostile"),
            f"unknown class 'Nobody' of {HOSTILE}; choices: Faceful, Hostile",
        ),
        (
            ("--bot", f"{HOSTILE}:Hostile(how=value,when=init)", *TWO, "--trust", "hostile"),
            "bot hostile:Hostile(how=value,when=init): seventeen",
        ),
        (
            ("--bot", f"{HOSTILE}:Hostile(how=value,when=init)", *TWO),
            "bot hostile:Hostile(how=value,when=init) of file",
        ),
    ],
)
def test_a_wrong_argument_is_one_line_that_names_it(arena, tmp_path, words, problem):
    (line,) = refused(arena("tournament", "run", *words), tmp_path)
    assert line.startswith(f"arena: {problem}")


def test_a_bot_that_leaves_python_while_it_is_made_is_refused(arena, tmp_path):
    bot = f"{HOSTILE}:Hostile(how=exit,when=init)"
    (line,) = refused(
        arena("tournament", "run", *TWO, "--bot", bot, "--trust", "hostile"), tmp_path
    )
    assert line.startswith("arena: bot hostile:Hostile(how=exit,when=init)")


def test_an_unknown_game_is_named_with_the_choices(arena, tmp_path):
    (line,) = refused(arena("tournament", "run", *TWO, "--game", "chess"), tmp_path)
    assert line.startswith("arena: --game: unknown game 'chess'; choices: pazaak")


def test_an_unknown_test_is_a_problem_of_its_option(arena, tmp_path):
    (line,) = refused(arena("tournament", "run", *TWO, "--test", "foo"), tmp_path)
    assert line.startswith("arena: --test: unknown test 'foo'; choices: ")


def test_an_unknown_option_is_one_line(arena, tmp_path):
    (line,) = refused(arena("tournament", "run", *TWO, "--gmaes", "3"), tmp_path)
    assert "--gmaes" in line
    assert "--games" in line


def test_every_problem_of_a_file_is_reported_at_once_with_its_key(arena, tmp_path):
    (tmp_path / "cup.toml").write_text(
        'gmaes = 3\ngames = "x"\nrounds = 0\nformat = "swis"\n'
        'bots = ["stnd", "stand(at=", "x.py"]\n[options]\nflop = 1\n'
    )
    lines = refused(arena("tournament", "run", "cup.toml"), tmp_path)
    keys = [line.removeprefix("arena: cup.toml: ").partition(":")[0] for line in lines]
    assert keys == ["games", "rounds", "ruleset", "format", "gmaes", "bots", "bots", "bots"]


def test_bots_that_are_no_list_are_one_problem(arena, tmp_path):
    (tmp_path / "cup.toml").write_text('bots = "stand"\nformat = "swiss"\nrounds = 7\n')
    (line,) = refused(arena("tournament", "run", "cup.toml"), tmp_path)
    assert line == "arena: cup.toml: bots: expected a list, not 'stand'"


@pytest.mark.parametrize(
    ("file", "problem"),
    [
        ("none.toml", "cannot be read: No such file or directory"),
        ("bad.toml", "expected TOML: Invalid value (at end of document)"),
        (".", "cannot be read: Is a directory"),
    ],
)
def test_an_unusable_file_is_refused_with_the_reason(arena, tmp_path, file, problem):
    (tmp_path / "bad.toml").write_text("games = [")
    (line,) = refused(arena("tournament", "run", file), tmp_path)
    assert line == f"arena: {file}: {problem}"


@pytest.mark.parametrize(
    ("db", "problem"),
    [
        (
            "postgresql://127.0.0.1:1/arena",
            "cannot reach the database postgresql://127.0.0.1:1/arena",
        ),
        ("mysql://host/arena", "mysql"),
        ("sqlite:///none/arena.db", "the folder none does not exist"),
        ("sqlite:nonsense", "cannot read the database address 'sqlite:nonsense'"),
    ],
)
def test_an_unusable_database_is_refused_with_the_reason(arena, tmp_path, db, problem):
    (line,) = refused(arena("tournament", "run", *TWO, "--db", db), tmp_path)
    assert problem in line


def test_a_database_may_be_named_by_its_file_alone(arena, monkeypatch):
    assert arena("match", "random", "counter", "--games", "2", "--db", "p.db").code == 0
    monkeypatch.setenv("ARENA_DB", "p.db")
    assert "match" in arena("tournament", "list").out
    shown = arena("tournament", "show", "1")
    assert "arena replay 1.1.1.1 --db sqlite:///p.db" in shown.out


@pytest.mark.parametrize("verb", ["show", "resume"])
def test_a_tournament_that_is_not_there_leaves_no_database_behind(arena, tmp_path, verb):
    (line,) = refused(arena("tournament", verb, "3"), tmp_path)
    assert line == "arena: there is no results database at arena.db; a tournament run makes one"


def test_match_names_its_problems_too(arena, tmp_path):
    first, second = refused(arena("match", "stnd", "rndom", "--games", "2"), tmp_path)
    assert "unknown bot 'stnd'" in first
    assert "unknown bot 'rndom'" in second


def test_the_command_line_overrules_the_file(arena, tmp_path):
    (tmp_path / "quick.py").write_text(
        "from arena import Bot\nclass Quick(Bot):\n"
        "    def act(self, observation):\n        return observation.legal_actions[0]\n"
    )
    (tmp_path / "cups").mkdir()
    (tmp_path / "cups" / "cup.toml").write_text(
        'name = "cup"\ngames = "nonsense"\nseed = 3\nformat = "swiss"\n'
        'bots = ["random", "../quick.py"]\ntrust = ["../quick.py"]\n'
    )
    answer = arena(
        "tournament", "run", "cups/cup.toml", "--games", "2", "--seed", "4", "--not-mirrored",
        "--concurrency", "1", "-o", "json",
    )  # fmt: skip
    assert answer.code == 0, answer.err
    shown = answer.document["tournament"]
    assert (shown["name"], shown["format"], shown["games"]) == ("cup", "swiss", 2)
    assert (shown["seed"], shown["mirrored"], shown["matches"]) == (4, False, 2)
    assert {row["name"] for row in answer.document["standings"]} == {"random", "quick"}

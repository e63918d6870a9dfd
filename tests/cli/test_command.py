"""The installed command itself: help, exit codes, pipes, and how fast it starts."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest
from typer.main import get_command

from arena.cli.app import build
from arena.service.answers.engine import engine
from tests.cli.in_process import run_in_process
from tests.cli.tournament_runs import Answer

ARENA = Path(sys.executable).parent / "arena"
CASES = Path(__file__).parents[1] / "conformance" / "data" / "pazaak.json"
HEAVY = {"sqlmodel", "sqlalchemy", "alembic", "trio", "numpy", "gacrux"}


def run(*words: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [ARENA, *words],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **environment},
    )


def run_here(*words: str | Path, **environment: str) -> Answer:
    """Runs a command in this process."""
    texts = [str(word) for word in words]
    return Answer(*run_in_process(texts, Path.cwd(), {**os.environ, **environment}))


@pytest.mark.parametrize(
    "verb",
    ["games", "bots", "leaderboard", "replay", "check game", "check bot", "check cases",
     "new bot", "new game", "db upgrade"],
)  # fmt: skip
def test_every_verb_has_help_with_an_example(verb, tmp_path):
    words = (*verb.split(), "--help")
    code, out, _ = run_in_process(words, tmp_path, {**os.environ, "COLUMNS": "100"})
    assert code == 0
    assert f"arena {verb}" in out.split("Example", 1)[1]


def names(words, inside=()):
    """The commands of the application that is built for these words, in a group of it."""
    command = get_command(build(words))
    for name in inside:
        command = command.commands[name]
    return list(command.commands)


def test_words_that_name_a_command_build_that_one_alone():
    assert names(["leaderboard", "--help"]) == ["leaderboard"]
    assert names(["tournament", "run", "a.toml"], ["tournament"]) == ["run"]
    assert names(["tournament", "withdraw", "1"], ["tournament"]) == ["withdraw"]
    assert names(["bots", "-o", "json"]) == ["bots"]
    for inside in ([], ["tournament"], ["bots"]):
        everything = names([], inside)
        assert len(everything) > 3
        for last in ([], ["--help"], ["withdrow"]):
            assert names([*inside, *last], inside) == everything


def test_the_version_is_that_of_the_distribution():
    result = run("--version")
    assert result.returncode == 0
    assert result.stdout == f"arena {version('arena-harness')} ({engine()})\n"


def test_the_shell_completes_bots_games_and_formats():
    for words, found in (
        ("arena match co", ["counter"]),
        ("arena tournament run --format sw", ["swiss"]),
    ):
        result = run(
            _ARENA_COMPLETE="complete_bash", COMP_WORDS=words, COMP_CWORD=str(words.count(" "))
        )
        assert (result.returncode, result.stdout.split()) == (0, found)


def test_completion_loads_no_slow_module():
    code = (
        "import sys; from arena.cli.terminal.completion import *;"
        "assert dict(complete_game('p'))['pazaak'];"
        "assert list(complete_bot('')) and list(complete_format(''));"
        "print({'numpy', 'sqlalchemy', 'rich', 'trio', 'scipy'} & {*sys.modules})"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert (result.stdout, result.stderr) == ("set()\n", "")


def test_bad_input_is_one_line_and_exit_code_2(tmp_path):
    result = run_here("replay", "1", "--db", f"sqlite:///{tmp_path}/none.db")
    assert result.code == 2
    assert result.out == ""
    assert result.err.startswith("arena: there is no results database at ")
    assert result.err.count("\n") == 1


def test_a_missing_argument_comes_with_what_it_is():
    answer = run_here("match")
    assert (answer.code, answer.out, answer.err.count("\n")) == (2, "", 1)
    assert answer.err.startswith("arena: Missing argument 'A': bot, see arena bots. (see: ")


def test_a_failed_verification_is_exit_code_1_and_a_document(stored):
    good = run_here("replay", "1", "--verify", "--db", stored, "-o", "json")
    assert (good.code, good.document["verified"]) == (0, True)


def test_the_database_may_come_from_the_environment(stored):
    result = run_here("leaderboard", "-o", "json", ARENA_DB=stored)
    assert len(result.document) == 10


def test_piped_output_has_no_control_codes(stored):
    for words in (["bots"], ["games", "pazaak"], ["leaderboard", "--db", stored]):
        result = run_here(*words, TERM="xterm-256color")
        assert result.code == 0
        assert "\x1b" not in result.out + result.err


@pytest.mark.parametrize("words", [["--help"], ["check", "cases", str(CASES)]])
def test_a_quick_command_loads_nothing_heavy(words):
    code = (
        "import sys; from arena.cli.app import main; sys.argv[1:] = sys.argv[1:]\n"
        "try: main()\n"
        "except SystemExit as end: assert not end.code, end.code\n"
        "print(*sorted({name.partition('.')[0] for name in sys.modules}), file=sys.stderr)"
    )
    result = subprocess.run(
        [sys.executable, "-c", code, *words], capture_output=True, text=True, check=True
    )
    assert not HEAVY & set(result.stderr.split())


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("serve", "--port", "99999"), "--port: expected at most 65535"),
        (("serve", "--port", "x"), "--port: expected a whole number"),
        (("play", "--minutes", "x"), "--minutes: expected a number"),
        (("play", "--seat", "-1"), "--seat: expected at least 0"),
    ],
)
def test_a_wrong_number_names_its_option_and_what_is_expected(words, problem):
    answer = run_here(*words)
    assert (answer.code, answer.out) == (2, "")
    assert answer.err == f"arena: {problem} (see: arena {words[0]} --help)\n"

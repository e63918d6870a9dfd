"""Every hostile bot is a bot, and its attack succeeds without the box.

Otherwise that it fails in the box would say nothing.
"""

from __future__ import annotations

import ast
import json
import os
import runpy
import shutil
import socket
import subprocess
import sys
import tomllib
from importlib.util import find_spec

import pytest

from arena.plugins.botfile import read_bot_file
from tests.isolation.expectations import (
    COMPILED,
    EXPECTED,
    FILE_BOTS,
    PLAYS_ON,
    PROGRAMS,
    REFUSED,
    REFUSED_PROGRAMS,
)
from tests.isolation.tournaments import HERE, furnish, markers, program, remove_markers
from tests.isolation.users import PATH, SECRETS

SILENT = {
    "execs", "chatters", "closes_its_streams", "outlives", "patches_sdk", "reseeds_random",
    "rewrites_observations", "colludes_by_timing", "names_itself",
}  # fmt: skip
"""Bots that have nothing to report: what they do shows elsewhere, or nowhere."""
CLOSED_HERE_AND_THERE = {
    "opens_io_uring", "keeps_keys", "makes_namespaces", "traces", "takes_descriptors",
    "opens_kernel_doors", "asks_names", "raises_its_limits", "acts_as_root",
    "colludes_by_access_times",
}  # fmt: skip
"""Attacks that some machines stop by themselves (a container's own filter, a hardened
kernel, a user who is not root), or that take once a day (access times; the probe tries them on
files made for it)."""
CLOSED_WHEN_COMPILED = {"looks_through_frames"} if COMPILED else set()
"""Attacks that compiled code stops by itself: it has no frames of Python that could be read."""
BOTS = [name for tournament in FILE_BOTS.values() for name in tournament]
REPORTING = [name for name in BOTS if EXPECTED[name] == PLAYS_ON and name not in SILENT]


def file_of(name):
    folder = "refused" if name in REFUSED else "hostile"
    return HERE / folder / f"{name}.py"


@pytest.fixture(scope="module")
def unconfined():
    """Returns the errors of two matches of a bot without a box; ``None`` if it never ended."""
    ours, theirs = socket.socketpair()
    ours.settimeout(300)
    with theirs:
        server = subprocess.Popen(
            [sys.executable, HERE / "unconfined.py"],
            env={**os.environ, "ARENA_TEST_SECRET": SECRETS[0]},
            stdin=theirs,
            stdout=theirs,
            start_new_session=True,
        )

    def attack(bot, folder):
        furnish(folder)
        (folder / "arena.db").write_bytes(b"")
        print(json.dumps([str(folder), str(folder / "bots" / f"{bot}.py")]), file=talk, flush=True)
        last = talk.readline()
        remove_markers(folder)
        return json.loads(last) if last.startswith("[") else None

    with ours, ours.makefile("rw") as talk:
        yield attack
    server.wait()


def test_every_program_has_its_expectation():
    programs = {name for tournament in PROGRAMS.values() for name in tournament}
    found = {path.stem for path in (HERE / "programs").iterdir() if path.suffix in (".py", ".c")}
    assert found == {*programs, "player"}
    assert {path.stem for path in (HERE / "hostile").glob("*.py")} == set(BOTS)
    assert {path.stem for path in (HERE / "refused").glob("*.py")} == set(REFUSED)
    assert {path.stem for path in (HERE / "refused").glob("*.c")} == set(REFUSED_PROGRAMS)
    assert len(EXPECTED) >= 40


@pytest.mark.parametrize("name", [*BOTS, *REFUSED])
def test_each_file_has_one_bot_and_names_its_attack_and_outcome(name):
    found = read_bot_file(str(file_of(name)), None)
    assert found.class_name.lower() == name.replace("_", "")
    text = ast.get_docstring(ast.parse(file_of(name).read_text()))
    assert text
    outcomes = ("must", "plays on", "may lose", "be refused")
    assert any(outcome in text for outcome in outcomes), "its docstring names no outcome"


def constants(name, key):
    """Returns a constant of the file of a hostile bot."""
    return runpy.run_path(str(file_of(name)))[key]


def test_what_attacks_name_of_the_project_exists():
    """An attack tries several names, and succeeds by one: each has to be there to be tried."""
    # A checkout has Git's folder, another worktree a file that names it, an archive neither.
    files = [file for file in constants("reads_harness", "FILES") if ".git" not in file.parts]
    assert len(files) == 4
    assert [file for file in files if not file.is_file()] == []
    modules = constants("imports_harness", "NAMES")
    assert [name for name in modules if name != "pip" and find_spec(name) is None] == []
    beside = {path.name for path in (HERE / "hostile").iterdir()} | {"rival.py"}
    assert {*constants("reads_rivals", "NAMES")} <= beside


@pytest.mark.parametrize("name", REPORTING)
def test_without_the_box_the_attack_succeeds(unconfined, name, tmp_path):
    errors = unconfined(name, tmp_path / "folder")
    assert errors is not None
    if name in CLOSED_WHEN_COMPILED:
        assert errors == ["", ""]
    elif name not in CLOSED_HERE_AND_THERE:
        assert any("GOT: " in error for error in errors), errors


def test_without_the_box_execs_becomes_another_program(unconfined, tmp_path):
    assert unconfined("execs", tmp_path / "folder") is None


def test_the_other_leg_is_found_where_one_process_plays_both(unconfined, tmp_path):
    """The bot that looks for the other leg of its deal finds it in one process."""
    assert "GOT: the twin of a deal" in unconfined("knows_the_twin", tmp_path / "folder")[1]


def test_left_markers_are_found(tmp_path):
    shutil.copy(HERE / "rival.py", tmp_path / "arena-hostile-marker-here")
    assert markers(tmp_path) == [str(tmp_path / "arena-hostile-marker-here")]


def answers_of(command, folder):
    """The answers of a program without a box to one decision, as one text."""
    requests = [
        {"type": "hello", "protocol": 1, "game": "pazaak", "parameters": {}},
        {"type": "start", "id": 1, "match": 1, "ruleset": "standard", "seat": 0, "seats": 2,
         "seed": 1, "offer": None},
        {"type": "decide", "id": 2, "match": 1, "observation": {"legal_actions": ["end turn"]}},
    ]  # fmt: skip
    done = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, "PATH": PATH},
        input="".join(f"{json.dumps(each, separators=(',', ':'))}\n" for each in requests),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        start_new_session=True,
    )
    return done.stdout


STEALTHY = [n for n, e in PROGRAMS["programs"].items() if e == PLAYS_ON]


@pytest.mark.parametrize("name", [*STEALTHY, *REFUSED_PROGRAMS])
def test_without_the_box_the_program_succeeds(name, tmp_path):
    # Its parent is a process that exists to be attacked.
    watched = "import subprocess, sys; sys.exit(subprocess.call(sys.argv[1:]))"
    folder = program(name, tmp_path / "programs" / name)
    *interpreter, file = tomllib.loads((folder / "pyproject.toml").read_text())["tool"]["arena"][
        "bot"
    ]["command"]
    command = [*interpreter, str(folder / file)]
    answers = answers_of([sys.executable, "-c", watched, *command], tmp_path)
    remove_markers(tmp_path)
    if name == "becomes_a_shell":
        assert '"action"' not in answers
    else:
        assert "GOT: " in answers


def test_players_without_an_attack_play_on(tmp_path):
    shutil.copy(HERE / "programs" / "player.py", tmp_path)
    (tmp_path / "tame.py").write_text("from player import play\nplay()\n")
    answers = answers_of([sys.executable, "tame.py"], tmp_path).splitlines()
    assert [json.loads(line).get("id") for line in answers] == [None, 1, 2]
    assert json.loads(answers[-1])["action"] == "end turn"

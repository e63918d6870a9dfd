"""The how-to's examples run."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "howto" / "openspiel.md"
README = PAGE.parents[2] / "extensions" / "arena-openspiel" / "README.md"
BLOCK = re.compile(r"```(\w+)\n(.*?)```", re.DOTALL)
BLOCKS = BLOCK.findall(PAGE.read_text("utf-8"))


def test_the_readme_begins_with_the_commands_of_the_page():
    [install, commands] = [code for kind, code in BLOCKS if kind == "sh"]
    [(_, first)] = BLOCK.findall(README.read_text("utf-8"))
    assert first == install.replace("extensions/arena-openspiel", ".") + commands


@pytest.mark.usefixtures("installed")
def test_learners_train_on_their_games():
    [example, _] = [code for kind, code in BLOCKS if kind == "python"]
    exec(compile(example, str(PAGE), "exec"), {})


def test_our_game_there_in_ten_lines():
    [_, example] = [code for kind, code in BLOCKS if kind == "python"]
    assert len([line for line in example.splitlines() if line]) <= 10
    exec(compile(example, str(PAGE), "exec"), {})


@pytest.mark.thorough("tests of the games and bots play without processes")
def test_their_games_here_in_three_commands(spiel_site, tmp_path):
    [_, commands] = [code for kind, code in BLOCKS if kind == "sh"]
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    for line in commands.splitlines():
        done = subprocess.run(
            ["sh", "-c", line],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(spiel_site), "PATH": path},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, (line, done.stdout, done.stderr)
        assert "leduc" in done.stdout.lower() or "random" in done.stdout

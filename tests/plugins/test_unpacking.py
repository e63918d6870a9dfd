"""Unpacking of a submission into a bot that can be run: folder, modules, program."""

from __future__ import annotations

import os
import subprocess

import pytest

from arena.core.errors import BadPlugin
from arena.plugins.loading import load_bot
from arena.plugins.submissions.archives import write_files
from arena.plugins.submissions.submission import read_package
from arena.plugins.submissions.unpacking import source_of
from tests.plugins.packages import BOMB, BOT, PROGRAM, PROJECT, write


def test_a_python_bot_runs_from_its_folder_and_sees_its_own_modules(tmp_path, monkeypatch):
    code = BOT.format(extra="from helpers_of_careful import X")
    files = {"careful_bot.py": code, "helpers_of_careful.py": "X = 7\n", "random.py": ""}
    package = read_package(str(write(tmp_path / "it", files)), "careful")
    write_files(package.files, tmp_path / "out")
    source = source_of(package, tmp_path / "out", {"at": 3}, {"numpy": "/site"})
    assert source.participant.key == f"careful(at=3)@1.2+{package.content}"
    assert source.author == "Ann"
    out = str(tmp_path / "out")
    assert source.modules == {"careful_bot": out, "helpers_of_careful": out, "numpy": "/site"}
    monkeypatch.syspath_prepend(out)
    assert type(load_bot(source_of(package, tmp_path / "out"))()).__name__ == "Careful"


def test_modules_below_src_are_found_there(tmp_path):
    files = {"pyproject.toml": PROJECT, "src/careful_bot/play.py": BOMB, "tests/test_it.py": ""}
    package = read_package(str(write(tmp_path / "it", files)))
    write_files(package.files, tmp_path / "out")
    source = source_of(package, tmp_path / "out")
    assert source.modules == {"careful_bot": f"{tmp_path}/out/src"}


def test_a_program_has_absolute_paths_and_can_be_run(tmp_path):
    script = "#!/bin/sh\ncat $1\n"
    command = PROGRAM.format(command='["./run.sh", "data/x.txt", "--fast"]')
    files = {"pyproject.toml": command, "run.sh": script, "data/x.txt": "hello"}
    package = read_package(str(write(tmp_path / "it", files)))
    assert package.language == "native"
    write_files(package.files, tmp_path / "out")
    source = source_of(package, tmp_path / "out")
    out = tmp_path / "out"
    assert source.command == (f"{out}/run.sh", f"{out}/data/x.txt", "--fast")
    assert (source.kind, source.folder, source.modules) == ("program", str(out), {})
    assert subprocess.run(source.command, capture_output=True, check=True).stdout == b"hello"


def test_a_missing_interpreter_is_named(tmp_path):
    command = PROGRAM.format(command='["no-such-language", "bot.x"]')
    package = read_package(str(write(tmp_path, {"pyproject.toml": command, "bot.x": ""})))
    with pytest.raises(BadPlugin, match="needs the program 'no-such-language', which is not inst"):
        source_of(package, tmp_path)


def test_a_shim_that_would_start_another_program_is_passed_over(tmp_path, monkeypatch):
    command = PROGRAM.format(command='["interpreter", "bot.x"]')
    folder = write(tmp_path / "it", {"pyproject.toml": command, "bot.x": ""})
    write(tmp_path, {"shims/interpreter": "#!/bin/sh\nexec interpreter", "bin/interpreter": "\x7f"})
    for place in ("shims", "bin"):
        (tmp_path / place / "interpreter").chmod(0o755)
    package = read_package(str(folder))
    monkeypatch.setenv("PATH", f"{tmp_path}/shims")
    assert source_of(package, folder).command[0] == f"{tmp_path}/shims/interpreter"
    monkeypatch.setenv("PATH", f"{tmp_path}/shims{os.pathsep}{tmp_path}/bin")
    assert source_of(package, folder).command[0] == f"{tmp_path}/bin/interpreter"

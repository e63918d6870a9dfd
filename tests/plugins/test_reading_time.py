"""The text of a submission is read in time linear in its length, not quadratic."""

from __future__ import annotations

import time
from contextlib import suppress

import pytest

from arena.core.errors import BadInput, BadPlugin
from arena.plugins.submissions.submission import read_package
from tests.plugins.packages import BOT, WHEEL, wheel, write

SIZE = 60_000
MAX_CPU_SECONDS = 5.0
"""Of this process alone, so that a busy machine changes nothing; each took 20 or more before."""
ABOUT = next(name for name in WHEEL if name.endswith("METADATA"))
LISTED = ABOUT.replace("METADATA", "entry_points.txt")
PROJECT = '[project]\nname = "it"\n'


def seconds_to_read(path) -> float:
    began = time.process_time()
    with suppress(BadInput):
        read_package(str(path))
    return time.process_time() - began


@pytest.mark.parametrize(
    ("file", "text"),
    [
        (ABOUT, "Requires-Dist: x" + ";" * SIZE + "\n" + WHEEL[ABOUT]),
        (LISTED, "[arena.bots]\nit" + " " * SIZE + "x\n"),
    ],
    ids=["requirement", "entry point"],
)
def test_a_wheel_is_read_or_refused_in_time(tmp_path, file, text):
    path = wheel(tmp_path / "it-1-py3-none-any.whl", {**WHEEL, file: text})
    assert seconds_to_read(path) < MAX_CPU_SECONDS


@pytest.mark.parametrize(
    "files",
    [
        {"pyproject.toml": f'{PROJECT}dependencies = ["x{";" * SIZE}"]\n', "bot.py": BOT},
        {"pyproject.toml": "a" + ".a" * SIZE + " = 1\n", "bot.py": BOT},
        {"bot.py": BOT + "\nx = f'" + "{a}" * (4 * SIZE) + "'\n"},
    ],
    ids=["requirement", "dotted key", "f-string"],
)
def test_a_folder_is_read_or_refused_in_time(tmp_path, files):
    assert seconds_to_read(write(tmp_path / "it", files)) < MAX_CPU_SECONDS


def test_the_code_of_all_files_of_a_submission_has_one_budget(tmp_path):
    for number in range(24):
        (tmp_path / f"m{number}.py").write_text("x=[" + "1," * 30_000 + "]\n")
    began = time.process_time()
    with pytest.raises(BadPlugin, match="holds 1440120 bytes of code in 24 files, too much to"):
        read_package(str(tmp_path))
    assert time.process_time() - began < 0.5


def test_braces_of_all_files_of_a_submission_have_one_budget(tmp_path):
    for number in range(9):
        (tmp_path / f"m{number}.py").write_text('f""' + "{" * 16_000)
    with pytest.raises(BadPlugin, match="holds f-strings with many braces in 9 files"):
        read_package(str(tmp_path))

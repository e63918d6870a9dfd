"""Everyday, the suite leaves out thorough tests and says so; the full one runs them."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.architecture.lengths import ROOT

TESTS = """
import pytest

@pytest.mark.parametrize("number", [1, 2, 30])
@pytest.mark.thorough("1 is enough", everyday=["1"])
def test_cases(number):
    assert number

@pytest.mark.thorough("test_cases shows it, too")
def test_whole():
    pass
"""


def run(folder, text, *options):
    (folder / "test_it.py").write_text(text)
    command = [sys.executable, "-m", "pytest", "-p", "tests.sizes", "-p", "xdist.plugin"]
    done = subprocess.run(
        [*command, "-q", "--rootdir", folder, *options, "test_it.py"],
        cwd=folder,
        env={
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            "PYTEST_ADDOPTS": "",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout + done.stderr


@pytest.mark.parametrize("workers", ["0", "1"])
@pytest.mark.thorough("with a worker it passes both ways", everyday=["1"])
def test_thorough_tests_are_left_out_with_a_line(tmp_path, workers):
    *_, line, last = run(tmp_path, TESTS, "-n", workers).splitlines()
    assert line == "3 thorough tests left out; make test REQUIRE_ALL=1 runs them"
    assert last.startswith("1 passed")


@pytest.mark.thorough("CI runs it")
def test_the_full_suite_runs_them(tmp_path):
    shown = run(tmp_path, TESTS, "--require-all")
    assert "4 passed" in shown
    assert "left out" not in shown


@pytest.mark.thorough("CI collects whole files with every mark")
@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        ('everyday=["1"]', 'everyday=["4*"]', "test_cases: it has none of its everyday cases"),
        ('"test_cases shows it, too"', "", "test_whole: the mark thorough needs a reason"),
    ],
)
def test_a_stale_mark_is_refused(tmp_path, old, new, error):
    assert error in run(tmp_path, TESTS.replace(old, new), "--thorough")

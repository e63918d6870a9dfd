"""Case drivers that installed games bring, through the hook ``arena_case_drivers``."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from arena.plugins.registry import Registry

PLUGIN = """
from arena.core.errors import IllegalAction, UnknownName

class WhistDriver:
    expectations = ("tricks",)

    def __init__(self, case):
        if case.variant != "bid":
            raise UnknownName("whist variant", case.variant, ("bid",))
        self.tricks = case.given.get("tricks", 0)

    def take(self, step):
        if self.tricks == 13:
            raise IllegalAction("all tricks are taken")
        self.tricks += 1

    def snapshot(self):
        return self.tricks

    def actual(self, key):
        return self.tricks

    def normalized(self, key, expected):
        return expected

def arena_case_drivers():
    return [("whist", WhistDriver)]
"""
CASE = {"id": "W-1", "game": "whist", "variant": "bid", "when": [{"do": "trick"}]}
CASES = [
    {**CASE, "expect": {"tricks": 1}},
    {**CASE, "id": "W-2", "given": {"tricks": 13}, "expect": {"illegal_step": 0, "tricks": 13}},
    {**CASE, "id": "W-3", "expect": {"tricks": 2}},
    {**CASE, "id": "W-4", "variant": "nullo"},
    {**CASE, "id": "W-5", "game": "bridge"},
]


def install_plugin(install, name: str, code: str) -> Path:
    module = name.replace("-", "_")
    return install(name, {"arena": {"cases": module}}, {f"{module}.py": code})


def check_cases(site: Path, folder: Path, cases: list[object]) -> subprocess.CompletedProcess[str]:
    (folder / "cases.json").write_text(json.dumps(cases))
    return subprocess.run(
        [Path(sys.executable).with_name("arena"), "check", "cases", "cases.json"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(site)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_command_runs_the_cases_of_an_installed_game(install, tmp_path):
    site = install_plugin(install, "arena-game-whist", PLUGIN)
    done = check_cases(site, tmp_path, CASES)
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.splitlines() == [
        "FAILED W-3: tricks is 1, not 2",
        '  expected {"tricks":2}',
        '  actual   {"tricks":1}',
        "FAILED W-4: unknown whist variant 'nullo'; choices: bid",
        "  expected {}",
        "  actual   {}",
        "FAILED W-5: unknown game 'bridge'; choices: pazaak, pazaak-career, sabacc, whist",
        "  expected {}",
        "  actual   {}",
        "2 passed, 3 failed",
    ]


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ("[('pazaak', print)]", "there is a case driver of 'pazaak' already"),
        ("['whist']", "arena_case_drivers gave 'whist', expected a pair of"),
        ("[('whist', 7)]", "arena_case_drivers gave ('whist', 7), expected a pair of"),
        ("[(1, print)]", "arena_case_drivers gave (1, <built-in function print>), expected"),
        ("1 / 0", "failed in arena_case_drivers: ZeroDivisionError"),
    ],
)
def test_a_wrong_case_driver_is_a_problem_and_left_out(install, given, why):
    code = (
        PLUGIN[: PLUGIN.index("def arena_case")]
        + f"def arena_case_drivers():\n    return {given}\n"
    )
    install_plugin(install, "arena-game-wrong", code)
    registry = Registry()
    assert [*registry.case_drivers()] == ["pazaak-career", "pazaak", "sabacc"]
    (problem,) = registry.problems()
    assert why in problem
    assert "arena-game-wrong 1.0" in problem


def test_the_command_warns_of_a_wrong_case_driver_and_goes_on(install, tmp_path):
    code = PLUGIN.replace("WhistDriver)]", "'none')]")
    done = check_cases(install_plugin(install, "arena-game-wrong", code), tmp_path, [])
    assert (done.returncode, done.stdout) == (0, "0 passed, 0 failed\n")
    assert done.stderr.startswith("warning: entry 'cases' of distribution arena-game-wrong 1.0: ")
    assert done.stderr.count("\n") == 1

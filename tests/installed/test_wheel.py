"""The wheel, installed into an empty environment far from the checkout, is the whole program."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.results.database_files import migrate

ROOT = Path(__file__).parents[2]
OURS = ("arena_", "_arena_", "__editable__")
PIP = ["--quiet", "--disable-pip-version-check", "--no-deps", "--no-build-isolation", "--no-index"]


class Installed(NamedTuple):
    """An environment with the wheel, and an empty folder to work in."""

    environment: Path
    folder: Path

    def run(self, program: str, *words: str | Path, code: int = 0) -> str:
        """Runs a program of the environment with what a fresh shell has; its output."""
        kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
        done = subprocess.run(
            [self.environment / "bin" / program, *words],
            cwd=self.folder,
            env={**kept, "HOME": str(self.folder), "PYTHONWARNINGS": "error"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout + done.stderr

    def install(self, project: Path) -> None:
        pip = [sys.executable, "-m", "pip", "--python", self.environment / "bin" / "python"]
        subprocess.run([*pip, "install", *PIP, project], check=True)


@pytest.fixture(scope="module")
def installed(tmp_path_factory) -> Installed:
    place = tmp_path_factory.mktemp("installed")
    environment, dependencies = place / "venv", place / "dependencies"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True)
    dependencies.mkdir()
    for path in Path(sysconfig.get_path("purelib")).iterdir():
        if not path.name.startswith(OURS) and path.suffix != ".pth":
            (dependencies / path.name).symlink_to(path)
    (packages,) = environment.glob("lib/python*/site-packages")
    (packages / "dependencies.pth").write_text(f"{dependencies}\n")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", place / "dist"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    (wheel,) = (place / "dist").glob("*.whl")
    made = Installed(environment, place / "work")
    made.folder.mkdir()
    made.install(wheel)
    return made


def test_every_package_is_imported_from_the_wheel(installed):
    code = (
        "import arena, arena_bots, arena_results, arena_tournaments as t;"
        "print(*{m.__file__ for m in (arena, arena_bots, arena_results, t)}, sep='\\n')"
    )
    files = installed.run("python", "-c", code).splitlines()
    assert len(files) == 4
    assert all(Path(file).is_relative_to(installed.environment) for file in files)


def test_an_example_package_plays_a_tournament_that_is_kept_and_replayed(installed):
    installed.install(ROOT / "examples" / "arena-bot-cautious")
    assert "cautious" in installed.run("arena", "bots")
    spec = "examples/tournaments/round_robin.toml"
    shutil.copytree(ROOT / "examples", installed.folder / "examples")
    words = ("--db", "sqlite:///demo.db", "--games", "2")
    out = installed.run("arena", "tournament", "run", spec, *words, "-o", "json")
    document = json.loads(out[out.index("{") : out.rindex("}") + 1])
    assert document["tournament"]["status"] == "finished"
    assert "cautious" in installed.run("arena", "leaderboard", *words[:2])
    assert "wins" in installed.run("arena", "replay", "1.1.1.1", *words[:2])


def test_an_example_program_is_submitted_and_qualified(installed):
    program = ROOT / "examples" / "bots" / "no_sdk"
    url = "sqlite:///submitted.db"
    installed.run("arena", "submit", program, "--game", "pazaak", "--db", url)
    assert "no-sdk" in installed.run("arena", "bots", "list", "--db", url)


def test_a_database_of_the_first_schema_is_upgraded(installed):
    migrate(installed.folder / "old.db", "0001")
    url = "sqlite:///old.db"
    assert "older schema" in installed.run("arena", "tournament", "list", "--db", url, code=2)
    installed.run("arena", "db", "upgrade", "--db", url)
    installed.run("arena", "tournament", "list", "--db", url)


def test_a_new_bot_passes_its_own_tests(installed):
    installed.run("arena", "new", "bot", "sharp")
    installed.run("python", "-m", "pytest", "-q", "-p", "no:cacheprovider", "sharp")


def test_a_new_game_passes_its_own_tests(installed):
    installed.run("arena", "new", "game", "tiny")
    installed.install(installed.folder / "tiny")
    installed.run("python", "-m", "pytest", "-q", "-p", "no:cacheprovider", "tiny")

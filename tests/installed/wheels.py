"""Environments far from the checkout, into which its wheel is installed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import tomllib
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import NamedTuple

import hatch_build

ROOT = Path(__file__).parents[2]
OURS = ("arena_", "_arena_", "__editable__")
PIP = ["--quiet", "--disable-pip-version-check", "--no-deps", "--no-build-isolation", "--no-index"]


class Installed(NamedTuple):
    """An environment with the wheel, and an empty folder to work in."""

    environment: Path
    folder: Path

    def start(self, program: str, *words: str | Path) -> subprocess.Popen[str]:
        """Starts a program of the environment with what a fresh shell has."""
        kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
        return subprocess.Popen(
            [
                shutil.which(program, path=f"{self.environment / 'bin'}:{os.environ['PATH']}"),
                *words,
            ],
            cwd=self.folder,
            env={**kept, "HOME": str(self.folder), "PYTHONWARNINGS": "error"},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, program: str, *words: str | Path, code: int = 0) -> str:
        """Runs a program of the environment to its end; its output."""
        with self.start(program, *words) as process:
            out, err = process.communicate()
        assert process.returncode == code, out + err
        return out + err

    def install(self, project: Path) -> None:
        pip = [sys.executable, "-m", "pip", "--python", self.environment / "bin" / "python"]
        subprocess.run([*pip, "install", *PIP, project], check=True)


def install_wheel(place: Path, wheel: Path | None = None) -> Installed:
    """Installs a wheel into an environment of its own there; by default builds the checkout's."""
    environment, dependencies = place / "venv", place / "dependencies"
    packages = _new_environment(environment)
    dependencies.mkdir()
    for path in Path(sysconfig.get_path("purelib")).iterdir():
        if not path.name.startswith(OURS) and path.suffix != ".pth":
            (dependencies / path.name).symlink_to(path)
    (packages / "dependencies.pth").write_text(f"{dependencies}\n")
    made = Installed(environment, place / "work")
    made.folder.mkdir()
    made.install(wheel or build_wheel(place))
    return made


def build_wheel(place: Path, *, compiled: bool = False) -> Path:
    """Builds the wheel of the checkout there, in an environment of what a build requires."""
    with tempfile.TemporaryDirectory() as builder:
        subprocess.run(
            [
                *(build_environment(Path(builder)), "-m", "hatchling", "build"),
                *("-t", "wheel", "-d", place),
            ],
            cwd=ROOT,
            env={**os.environ, "ARENA_COMPILE": str(int(compiled))},
            capture_output=True,
            check=True,
        )
    (wheel,) = place.glob("*.whl")
    return wheel


def build_environment(place: Path) -> Path:
    """Makes an environment of what a build requires alone, as pip does; returns its Python."""
    packages = _new_environment(place)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    wanted = [*project["build-system"]["requires"], *hatch_build.NEEDED]
    linked: set[str] = set()
    for requirement in wanted:
        with suppress(PackageNotFoundError):  # what another system or Python needs
            found = distribution(re.split(r"[^\w.-]", requirement)[0])
            if found.name in linked:
                continue
            linked.add(found.name)
            wanted += [each for each in found.requires or () if "extra ==" not in each]
            for name in {path.parts[0] for path in found.files or ()} - {"..", "__pycache__"}:
                (packages / name).symlink_to(Path(str(found.locate_file(name))))
    return place / "bin" / "python"


def _new_environment(place: Path) -> Path:
    """Makes an environment without pip; returns its folder of packages."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", place], check=True)
    (packages,) = place.glob("lib/python*/site-packages")
    return packages

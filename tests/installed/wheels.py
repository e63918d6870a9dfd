"""Environments far from the checkout, into which its wheel is installed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import NamedTuple

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


def install_wheel(place: Path, *, compiled: bool = False) -> Installed:
    """Builds the wheel of the checkout and installs it into an environment of its own there."""
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
        env={**os.environ, "ARENA_COMPILE": str(int(compiled))},
        capture_output=True,
        check=True,
    )
    (wheel,) = (place / "dist").glob("*.whl")
    made = Installed(environment, place / "work")
    made.folder.mkdir()
    made.install(wheel)
    return made

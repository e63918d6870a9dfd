"""Runs pytest as an author does: a folder of files, and the plugin found by its entry point."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

OTHER_PLUGINS = ("trio", "hypothesispytest", "xdist", "xdist.looponfail", "anyio", "platformdirs")
"""The plugins of our own tests, which an author need not have; to import them takes 0.4 s."""
PYTEST = (
    *(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"),
    *(word for name in OTHER_PLUGINS for word in ("-p", f"no:{name}")),
)
"""The command that runs an author's tests."""


class Ran(NamedTuple):
    """Exit code, output and counts of a run of pytest."""

    code: int
    out: str


def run_pytest(folder: Path, *options: str) -> Ran:
    done = subprocess.run(
        [*PYTEST, *options],
        cwd=folder,
        env={**os.environ, "PYTHONWARNINGS": "error"},
        capture_output=True,
        text=True,
        check=False,
    )
    return Ran(done.returncode, done.stdout + done.stderr)

"""Runs pytest as an author does: a folder of files, and the plugin found by its entry point."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple


class Ran(NamedTuple):
    """Exit code, output and counts of a run of pytest."""

    code: int
    out: str


def run_pytest(folder: Path, *options: str) -> Ran:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options]
    done = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, "PYTHONWARNINGS": "error"},
        capture_output=True,
        text=True,
        check=False,
    )
    return Ran(done.returncode, done.stdout + done.stderr)

"""The extension as an installed distribution."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZipFile

EXTENSION = Path(__file__).parents[2] / "extensions" / "arena-openspiel"


def installed(target: Path) -> Path:
    """Installs the extension into a folder, which it makes; returns the folder."""
    with TemporaryDirectory() as wheels:
        build = f"from hatchling.build import build_wheel; build_wheel({wheels!r})"
        subprocess.run(
            [sys.executable, "-c", build], cwd=EXTENSION, stdout=subprocess.DEVNULL, check=True
        )
        [wheel] = Path(wheels).iterdir()
        with ZipFile(wheel) as packed:
            packed.extractall(target)
    return target

"""Distributions as they are when installed, written into folders."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZipFile

EXTENSIONS = Path(__file__).parents[2] / "extensions"


def install_extension(name: str, target: Path) -> Path:
    """Installs one of our extensions into a folder, which it makes; returns the folder."""
    with TemporaryDirectory() as wheels:
        build = f"from hatchling.build import build_wheel; build_wheel({wheels!r})"
        subprocess.run(
            [sys.executable, "-c", build],
            cwd=EXTENSIONS / name,
            stdout=subprocess.DEVNULL,
            check=True,
        )
        [wheel] = Path(wheels).iterdir()
        with ZipFile(wheel) as packed:
            packed.extractall(target)
    return target


def put_distribution(
    folder: Path,
    name: str,
    entries: Mapping[str, Mapping[str, str]],
    files: Mapping[str, str],
    version: str = "1.0",
) -> None:
    """Writes a distribution into a folder of the path: its entry points by group, and its files."""
    about = folder / f"{name.replace('-', '_')}-{version}.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\nSummary: About {name}\n"
    )
    lines = []
    for group, rows in entries.items():
        lines += [f"[{group}]", *(f"{key} = {value}" for key, value in rows.items())]
    (about / "entry_points.txt").write_text("\n".join(lines) + "\n")
    for file, text in files.items():
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_text(text)
    listed = [str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()]
    (about / "RECORD").write_text("".join(f"{path},,\n" for path in listed))

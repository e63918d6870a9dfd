"""Makes a copy of the tree in ``.compiled`` with the hot path compiled: ``make test COMPILED=1``.

The sources of the checkout are never shadowed: nothing imports the copy but its own environment,
and every start makes it anew from the files that are there. The compiled modules come from a
wheel, which is kept for as long as no source of ``arena`` changes. The environment has the files of
the one that runs this.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from zipfile import ZipFile

import hatch_build
from tests.installed.wheels import PIP, build_wheel

ROOT = Path(__file__).parents[1]
COPY = ROOT / ".compiled"
MADE = COPY / ".made"
PACKAGED = ("arena", "bots", "results", "tournaments", "pyproject.toml", "README.md", "LICENSE")
"""A wheel is built from these, besides what the compiled modules depend on."""
KEPT = (".venv", ".made")
"""Parts that a new copy leaves: its environment, and what was compiled."""
LEFT_OUT = (
    *(
        ".git",
        ".compiled",
        ".venv*",
        ".*_cache",
        ".hypothesis",
        ".fuzz",
        "__pycache__",
        "*.egg-info",
    ),
    *("_build", "build", "dist", "screenshots", "arena.db*", "demo.db*", "*.so"),
)


def modules() -> str:
    """Returns a digest of all that the compiled modules depend on."""
    return _digest(ROOT.glob("arena/**/*.py"))


def sources() -> str:
    """Returns a digest of all that a compiled wheel depends on."""
    files = (each for name in PACKAGED for each in (ROOT / name, *ROOT.glob(f"{name}/**/*")))
    return _digest(
        path
        for path in files
        if path.is_file() and "__pycache__" not in path.parts and path.suffix != ".so"
    )


def _digest(files: Iterable[Path]) -> str:
    found = sha256(f"{sys.version} {sysconfig.get_platform()}".encode())
    for path in (ROOT / "hatch_build.py", ROOT / "requirements.lock", *sorted(files)):
        found.update(f"{path.relative_to(ROOT)} ".encode() + sha256(path.read_bytes()).digest())
    return found.hexdigest()


def kept_wheel() -> Path | None:
    """Returns the compiled wheel of the checkout as it is, if it was built here before."""
    note = MADE / "sources"
    if not note.is_file() or note.read_text() != sources():
        return None
    return next(MADE.glob("*.whl"), None)


def compiled() -> None:
    """Builds a compiled wheel and takes its modules, unless they are those of the sources."""
    wanted, note = modules(), MADE / "modules"
    if note.is_file() and note.read_text() == wanted:
        return
    shutil.rmtree(MADE, ignore_errors=True)
    MADE.mkdir(parents=True)
    (MADE / "sources").write_text(sources())
    wheel = build_wheel(MADE, compiled=True)
    with ZipFile(wheel) as packed:
        packed.extractall(MADE, (each for each in packed.namelist() if each.endswith(".so")))
    note.write_text(wanted)


def environment() -> None:
    """Makes the environment of the copy: links to the files of this one, and the copy installed.

    It is made anew after this one was.
    """
    here, there = Path(sys.prefix), COPY / ".venv"
    ready, new = there / "ready", here / "ready"
    if ready.is_file() and ready.stat().st_mtime >= new.stat().st_mtime:
        return
    shutil.rmtree(there, ignore_errors=True)
    # Other processes write bytecode meanwhile, under such names first.
    passing = shutil.ignore_patterns("*.pyc.*", "ready")
    shutil.copytree(here, there, symlinks=True, copy_function=_link, ignore=passing)
    for path in there.glob("bin/*"):
        if not path.is_symlink() and str(here).encode() in path.read_bytes():
            text, mode = path.read_text().replace(str(here), str(there)), path.stat().st_mode
            path.unlink()  # it is the file of the other environment, too
            path.write_text(text)
            path.chmod(mode)
    subprocess.run([there / "bin" / "python", "-m", "pip", "install", *PIP, "-e", COPY], check=True)
    shutil.copy2(new, ready)


def _link(source: str, target: str) -> None:
    """Links a file, or copies it where the file system has no such links."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


def main() -> None:
    if reason := hatch_build.obstacle():
        sys.exit(f"Arena cannot be compiled here: {reason}")
    if "--possible" in sys.argv:
        return
    COPY.mkdir(exist_ok=True)
    compiled()
    for path in COPY.iterdir():
        if path.name in KEPT:
            continue
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()
    shutil.copytree(
        ROOT, COPY, symlinks=True, dirs_exist_ok=True, ignore=shutil.ignore_patterns(*LEFT_OUT)
    )
    for path in MADE.rglob("*.so"):
        shutil.copy2(path, COPY / path.relative_to(MADE))
    environment()


if __name__ == "__main__":
    main()

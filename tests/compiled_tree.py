"""Makes a copy of the tree in ``.compiled`` with the hot path compiled: ``make test COMPILED=1``.

The sources of the checkout are never shadowed: nothing imports the copy but its own environment,
and every start makes it anew from the files that are there. What was compiled is kept for as long
as no source of ``arena`` changes.
"""

from __future__ import annotations

import shutil
import sys
import sysconfig
import tempfile
from hashlib import sha256
from pathlib import Path

import hatch_build

ROOT = Path(__file__).parents[1]
COPY = ROOT / ".compiled"
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


def digest() -> str:
    """A digest of all that the compiled modules depend on."""
    found = sha256(f"{sys.version} {sysconfig.get_platform()}".encode())
    for path in (ROOT / "hatch_build.py", ROOT / "requirements.lock", *ROOT.glob("arena/**/*.py")):
        found.update(f"{path.relative_to(ROOT)} ".encode() + sha256(path.read_bytes()).digest())
    return found.hexdigest()


def compiled(folder: Path) -> None:
    """Compiles into that folder, unless it was compiled from the same sources."""
    wanted, note = digest(), folder / "digest"
    if note.is_file() and note.read_text() == wanted:
        return
    shutil.rmtree(folder, ignore_errors=True)
    with tempfile.TemporaryDirectory() as work:
        for file, name in hatch_build.compile_modules(ROOT, Path(work)).items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(file, folder / name)
    note.write_text(wanted)


def main() -> None:
    if reason := hatch_build.obstacle():
        sys.exit(f"Arena cannot be compiled here: {reason}")
    if "--possible" in sys.argv:
        return
    COPY.mkdir(exist_ok=True)
    compiled(COPY / ".made")
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
    for path in (COPY / ".made").rglob("*.so"):
        shutil.copy2(path, COPY / path.relative_to(COPY / ".made"))


if __name__ == "__main__":
    main()

"""Breaks places, by the name of a failure."""

from __future__ import annotations

import itertools
import os
import signal
import sys
from pathlib import Path

SPEEDS = {"slow": 0.3, "quick": 1.0}
_CHUNKS = itertools.count(1)


def break_place(how: str, cache: Path) -> None:
    """Breaks a place's process before it has its matches."""
    import arena.host.cargo
    import arena.host.place
    from arena.host.box.probing.probe import ProbeReport

    if how == "engine":
        here = arena.host.cargo.engine_of
        arena.host.cargo.engine_of = lambda game: here(game) | {"game": f"{game} 99"}
    if how == "archive":
        packed = arena.host.cargo.zip_files
        arena.host.cargo.zip_files = lambda *of: packed(*of) | {"more.py": b"surprise = 1"}
    if how == "cache":
        for folder in cache.iterdir():
            next(folder.rglob("*.py")).write_text("surprise = 1")
    if how == "level":
        arena.host.place.probe = lambda level: ProbeReport(level, failure="no Landlock")
    if how in SPEEDS:
        arena.host.place.speed_in_new_process = lambda: SPEEDS[how]


def before_play(how: str, matches: list[str]) -> str:
    """Does harm before a chunk is played; returns why the place fails, if it does."""
    number = next(_CHUNKS)
    if how == "fails":
        return "the disk is full"
    if how == "slot" and number in (3, 6):
        for child in _children():
            os.kill(child, signal.SIGKILL)
    if how.startswith("dies-at-") and how.removeprefix("dies-at-") in matches:
        os._exit(9)
    if how.startswith("dies-once-") and how.removeprefix("dies-once-") in matches:
        mark = Path(sys.argv[2]) / ".died"
        if not mark.exists():
            mark.touch()
            os._exit(9)
    return ""


def _children() -> list[int]:
    """The worker processes of this process."""
    tasks = Path("/proc/self/task").iterdir()
    return [int(each) for task in tasks for each in (task / "children").read_text().split()]

"""Finds out which processes hold a database's lock, to name them in an error."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

from arena.core.text.printable import printable_line
from arena_results.file.place import MAX_LENGTH


def holders(path: Path) -> list[str]:
    """Names the processes that keep others from writing a file, as ``process 12 (arena match)``.

    The lock may be on the shared memory next to its file. Empty where the system does not show
    them.
    """
    files = {_number(Path(f"{path}{suffix}")) for suffix in ("", "-shm")} - {None}
    pids = {pid for pid, file in _write_locks() if file in files}
    return [f"process {pid}{_command(pid)}" for pid in sorted(pids)]


def _write_locks() -> Iterator[tuple[int, tuple[int, int, int]]]:
    """Yields every lock for writing on this system, as Linux lists them: its process and file."""
    try:
        lines = Path("/proc/locks").read_text().splitlines()
    except OSError:
        return
    for line in lines:
        fields = line.split()
        if fields[1] == "->" or fields[3] != "WRITE" or int(fields[4]) <= 0:
            continue  # somebody who waits; somebody who reads; no process of ours to see
        major, minor, inode = fields[5].split(":")
        yield int(fields[4]), (int(major, 16), int(minor, 16), int(inode))


def _number(path: Path) -> tuple[int, int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return os.major(found.st_dev), os.minor(found.st_dev), found.st_ino


def _command(pid: int) -> str:
    try:
        words = Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").strip()
    except OSError:
        return ""
    text = printable_line(words.decode(errors="replace"), MAX_LENGTH)
    return f" ({text})" if text else ""


def own_command() -> str:
    """Returns the command of this process, as others are told."""
    program, *arguments = sys.argv or [""]
    return printable_line(" ".join([Path(program).name, *arguments]), MAX_LENGTH)

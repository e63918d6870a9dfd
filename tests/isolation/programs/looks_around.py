"""Reads what is not its own: users, processes, the database, rivals, the environment. It plays on.

What it may know of the machine is where it lies itself.
"""

import os
from pathlib import Path

from player import got, play

HERE = Path(__file__).resolve().parent
FILES = (
    "/etc/passwd", "/proc/1/environ", "/proc/cpuinfo", f"/proc/{os.getppid()}/cmdline",
    HERE.parent, HERE.parent.parent, "/tmp", "/", "/home",
)  # fmt: skip


def found():
    if set(os.environ) & {"ARENA_TEST_SECRET", "ARENA_DB", "HOME", "USER", "PYTHONPATH"}:
        return "the environment"
    for file in FILES:
        try:
            names = os.listdir(file) if Path(file).is_dir() else Path(file).read_bytes()
        except OSError:
            continue
        return f"{len(names)} of {file}"
    return None


play(lambda message: got(message, found()))

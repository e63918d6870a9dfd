"""Folders for one run: gone with it, and with the next one if it was killed."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_PREFIX = "arena-run-"


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """An empty folder that only this user may enter.

    Runs that were killed could not remove theirs: whatever is left of processes that are no more
    is removed first.
    """
    _sweep(Path(tempfile.gettempdir()))
    with tempfile.TemporaryDirectory(prefix=f"{_PREFIX}{os.getpid()}-") as folder:
        yield Path(folder)


def _sweep(temporary: Path) -> None:
    for folder in temporary.glob(f"{_PREFIX}*-*"):
        process = folder.name.removeprefix(_PREFIX).partition("-")[0]
        try:
            mine = folder.lstat().st_uid == os.getuid()
            if not mine or not process.isdecimal() or _runs(int(process)):
                continue
        except OSError:
            continue
        shutil.rmtree(folder, ignore_errors=True)


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True

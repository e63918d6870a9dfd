"""Shortens inputs that fail, so that they show what they fail at."""

from __future__ import annotations

import traceback
from collections.abc import Callable

from tests.fuzz.fuzzing import Run, Target

TRIES = 3_000
"""Most inputs that are tried."""


def failure(target: Target, run: Run, data: bytes) -> object:
    """Returns the kind and the place of what a target raises that it may not; else ``None``."""
    try:
        target.accepts(run, data)
    except BaseException as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        return type(error), last.filename, last.lineno
    return None


def shortened(data: bytes, fails: Callable[[bytes], bool]) -> bytes:
    """Leaves out spans of an input, the longest first, as long as it still fails."""
    left, size = TRIES, len(data)
    while size := size // 2:
        at = 0
        while at < len(data) and left:
            left -= 1
            shorter = data[:at] + data[at + size :]
            if fails(shorter):
                data = shorter
            else:
                at += size
    return data

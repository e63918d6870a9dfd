"""Finds out what runs matches here: compiled code or not, and on how many cores."""

from __future__ import annotations

import os
from importlib.util import find_spec

_HOT = "arena.match.play"
"""One module for all: a wheel has compiled all that ``hatch_build.py`` lists, or nothing."""


def engine() -> str:
    """Returns ``"compiled"`` or ``"interpreted"``; loads nothing of the hot path."""
    spec = find_spec(_HOT)
    source = spec is not None and (spec.origin or "").endswith(".py")
    return "interpreted" if source else "compiled"


def cores() -> int:
    """Returns the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1

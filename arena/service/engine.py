"""Finds out whether the hot path runs compiled: its source is the same either way."""

from __future__ import annotations

from importlib.util import find_spec

_HOT = "arena.match.play"
"""One module for all: a wheel has compiled all that ``hatch_build.py`` lists, or nothing."""


def engine() -> str:
    """Returns ``"compiled"`` or ``"interpreted"``; loads nothing of the hot path."""
    spec = find_spec(_HOT)
    source = spec is not None and (spec.origin or "").endswith(".py")
    return "interpreted" if source else "compiled"

"""Options of rating systems as people give them: in brackets, or beside the system's name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import isfinite
from typing import Any, Literal, get_args, get_origin

import msgspec

from arena.core.errors import BadInput, UnknownName
from arena.core.options import Row, checked
from arena.core.text.parsing import Value
from arena.core.tournaments.rating import RatingSystem
from arena.plugins.options import either, option

_BESIDE = {
    "anchor": ("anchors", "arena rate --anchor NAME=RATING"),
    "before": ("before", "arena rate --before FILE"),
}
"""The keys that callers give besides options: what a system has to take, and how to give it."""


def with_options(
    system: RatingSystem, in_brackets: Mapping[str, Value], beside: Mapping[str, Value]
) -> RatingSystem:
    """Returns a system with the options that were given, if there are any.

    Args:
        in_brackets: Those of a name such as ``elo(k=8)``.
        beside: Those that were given as options of the command line or of a call.

    Raises:
        BadInput: It has no such option, or cannot take its value.
    """
    rows = system.options()
    values: dict[str, Any] = {}
    for given, written in ((in_brackets, str), (beside, option)):
        for key, value in given.items():
            if key not in rows:
                raise unused(system, key) if given is beside else _unknown(system, key)
            values[key] = checked_value(key, value, rows[key], written)
    return system.configured(values) if values else system


def unused(system: RatingSystem, key: str) -> BadInput:
    """Returns the error about an option that a rating system has no use for."""
    beside = [each for each, (taken, _) in _BESIDE.items() if taken in system.takes]
    listed = ", ".join(map(option, (*system.options(), *beside)))
    return _no_use(system, option(key), listed)


def _unknown(system: RatingSystem, key: str) -> BadInput:
    """Returns the error about a key in brackets that is no option of the system."""
    taken, command = _BESIDE.get(key, ("", ""))
    if taken in system.takes:
        use = either(command, f"arena.stats.rate(..., {option(key, ...)})")
        return BadInput(f"{key}: no option in brackets of rating system {system.name}; use {use}")
    return _no_use(system, key, ", ".join(system.options()))


def _no_use(system: RatingSystem, key: str, listed: str) -> BadInput:
    takes = listed or "no options"
    return BadInput(f"{key}: not available for rating system {system.name}, which takes {takes}")


def checked_value(key: str, value: Value, row: Row, written: Callable[[str], str] = str) -> object:
    """Returns the value of an option; raises ``BadInput`` for one that it cannot take.

    Args:
        written: Returns the key as it stands in errors.
    """
    parts = _parts(row.takes)
    for part in parts:
        if get_origin(part) is Literal and value not in get_args(part):
            raise UnknownName(key, str(value), get_args(part))
    problems: list[str] = []
    found = checked({key: value}, problems, {key: row}).get(key)
    if not problems and (not isinstance(found, float) or isfinite(found)):
        return found
    problem = problems[0].removeprefix(f"{key}: ") if problems else ""
    if row.plain in (int, float):
        bounds = [part for part in parts if isinstance(part, msgspec.Meta)]
        number = "a whole number" if row.plain is int else "a number"
        problem = f"expected {number}{_limits(bounds[0]) if bounds else ''}, not {value!r:.40}"
    raise BadInput(f"{written(key)}: {problem}")


def _limits(bounds: msgspec.Meta) -> str:
    ends = {" from": bounds.ge, " above": bounds.gt, " to": bounds.le, " below": bounds.lt}
    return "".join(f"{word} {end:g}" for word, end in ends.items() if end is not None)


def _parts(takes: object) -> list[object]:
    """Returns an annotation, and all that it is made of."""
    if get_origin(takes) is Literal:
        return [takes]
    return [takes, *(part for each in get_args(takes) for part in _parts(each))]

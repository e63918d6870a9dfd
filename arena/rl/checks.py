"""Checks of what environments are asked for, so that a mistake is one line."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import partial
from typing import Any, ParamSpec, TypeVar

from arena.core.chance.seeding import MAX_SEED
from arena.core.errors import BadInput, UnknownName
from arena.plugins.options import in_python, options_spelled
from arena.service.answers.arguments import checked

P = ParamSpec("P")
T = TypeVar("T")


def public(function: Callable[P, T]) -> Callable[P, T]:
    """Makes a function one that users call: its arguments are checked, and errors speak Python."""
    return checked(function, partial(options_spelled, in_python))


def choice(render_mode: str | None) -> str | None:
    """Returns the mode of rendering; raises ``UnknownName`` for one that there is not."""
    if render_mode not in (None, "ansi"):
        raise UnknownName("render_mode", str(render_mode), ["ansi"])
    return render_mode


def check_known(options: Mapping[str, Any] | None, known: Collection[str]) -> None:
    """Raises ``UnknownName`` for an option of ``reset`` that there is not."""
    for name in options or ():
        if name not in known:
            raise UnknownName("option of reset", str(name), known)


def option(options: Mapping[str, Any] | None, name: str, most: int = MAX_SEED) -> int | None:
    """Returns an option of ``reset``, a whole number from 0; ``None`` if it is not given.

    Args:
        options: The options of ``reset``.
        name: The option that is read.
        most: The most that it may be.

    Raises:
        BadInput: It is not a number in that range.
    """
    value = (options or {}).get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not hasattr(value, "__index__") or not 0 <= int(value) <= most:
        raise BadInput(f"reset: option {name} is a whole number from 0 to {most}, not {value!r}")
    return int(value)

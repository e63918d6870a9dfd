"""Options that an error advises, written as whoever made the call writes them.

A message is made far below the face that shows it: where it names an option, ``option`` writes it
as the face in charge does. The command line and the functions of the Python API take charge of
their calls. Methods of values that both get (a match, its replay) speak Python where no face has
taken charge; all else, such as a process of its own, speaks as the command line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from types import EllipsisType
from typing import TypeAlias

Given: TypeAlias = str | bool | Sequence[str] | EllipsisType | None
"""The value of an option: ``...`` for one to be chosen, ``None`` for the option's name only."""
Spelling: TypeAlias = Callable[[str, Given], str]
"""Spells an option by the key it belongs to."""


def on_the_command_line(key: str, value: Given = None) -> str:
    """Spells an option as on the command line: ``--trust NAME``, ``--force``."""
    flag = f"--{key.replace('_', '-')}"
    if value is None or isinstance(value, bool | EllipsisType):
        return flag
    words = [value] if isinstance(value, str) else value
    return " ".join([flag, *(word or "''" for word in words)])


def in_python(key: str, value: Given = None) -> str:
    """Spells an option as in a call: ``trust=['NAME']``, ``force=True``; alone by its name."""
    if value is None:
        return key
    return f"{key}={'...' if value is ... else repr(value)}"


_SPELLING: ContextVar[Spelling | None] = ContextVar("spelling", default=None)


def option(key: str, value: Given = None) -> str:
    """Spells an option for the message of an error."""
    return (_SPELLING.get() or on_the_command_line)(key, value)


def either(command: str, call: str) -> str:
    """The one of two strings that the face in charge understands: of commands, or of Python."""
    return call if _SPELLING.get() is in_python else command


@contextmanager
def options_spelled(spelling: Spelling) -> Iterator[None]:
    """Has ``option`` spell so in its block, and in threads and tasks that begin there."""
    before = _SPELLING.set(spelling)
    try:
        yield
    finally:
        _SPELLING.reset(before)


@contextmanager
def python_unless_spelled() -> Iterator[None]:
    """Has ``option`` spell as Python in its block, unless a face has taken charge."""
    with options_spelled(_SPELLING.get() or in_python):
        yield

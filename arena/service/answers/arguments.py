"""Checks of the arguments of the Python API, by which a wrong one is one line of ``BadInput``."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from functools import cache, wraps
from inspect import Parameter, iscoroutinefunction, signature
from numbers import Real
from operator import index
from types import UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    NamedTuple,
    ParamSpec,
    SupportsIndex,
    TypeAlias,
    TypeVar,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

import msgspec

from arena.core.errors import BadInput, UnknownArgument
from arena.core.text.printable import printable_line
from arena.plugins.options import python_unless_spelled

P = ParamSpec("P")
T = TypeVar("T")

Positive: TypeAlias = Annotated[int, msgspec.Meta(ge=1)]
"""A whole number from 1."""
_MAX_VALUE_LENGTH = 100
"""Characters of a wrong value that its error shows."""


def checked(
    function: Callable[P, T],
    spelled: Callable[[], AbstractContextManager[object]] = python_unless_spelled,
) -> Callable[P, T]:
    """Checks the arguments of a function by its annotations before anything is done.

    Strings, paths, numbers, mappings and functions are checked, alone or where they may be left out
    (``None``). Whole numbers are from 0, or have the bounds of ``msgspec.Meta``; the function gets
    those of numpy as Python's. All else is the function's own, such as lists (``listed``).

    Args:
        spelled: Says how errors name options: by default as Python does, unless a face that speaks
            otherwise has the call.
    """
    if iscoroutinefunction(function):

        @wraps(function)
        async def wait(*args: P.args, **keywords: P.kwargs) -> object:
            with spelled():
                taken, named = _taken(function, args, keywords)
                return await cast("Callable[..., Awaitable[object]]", function)(*taken, **named)

        return cast("Callable[P, T]", wait)

    @wraps(function)
    def call(*args: P.args, **keywords: P.kwargs) -> T:
        with spelled():
            taken, named = _taken(function, args, keywords)
            return cast("Callable[..., T]", function)(*taken, **named)

    return call


def text(name: str, value: str | os.PathLike[str]) -> str:
    """A text or a path as text.

    Raises:
        BadInput: It is something else, or no file can have that name.
    """
    if not isinstance(value, str | os.PathLike):
        raise wrong(name, _PATH.called, value)
    if not _is_path(value):
        raise BadInput(f"{name}: {_shown(value)} holds a character that no file's name can have")
    return os.fspath(value)


def listed(name: str, values: Iterable[T], kind: type[T] | None = None) -> list[T]:
    """Values that can be iterated over, as a list; a single string is refused.

    Args:
        kind: The type of each, if all are of one.

    Raises:
        BadInput: They are something else, or one of them is not of that type.
    """
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise wrong(name, "a list", values)
    found = list(values)
    for each in found:
        if (kind is not None and not isinstance(each, kind)) or not _encodable(each):
            raise wrong(name, "a list of texts" if kind is str else "a list", found)
    return found


def wrong(name: str, expected: str, value: object) -> BadInput:
    """The error of an argument that is something else than was expected."""
    return BadInput(f"{name}: expected {expected}, not {_shown(value)}")


def _shown(value: object) -> str:
    return printable_line(repr(value), _MAX_VALUE_LENGTH)


class _Kind(NamedTuple):
    accepts: Callable[[object], bool]
    called: str
    whole: bool = False


def _encodable(value: object) -> bool:
    """False for a text with half a character (a lone surrogate): no file or database takes it."""
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError:
            return False
    return True


def _is_path(value: object) -> bool:
    if not isinstance(value, str | os.PathLike):
        return False
    try:  # as the system takes them: not every name of a file is UTF-8
        return isinstance(path := os.fspath(value), str) and b"\0" not in os.fsencode(path)
    except UnicodeEncodeError:
        return False


_TEXT = _Kind(
    lambda value: isinstance(value, str) and _encodable(value) and "\0" not in value, "a text"
)
_PATH = _Kind(_is_path, "a text or a path")
_NUMBER = _Kind(lambda value: isinstance(value, Real | SupportsIndex), "a number")
_MAPPING = _Kind(lambda value: isinstance(value, Mapping), "a mapping")
_FUNCTION = _Kind(callable, "a function")


@cache
def _kinds(function: Callable[..., Any]) -> tuple[list[str], dict[str, _Kind], str]:
    hints = get_type_hints(function, include_extras=True)
    positional, kinds, rest = [], {}, ""
    for each in signature(function).parameters.values():
        if each.kind is Parameter.VAR_POSITIONAL:
            rest = each.name
        elif each.kind is not Parameter.KEYWORD_ONLY:
            positional.append(each.name)
        found = None if each.kind is Parameter.VAR_KEYWORD else _kind(hints.get(each.name, Any))
        if found is not None:
            kinds[each.name] = found
    return positional, kinds, rest


@cache
def _keywords(function: Callable[..., Any]) -> tuple[str, ...]:
    each = signature(function).parameters.values()
    if any(one.kind is Parameter.VAR_KEYWORD for one in each):
        return ()
    unnamed = (Parameter.VAR_POSITIONAL, Parameter.POSITIONAL_ONLY)
    return tuple([one.name for one in each if one.kind not in unnamed and one.name != "self"])


def _kind(hint: object) -> _Kind | None:
    union = get_origin(hint) in (Union, UnionType)
    options = get_args(hint) if union else (hint,)
    given = [each for each in options if each is not type(None)]
    if len(given) == 1 and (given[0] is int or get_origin(given[0]) is Annotated):
        return _whole_kind(given[0], optional=len(given) < len(options))
    found = [_PLAIN.get(get_origin(each) or each) for each in given]
    kinds = dict.fromkeys(kind for kind in found if kind is not None)
    if not found or None in found:
        return None
    if _PATH in kinds:  # a text is one, of which less is asked
        kinds.pop(_TEXT, None)
    optional = len(given) < len(options)
    return _Kind(
        lambda value: (optional and value is None) or any(kind.accepts(value) for kind in kinds),
        " or ".join(kind.called for kind in kinds),
    )


def _whole_kind(hint: object, *, optional: bool) -> _Kind | None:
    kind, *bounds = get_args(hint) or (int,)
    if kind is not int:
        return None
    meta = next((each for each in bounds if isinstance(each, msgspec.Meta)), msgspec.Meta())
    least = 0 if meta.ge is None else int(meta.ge)
    most = 2**63 - 1 if meta.le is None else int(meta.le)

    def accepts(value: object) -> bool:
        if value is None:
            return optional
        try:
            return least <= index(cast("SupportsIndex", value)) <= most
        except TypeError:  # of an array, too, which has the method
            return False

    return _Kind(accepts, f"a whole number from {least} to {most}", whole=True)


_PLAIN: Mapping[object, _Kind] = {
    str: _TEXT,
    Literal: _TEXT,
    os.PathLike: _PATH,
    float: _NUMBER,
    Mapping: _MAPPING,
    Callable: _FUNCTION,
}


def _taken(
    function: Callable[..., Any], args: tuple[Any, ...], keywords: dict[str, Any]
) -> tuple[list[Any], dict[str, Any]]:
    """Returns the arguments as the function gets them; raises ``BadInput`` for a wrong one."""
    positional, kinds, rest = _kinds(function)
    known = _keywords(function)
    for name in keywords if known else ():
        if name not in known:
            raise UnknownArgument("argument", name, known)

    def take(name: str, value: object) -> object:
        kind = kinds.get(name)
        if kind is None:
            return value
        if not kind.accepts(value):
            raise wrong(name, kind.called, value)
        return index(cast("SupportsIndex", value)) if kind.whole and value is not None else value

    names = (*positional, *[rest] * (len(args) - len(positional)))
    return (
        [take(name, value) for name, value in zip(names, args, strict=False)],
        {name: take(name, value) for name, value in keywords.items()},
    )

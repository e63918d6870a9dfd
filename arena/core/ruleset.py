"""Rulesets: named rows of rule parameters, and how one is found by its spelling."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TypeVar, get_args, get_type_hints

import msgspec

from arena.core.described import described
from arena.core.errors import ParseError, UnknownName
from arena.core.options import plain_problem
from arena.core.text.parsing import Value, format_call, parse_call


class Ruleset(msgspec.Struct, frozen=True, kw_only=True, cache_hash=True):
    """One frozen row of rule parameters, found by name. Games add their options as fields.

    Attributes:
        name: The row's name, with the options that differ from it:
            ``"standard"``, ``"standard(flip=negate_positive)"``.
        source: Where the row comes from.
    """

    name: str
    source: str


RulesetT = TypeVar("RulesetT", bound=Ruleset)


def find_ruleset(game: str, rulesets: Mapping[str, RulesetT], spelling: str) -> RulesetT:
    """Finds a row by its name, with options; an empty spelling takes the first.

    Raises:
        UnknownName: No such row, or no such option.
        ParseError: The text, or an option's value, is not of the right form.
    """
    name, options = parse_call(spelling) if spelling else (next(iter(rulesets)), {})
    row = rulesets.get(name)
    if row is None:
        raise UnknownName(f"{game} ruleset", name, rulesets)
    fields = msgspec.to_builtins(row)
    for key, value in options.items():
        _check_option(row, key, value)
    changed = {key: value for key, value in options.items() if fields[key] != value}
    merged = {**fields, **changed, "name": format_call(name, changed)}
    try:
        return msgspec.convert(merged, described(type(row)))
    except msgspec.ValidationError as error:
        raise ParseError(f"ruleset {spelling!r}: {error}") from None


@cache
def _hints(kind: type) -> dict[str, object]:
    """Returns the types of a ruleset's options, whose evaluation takes long."""
    return get_type_hints(kind, include_extras=True)


def _check_option(row: Ruleset, key: str, value: Value) -> None:
    hints = _hints(type(row))
    known = set(hints) - {"name", "source"}
    if key not in known:
        raise UnknownName(f"option of ruleset {row.name}", key, known)
    try:
        msgspec.convert(value, described(hints[key]))
    except msgspec.ValidationError as error:
        choices = get_args(hints[key])
        if choices and all(isinstance(choice, str) for choice in choices):
            raise UnknownName(f"value of option {key}", str(value), choices) from None
        raise ParseError(f"option {key}: {plain_problem(error, hints[key], value)}") from None

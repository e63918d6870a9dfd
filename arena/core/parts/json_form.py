"""The JSON form of observations and offers of any game, for bots in other languages."""

from __future__ import annotations

from collections.abc import Mapping, Set

import msgspec

from arena.core.actions import Action
from arena.core.ruleset import Ruleset


def json_form(value: msgspec.Struct) -> dict[str, object]:
    """Returns the fields of an observation or offer as JSON values, by name.

    The ruleset is left out: programs know it by its name.
    """
    fields = ((name, getattr(value, name)) for name in value.__struct_fields__)
    return {name: plain(part) for name, part in fields if not isinstance(part, Ruleset)}


def plain(value: object) -> object:
    """Returns a value as JSON: actions as their text, named values as their name, others by field.

    Numbers, booleans and strings are themselves, bytes a list of numbers, sets are sorted as text;
    values of any other type are written as ``str`` writes them.
    """
    if value is None or isinstance(value, (bool, int, float)):
        return value
    if isinstance(value, str):
        return str(value)  # a member of an enumeration is a text like others
    if isinstance(value, (tuple, list, bytes, bytearray)):
        return [plain(part) for part in value]
    if isinstance(value, Set):
        return sorted((plain(part) for part in value), key=str)
    if isinstance(value, Mapping):
        return {str(plain(key)): plain(part) for key, part in value.items()}
    if isinstance(value, Action):
        return value.text
    name = getattr(value, "name", None)
    if isinstance(name, str):
        return name
    if isinstance(value, msgspec.Struct):
        return {field: plain(getattr(value, field)) for field in value.__struct_fields__}
    return str(value)

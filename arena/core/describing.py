"""Observations and offers as JSON values, for bots in other languages: whatever the game."""

from __future__ import annotations

from collections.abc import Mapping, Set

import msgspec

from arena.core.actions import Action


def described(thing: msgspec.Struct, leave_out: type) -> dict[str, object]:
    """The fields of a thing as JSON values, by name.

    Args:
        thing: An observation or an offer.
        leave_out: Fields that hold this type are left out: the ruleset, which programs know by
            its name.
    """
    fields = ((name, getattr(thing, name)) for name in thing.__struct_fields__)
    return {name: plain(value) for name, value in fields if not isinstance(value, leave_out)}


def plain(value: object) -> object:
    """A value as JSON: actions by their text, things with a name by it, others by their fields.

    Numbers, booleans and texts are themselves, bytes a list of numbers, sets are sorted as text;
    what is nothing of the kind is written as ``str`` writes it.
    """
    if value is None or isinstance(value, (bool, int, float)):
        return value
    if isinstance(value, str):
        return str(value)  # a word of an enumeration is a text like others
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

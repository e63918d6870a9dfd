"""Options as rows: name, type with bounds, help, default, of specs, formats and ratings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from operator import index
from typing import (
    Annotated,
    Any,
    Literal,
    Protocol,
    SupportsIndex,
    TypeAlias,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

import msgspec

from arena.core.chance.seeding import KEY_BYTES, KEY_PATTERN
from arena.core.described import described
from arena.core.errors import meant

Group = Literal["Field", "Format", "Length", "Fairness", "Limits", "Isolation", "Output"]
"""Headings of options in help, in their order; the last is for all others."""


class Option(msgspec.Struct, frozen=True):
    """The part of a key's row by which interfaces offer it as an option.

    Attributes:
        default: Describes the default; empty where the value itself does, or there is none.
        group: Heading in help; options of formats have the usual one.
        flag: Spelling of the option where it is not the key with dashes.
        metavar: Word for its value in help.
        file_only: Whether it is a table, which files and Python have and the command line writes
            into another option (``--ruleset "NAME(option=value)"``).
        longest: Most characters of a text; one that was stored before may have more.
        commas: Whether a text may stand for a list, its entries separated by commas.
    """

    help: str
    default: str = ""
    group: Group = "Format"
    flag: str = ""
    metavar: str = ""
    file_only: bool = False
    longest: int | None = None
    commas: bool = False


class Row(msgspec.Struct, frozen=True):
    """One option: what it takes, how interfaces offer it, and what it is where nobody gives it.

    Attributes:
        takes: Its type with bounds, as an annotation.
    """

    takes: object
    option: Option
    default: object

    @property
    def plain(self) -> type:
        """The type of a value without bounds: ``str``, ``int``, ``float``, ``bool`` or ``list``."""
        return str if self.option.commas else _plain_type(self.takes)

    @property
    def default_text(self) -> str:
        """The default in words; empty without one, or the flag itself says it."""
        given = self.default
        if self.option.default or isinstance(given, bool) or given in (None, "", ()):
            return self.option.default
        return f"{given:g}" if isinstance(given, float) else str(given)


Rows: TypeAlias = Mapping[str, Row]
"""Options by key."""


@lru_cache
def rows_of(kind: type[msgspec.Struct]) -> Rows:
    """Returns the options of a struct: its fields whose annotations have an ``Option``."""
    hints = get_type_hints(kind, include_extras=True)
    rows = {}
    for field in msgspec.structs.fields(kind):
        bare, *more = get_args(hints[field.name]) or (None,)
        option = next((part for part in more if isinstance(part, Option)), None)
        if option is not None:
            bounds = tuple(part for part in more if part is not option)
            takes = Annotated[(bare, *bounds)] if bounds else bare
            empty = field.default_factory is not msgspec.NODEFAULT
            default = field.default_factory() if empty else field.default
            rows[field.name] = Row(takes, option, default)
    return rows


class _Optional(Protocol):
    """A format or a rating system."""

    @property
    def name(self) -> str: ...
    def options(self) -> Rows: ...


def options_of(things: Iterable[_Optional]) -> dict[str, dict[str, Row]]:
    """Returns the options of several formats or rating systems: by key, then by name."""
    found: dict[str, dict[str, Row]] = {}
    for each in things:
        for key, row in each.options().items():
            found.setdefault(key, {})[each.name] = row
    return found


def _plain_type(takes: object) -> type:
    origin = get_origin(takes)
    if origin is None:
        return cast("type", takes)
    if origin is tuple:
        return list
    return str if origin is Literal else _plain_type(get_args(takes)[0])


def checked(keys: Mapping[str, object], problems: list[str], rows: Rows) -> dict[str, Any]:
    """Returns the values of the keys that are right.

    Args:
        problems: Gets ``"key: what is wrong"`` for all others.
    """
    good: dict[str, Any] = {}
    for key, value in keys.items():
        if key not in rows:
            listed = ", ".join(sorted(rows))
            problems.append(f"{key}: no such key; the keys are {listed}{meant(key, rows)}")
            continue
        if key == "bots" and isinstance(value, list):
            # The good entries go on, so that what is wrong with their names is reported as well.
            problems.extend(
                f"bots: expected text as entry {number}, not {entry!r}"
                for number, entry in enumerate(value, 1)
                if not isinstance(entry, str)
            )
            value = [entry for entry in value if isinstance(entry, str)]
        hidden = next((text for text in _texts(value) if not text.isprintable()), None)
        if hidden is not None:
            problems.append(f"{key}: {hidden!r} holds a character that cannot be shown")
            continue
        longest = rows[key].option.longest
        if longest and isinstance(value, str) and len(value) > longest:
            problems.append(f"{key}: {len(value)} characters; expected at most {longest}")
            continue
        if isinstance(value, SupportsIndex) and not isinstance(value, bool):
            value = index(value)  # whole numbers of numpy, too
        given, commas = value, False
        if isinstance(value, str) and rows[key].option.commas:
            commas, value = True, [part.strip() for part in value.split(",") if part.strip()]
        try:
            good[key] = msgspec.convert(value, described(rows[key].takes), strict=not commas)
        except msgspec.ValidationError as error:
            problems.append(f"{key}: {plain_problem(error, rows[key].takes, given)}")
    return good


def _texts(value: object) -> Iterator[str]:
    """Yields every string of a value: keys of its tables, and entries of its lists."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | list | tuple):
        for part in (*value, *value.values()) if isinstance(value, Mapping) else value:
            yield from _texts(part)


_PLAIN = {
    f"`str` matching regex {KEY_PATTERN!r}": f"{2 * KEY_BYTES} hexadecimal digits",
    "`int`": "a whole number",
    "`float`": "a number",
    "`bool`": "true or false",
    "`str`": "text",
    "`array`": "a list",
    "`object`": "a table",
    "`bool | int | float | str`": "text, a number, true or false",
    " - at `$[...]`": " for every key",
}
"""Messages of msgspec, and their form for people who write TOML."""


def plain_problem(error: msgspec.ValidationError, hint: object, value: object) -> str:
    """Rewrites msgspec's message about a value of a file for people."""
    for part in (hint, *get_args(hint)):
        if get_origin(part) is Literal:
            return f"expected {' or '.join(map(str, get_args(part)))}, not {value!r}"
    text = re.sub(r", got `.*?`| \| null", "", str(error))
    text = re.sub(r" - at `\$\[(\d+)\]`", lambda at: f" as entry {int(at[1]) + 1}", text)
    for word, plain in _PLAIN.items():
        text = text.replace(word, plain)
    entries = "values, separated by commas" if isinstance(value, str) else "values"
    text = re.sub(r"a list of length (\d+), got \d+", rf"\1 {entries}", text)
    return f"{text[:1].lower()}{text[1:]}, not {value!r}"

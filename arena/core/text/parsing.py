"""Parses and formats ``name(key=value, ...)`` of bots with parameters and rulesets with options."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Mapping
from keyword import iskeyword
from math import isfinite

from arena.core.errors import ParseError

Value = bool | int | float | str
"""The types that a parameter can have."""

_MAX_LENGTH = 10_000
"""Most characters of a name that is read."""
_MAX_NUMBER = 2**63
_QUOTED = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\""""
_ARGUMENT = re.compile(rf"\s*([^\W\d]\w*)\s*=\s*({_QUOTED}|[\w.+±&/:@-]+)\s*(,|$)")
"""``key=value``: the value in quotes, or a bare word or number."""
_UNWRITABLE = re.compile("[\0\ud800-\udfff]")
_NUMBER = re.compile(r"[+-]?[\d.]")


def parse_call(text: str) -> tuple[str, dict[str, Value]]:
    """Reads ``"stand(at=17)"`` as ``("stand", {"at": 17})``; a bare word is a string.

    Bare words may hold letters, digits and ``. + - ± & / : @ _``: every name of a card, deck or
    option value (``return``, ``10..25``, ``very-hard``) can be typed without quotes.

    Raises:
        ParseError: The text is not of that form.
    """
    if len(text) > _MAX_LENGTH or not _is_writable(text):
        shown = f"{text[:40]!r}{'...' if len(text) > 40 else ''}"
        raise ParseError(
            f"{shown}: expected a name of at most {_MAX_LENGTH} characters that UTF-8 has"
        )
    name, bracket, rest = text.strip().partition("(")
    name = name.strip()
    if not name:
        raise ParseError(f"{text!r} has no name; write NAME or NAME(key=value, ...)")
    if not bracket:
        return name, {}
    hint = f"cannot read {text!r}; write NAME(key=value, ...), text values in quotes"
    inside, end = rest[:-1], rest[-1:]
    if end != ")":
        raise ParseError(hint)
    parameters: dict[str, Value] = {}
    place = 0
    while inside[place:].strip():
        argument = _ARGUMENT.match(inside, place)
        if argument is None or argument[1] in parameters:
            raise ParseError(hint)
        value = parameters[argument[1]] = _value(argument[2], hint)
        if isinstance(value, int) and not -_MAX_NUMBER <= value < _MAX_NUMBER:
            raise ParseError(f"{name}: {argument[1]} is outside the 64-bit integers")
        place = argument.end()
    return name, parameters


def parse_value(text: str) -> Value:
    """Reads a text as ``parse_call`` reads a value: ``"17"`` is a number, a bare word a string.

    Raises:
        ParseError: It is not one.
    """
    hint = f"cannot read {text!r}; write a word, a number, true, false or a text in quotes"
    return _value(text, hint) if text else text


def _is_writable(text: str) -> bool:
    """Returns whether UTF-8 and the C strings of other libraries can hold a text."""
    return not _UNWRITABLE.search(text)


def _value(word: str, hint: str) -> Value:
    if word[0] in "'\"" or _NUMBER.match(word):
        try:
            with warnings.catch_warnings(action="ignore"):  # of escapes that Python will refuse
                value = ast.literal_eval(word)
        except (SyntaxError, ValueError):
            # Not a number after all (``10..25``), or one that is longer than Python reads.
            if word[0] in "'\"" or word.lstrip("+-").isdigit():
                raise ParseError(hint) from None
            return word
        if isinstance(value, str) and not _is_writable(value.replace("\0", "")):
            raise ParseError(hint)  # an escape that no message can carry
        if isinstance(value, float) and not isfinite(value):
            raise ParseError(hint)
        return value if isinstance(value, int | float | str) else word
    if word == "None":
        raise ParseError(hint)
    return {"true": True, "false": False}.get(word.lower(), word)


def split_version(spelling: str) -> tuple[str, str]:
    """Splits ``"careful@1.0"`` into name and version, which may be missing and then is empty."""
    name, _, version = spelling.partition("@")
    return name.strip(), version.strip()


def join_version(called: str, version: str) -> str:
    """Returns a bot's name with a version, as it can be typed: ``"careful@1.0(at=3)"``.

    Args:
        called: Its name in tournaments: with parameters and loadout, if it has any.
    """
    bot, loadout = split_loadout(called)
    name, bracket, parameters = bot.partition("(")
    return join_loadout(f"{name}@{version}{bracket}{parameters}", loadout)


_WITH = " with "


def split_loadout(spelling: str) -> tuple[str, str]:
    """Splits ``"optimal with hard"`` into the bot's name as typed and the entry's loadout.

    Args:
        spelling: An entry of a field. The loadout is in the game's notation; a file's path
            and a parameter's text may hold the word ``with``, too.

    Returns:
        The loadout is empty when the bot chooses for itself.

    Raises:
        ParseError: The word is the last, or stands there twice.
    """
    bot, _, loadout = f"{spelling} ".rpartition(_WITH)
    bot, loadout = bot.strip(), " ".join(loadout.split())
    if not bot or ".py" in loadout or ")" in loadout:
        return spelling, ""
    twice = _WITH in bot and "(" not in bot and ".py" not in bot
    if twice or not loadout:
        raise ParseError(f"{spelling!r}: expected BOT with LOADOUT, once, or only BOT")
    return bot, loadout


def join_loadout(bot: str, loadout: str) -> str:
    """Joins a bot's name as typed and a loadout for ``split_loadout``."""
    return f"{bot}{_WITH}{loadout}" if loadout else bot


def format_call(name: str, parameters: Mapping[str, Value]) -> str:
    """Formats a call for ``parse_call``, keys sorted, so that equal calls have equal text."""
    if not parameters:
        return name
    inside = ",".join(f"{key}={_spell(parameters[key])}" for key in sorted(parameters))
    return f"{name}({inside})"


def _spell(value: Value) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        word = value.isascii() and value.isidentifier() and not iskeyword(value)
        return value if word and value.lower() not in ("true", "false") else repr(value)
    return repr(value)

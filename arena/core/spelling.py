"""The spelling ``name(key=value, ...)`` of bots with parameters and rulesets with options."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from keyword import iskeyword

from arena.core.errors import BadSpelling

Value = bool | int | float | str
"""What a parameter can be."""


def parse_call(text: str) -> tuple[str, dict[str, Value]]:
    """Reads ``"stand(at=17)"`` as ``("stand", {"at": 17})``; a bare word is a string.

    Raises:
        BadSpelling: The text is not of that form.
    """
    name, bracket, rest = text.strip().partition("(")
    name = name.strip()
    if not name:
        raise BadSpelling(f"{text!r} has no name; write NAME or NAME(key=value, ...)")
    if not bracket:
        return name, {}
    hint = f"cannot read {text!r}; write NAME(key=value, ...), text values in quotes"
    try:
        call = ast.parse(f"f({rest}", mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise BadSpelling(hint) from None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or call.args:
        raise BadSpelling(hint)
    parameters: dict[str, Value] = {}
    for keyword in call.keywords:
        value = _value(keyword.value)
        if keyword.arg is None or keyword.arg in parameters or value is None:
            raise BadSpelling(hint)
        parameters[keyword.arg] = value
    return name, parameters


def _value(node: ast.expr) -> Value | None:
    if isinstance(node, ast.Name):
        return {"true": True, "false": False}.get(node.id.lower(), node.id)
    try:
        value = ast.literal_eval(node)
    except (ValueError, TypeError, RecursionError, MemoryError):
        return None
    return value if isinstance(value, bool | int | float | str) else None


def format_call(name: str, parameters: Mapping[str, Value]) -> str:
    """Writes what ``parse_call`` reads, with the keys sorted, so that equal means equal text."""
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

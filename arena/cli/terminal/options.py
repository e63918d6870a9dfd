"""Options of a verb that are keys of a tournament's spec, made from the rows of the spec."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection
from functools import wraps
from typing import Annotated, Any

import typer
from arena_tournaments.spec.keys import Option, option_rows

from arena.cli.terminal.completion import complete_bot, complete_format, complete_game

Verb = Callable[..., None]

COMPLETED = {"bots": complete_bot, "game": complete_game, "format": complete_format}
"""Completion of the values of a key."""
METAVARS: dict[type, str] = {int: "N", str: "NAME"}
"""Words for values by type, where a row has none."""


def takes_keys(*keys: str, without: Collection[str] = ()) -> Callable[[Verb], Verb]:
    """Decorates a verb: its parameter ``keys`` becomes options of the command line.

    The verb gets the keys that were given, so that a file's value stands for the others. Without
    ``keys`` all of the spec become options, in its order, but for those ``without``.
    """
    rows = option_rows()
    names = [key for key in keys or rows if key not in without]

    def decorate(verb: Verb) -> Verb:
        signature = inspect.signature(verb, eval_str=True)
        parameters: list[inspect.Parameter] = []
        for parameter in signature.parameters.values():
            if parameter.name == "keys":
                parameters += [_parameter(name, *rows[name]) for name in names]
            else:
                parameters.append(parameter)

        @wraps(verb)
        def run(**values: object) -> None:
            given = {name: values.pop(name) for name in names}
            verb(keys={key: value for key, value in given.items() if value is not None}, **values)

        run.__dict__["__signature__"] = signature.replace(parameters=parameters)
        run.__annotations__ = {each.name: each.annotation for each in parameters}
        return run

    return decorate


def _parameter(key: str, kind: type, row: Option) -> inspect.Parameter:
    plain: Any = list[str] if kind is list else kind
    metavar = row.metavar or METAVARS.get(plain)
    option = typer.Option(
        row.flag or f"--{key.replace('_', '-')}",
        metavar=metavar,
        help=f"{row.help} [{row.default}]" if row.default else row.help,
        autocompletion=COMPLETED.get(key),
        rich_help_panel=row.group,
    )
    annotation = Annotated[plain | None, option]
    return inspect.Parameter(
        key, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=annotation
    )

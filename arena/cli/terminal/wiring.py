"""The registry with the warnings of plugins; database and number of a tournament as options."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer
from arena_results.file.addresses import DEFAULT_URL

from arena.cli.terminal.output import say
from arena.service.storage.databases import database_url

if TYPE_CHECKING:
    from arena.plugins.registry import Registry

DbOption: TypeAlias = Annotated[
    str,
    typer.Option(
        "--db",
        envvar="ARENA_DB",
        show_envvar=True,
        callback=database_url,
        help="Database of results: FILE or postgresql://USER@HOST/NAME.",
    ),
]
DEFAULT_DB = DEFAULT_URL
Number: TypeAlias = Annotated[int, typer.Argument(metavar="ID", help="Number of the tournament.")]


def registry() -> Registry:
    """The registry of this run: made once a command, handed on explicitly."""
    from arena.plugins.registry import Registry

    return Registry()


def report_problems(found: Registry) -> None:
    """Says on stderr which plugins could not be used, once each; the rest works."""
    for problem in found.new_problems():
        say(f"warning: {problem}")

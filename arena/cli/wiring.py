"""The registry, the database and the warnings of plugins, as verbs need them."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from arena.cli.output import say

if TYPE_CHECKING:
    from arena_results.database import Database

    from arena.plugins.registry import Registry

DbOption: TypeAlias = Annotated[
    str,
    typer.Option(
        "--db",
        envvar="ARENA_DB",
        show_envvar=True,
        help="Database of results, sqlite:///FILE.",
    ),
]
DEFAULT_DB = "sqlite:///arena.db"


def registry() -> Registry:
    """The registry of this run: made once a command, handed on explicitly."""
    from arena.plugins.registry import Registry

    return Registry()


def report_problems(found: Registry) -> None:
    """Says on stderr which plugins could not be used; the rest works."""
    for problem in found.problems():
        say(f"warning: {problem}")


def database(url: str, *, create: bool = False) -> Database:
    """Opens the results database.

    Args:
        url: ``sqlite:///FILE``.
        create: Whether a missing file is made; verbs that only read leave it missing.

    Raises:
        BadStore: It cannot be used as it is.
    """
    from arena_results.database import open_database

    return open_database(url, create=create)


def db_option(database: Database) -> str:
    """The option with which a suggested command finds the same database; none for the default."""
    url = f"sqlite:///{database.path}"
    return "" if url == DEFAULT_DB else f" --db {shlex.quote(url)}"

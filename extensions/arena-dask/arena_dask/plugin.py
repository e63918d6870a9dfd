"""The extension: the executor ``dask`` and the command ``arena cluster``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typer import Typer

    from arena_dask.kind import DaskExecutors


def arena_executors() -> Iterable[DaskExecutors]:
    """Returns the executor."""
    from arena_dask.kind import DaskExecutors

    return [DaskExecutors()]


def arena_commands(app: Typer) -> None:
    """Adds ``arena cluster``."""
    from arena_dask import commands

    commands.register(app)

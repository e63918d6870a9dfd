"""The extension of the house games: registers them and their case drivers like any plugin."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from arena.plugins.hookspecs import hookimpl

if TYPE_CHECKING:
    from arena.core.cases import DriverMaker
    from arena.core.game import AnyGame


@hookimpl
def arena_games() -> Iterable[AnyGame]:
    """Returns Pazaak and Sabacc."""
    from arena.games.pazaak.game import Pazaak
    from arena.games.sabacc.game import Sabacc

    return [Pazaak(), Sabacc()]


@hookimpl
def arena_case_drivers() -> Iterable[tuple[str, DriverMaker]]:
    """Returns the case drivers of Pazaak and Sabacc."""
    from arena.games.pazaak.cases.driver import PazaakDriver
    from arena.games.sabacc.cases.driver import sabacc_driver

    return [("pazaak", PazaakDriver), ("sabacc", sabacc_driver)]

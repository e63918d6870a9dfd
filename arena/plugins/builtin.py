"""The extension of the house games: registers them and their case drivers like any plugin."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from arena.core.game import AnyGame
    from arena.core.parts.cases import Case, CaseDriver, DriverMaker


def arena_games() -> Iterable[AnyGame]:
    """Returns Pazaak and Sabacc."""
    from arena.games.pazaak.game import Pazaak
    from arena.games.sabacc.game import Sabacc

    return [Pazaak(), Sabacc()]


def arena_case_drivers() -> Iterable[tuple[str, DriverMaker]]:
    """The case drivers of the house games; each game is imported with its first case."""
    return [("pazaak", _pazaak_driver), ("sabacc", _sabacc_driver)]


def _pazaak_driver(case: Case) -> CaseDriver:
    from arena.games.pazaak.cases.driver import PazaakDriver

    return PazaakDriver(case)


def _sabacc_driver(case: Case) -> CaseDriver:
    from arena.games.sabacc.cases.driver import sabacc_driver

    return sabacc_driver(case)

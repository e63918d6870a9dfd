"""The extension of careers: its game, its rule cases and its commands enter like any plugin's."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typer import Typer

    from arena.core.game import AnyGame
    from arena.core.parts.cases import Case, CaseDriver, DriverMaker


def arena_unrated_games() -> Iterable[AnyGame]:
    """Returns Pazaak with the extras of section 7."""
    from arena.games.pazaak.career.game import PazaakCareer

    return [PazaakCareer()]


def arena_case_drivers() -> Iterable[tuple[str, DriverMaker]]:
    """Returns the driver of its rule cases."""
    return [("pazaak-career", _driver)]


def arena_commands(app: Typer) -> None:
    """Adds ``arena career``."""
    from arena.cli.verbs.results import career

    career.register(app)


def arena_play_pages() -> Iterable[object]:
    """Returns the pages of careers in the browser."""
    from arena.web.routes.career import CareerPages

    return [CareerPages()]


def _driver(case: Case) -> CaseDriver:
    from arena.games.pazaak.career.cases import CareerDriver

    return CareerDriver(case)

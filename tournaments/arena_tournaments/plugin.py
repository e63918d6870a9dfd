"""Registers the project's own formats as any extension does."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from arena.core.tournaments.executor import ExecutorKind, NoOptions
    from arena.core.tournaments.format import Format


def arena_formats() -> Iterable[Format]:
    """Returns the formats for two, and those for tables of more."""
    from arena_tournaments.formats.adaptive import Adaptive
    from arena_tournaments.formats.elimination import FORMATS
    from arena_tournaments.formats.exhibition import Exhibition
    from arena_tournaments.formats.gauntlet import Gauntlet
    from arena_tournaments.formats.groups import Groups
    from arena_tournaments.formats.league import League
    from arena_tournaments.formats.round_robin import RoundRobin
    from arena_tournaments.formats.swiss import Swiss
    from arena_tournaments.formats.table_round_robin import TableRoundRobin
    from arena_tournaments.formats.table_swiss import TableSwiss

    two: list[Format] = [RoundRobin(), Swiss(), Adaptive(), League(), Gauntlet(), *FORMATS]
    return [*two, TableRoundRobin(), TableSwiss(), Groups(), Exhibition()]


def arena_executors() -> Iterable[ExecutorKind[NoOptions]]:
    """Registers worker processes of this machine."""
    from arena_tournaments.executors.local import LocalExecutors

    return [LocalExecutors()]

"""Checks of games and rule cases, which need no host, and the documents of all checks."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from arena.core.defaults import REDEALS
from arena.plugins.registry import Registry
from arena.testing.check_bot import BotReport
from arena.testing.check_game import GameReport
from arena.testing.check_game import check_game as try_game
from arena.testing.conformance import CaseResult, run_file

if TYPE_CHECKING:  # it loads the event loop
    from arena.service.bots.endpoint_check import EndpointReport


def check_game(
    registry: Registry, name: str, ruleset: str = "", redeals: int = REDEALS, seed: int = 0
) -> GameReport:
    """Plays a game at random and tests every promise of the contract of games.

    Args:
        ruleset: Name of the ruleset; empty for the game's first.
        redeals: How often hidden cards are dealt again.
        seed: Seed of everything.
    """
    game = registry.game(name)
    return try_game(game, game.ruleset(ruleset), redeals, seed)


def check_cases(registry: Registry, files: Iterable[str | Path]) -> list[CaseResult]:
    """Runs files of rule cases in the neutral schema; raises ``BadInput`` for an unreadable one."""
    drivers = registry.case_drivers()
    return [result for file in files for result in run_file(file, drivers)]


def report_document(report: GameReport | BotReport | EndpointReport) -> dict[str, object]:
    """The JSON document of a check; without times, so that documents compare."""
    times = ("nanoseconds", "cpu_nanoseconds", "seconds")
    findings = msgspec.structs.asdict(report).items()
    return {"passed": report.passed, **{key: each for key, each in findings if key not in times}}

"""Describes what the file of a league plans, and how far its season is in a database."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from arena_results.file.database import Database
from arena_tournaments.formats.adaptive import GAMES

from arena.plugins.registry import Registry
from arena.service.answers.rows import Document
from arena.service.league.final import final_row, season_state
from arena.service.league.league_file import FINAL_FORMAT, LeagueSpec, read_league
from arena.service.league.phase import phase_of
from arena.service.league.run import check_league


def league_plan(
    registry: Registry, path: Path, database: Database | None, now: datetime
) -> Document:
    """Checks the file of a league as its server does at its start; returns its JSON document.

    Args:
        database: The database of the league, in which its season may have begun.

    Raises:
        BadInput: The file cannot be read, or this machine cannot run the league.
        BadSpec: The file has problems; all of them, each with its key.
    """
    spec = read_league(path)
    check_league(registry, spec)
    ruleset = registry.game(spec.game).ruleset(spec.tournament.ruleset).name
    return {
        "league": spec.name,
        "season": spec.season,
        "game": spec.game,
        "ruleset": ruleset,
        "house": [*spec.house],
        "final": _final(registry, spec, database, now) if spec.final else None,
    }


def _final(
    registry: Registry, spec: LeagueSpec, database: Database | None, now: datetime
) -> dict[str, object]:
    planned: dict[str, object] = {"format": FINAL_FORMAT, "games": GAMES}
    if database is not None:
        state = season_state(registry, database, spec)
        return planned | final_row(spec, phase_of(spec, now, state), state)
    assert spec.final is not None
    final = spec.final
    planned |= {"name": spec.final_title, "at": final.at.isoformat()}
    planned |= {"matches": final.matches, "field": final.field}
    return planned | {"closed": final.is_due(now)}

"""The leaderboard as values: ratings with their intervals, for each game and ruleset."""

from __future__ import annotations

from collections.abc import Collection

from arena_results.database import Database
from arena_results.leaderboard import ELO, LeaderboardRow, with_history
from arena_results.leaderboard import leaderboard as rated_rows
from arena_results.queries import tournaments
from arena_results.ratings.systems import FEW_DEALS, FEW_MATCHES

from arena.core.errors import UnknownName
from arena.core.rating import RatingSystem


def leaderboard(
    database: Database,
    game: str | None = None,
    ruleset: str | None = None,
    *,
    system: RatingSystem = ELO,
    all_versions: bool = False,
) -> list[LeaderboardRow]:
    """The ratings, board after board.

    Args:
        ruleset: Only this ruleset, as tournaments are stored with it.
        all_versions: Whether every version of a bot has a row, or the latest that has played.

    Raises:
        UnknownName: No tournament in the database has that game or ruleset.
    """
    stored = tournaments(database)
    _check("game", game, {each.game for each in stored})
    _check("ruleset", ruleset, {each.ruleset for each in stored if game in (None, each.game)})
    rated = rated_rows(database, game, ruleset, system)
    return list(with_history(database, rated, every_version=all_versions))


def is_few(row: LeaderboardRow) -> bool:
    """True if the bot's matches are too few for an interval."""
    return row.games < FEW_MATCHES or row.deals < FEW_DEALS


def board_row(row: LeaderboardRow) -> dict[str, object]:
    """A row of the JSON document of ``arena leaderboard``."""
    return {
        "game": row.game,
        "ruleset": row.ruleset,
        "rank": row.rank,
        "name": row.participant.name,
        "version": row.participant.version,
        "content": row.participant.content,
        "rating": row.rating,
        "low": None if is_few(row) else row.low,
        "high": None if is_few(row) else row.high,
        "few": is_few(row),
        "games": row.games,
        "seats": row.seats,
        "points": row.score,
        "firsts": row.firsts,
        "won": row.won,
        "drawn": row.drawn,
        "lost": row.lost,
        "credits": row.credits,
        "isolation": row.isolation,
        "history": tuple(earlier.version for earlier in row.history),
    }


def _check(kind: str, name: str | None, choices: Collection[str]) -> None:
    """Names that no tournament in the database has are the user's mistake."""
    if name is not None and name not in choices:
        raise UnknownName(f"{kind} in the database", name, choices)

"""The leaderboard as values: ratings with their intervals, for each game and ruleset."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import combinations

import msgspec
from arena_results.boards.board_rows import Board, better_chance
from arena_results.boards.exploited import with_exploitability
from arena_results.boards.leaderboard import Asked, Worth, with_history
from arena_results.boards.leaderboard import boards as rated_boards
from arena_results.file.database import Database
from arena_results.schema.rows import TournamentSummary
from arena_results.store.queries import summary, tournaments
from arena_tournaments.spec.keys import TournamentSpec

from arena.core.errors import BadInput, UnknownName
from arena.core.table import Column, Table, percent
from arena.core.tournaments.rating import RatingSystem
from arena.plugins.registry import Registry
from arena.service.setup.amounts import stored_by_amount

PAIRS = (
    Column("game", ""),
    Column("ruleset", ""),
    Column("unit", ""),
    Column("name", "bot", drop=0),
    Column("version", "version", drop=2),
    Column("opponent", "opponent", drop=0),
    Column("opponent_version", "version", drop=2),
    Column("difference", "difference", right=True, digits=1),
    Column("se", "se", right=True, digits=1),
    Column("better", "P(better)", right=True, drop=0, cell=lambda row: percent(row["better"])),
)
"""The columns of pairs of bots."""


def leaderboards(
    database: Database,
    asked: Asked,
    *,
    all_versions: bool = False,
    registry: Registry | None = None,
) -> tuple[Board, ...]:
    """The boards that are asked for.

    Args:
        registry: The games by whose amounts tournaments with ``scoring = "amount"`` are rated, on
            boards of their own; without it their finishing orders count like those of others.
        all_versions: Whether every version of a bot has a row, or the latest that has played.

    Raises:
        UnknownName: No tournament in the database has that game or ruleset, or number.
        BadInput: An anchor is wrong.
    """
    found = rated_leaderboards(database, asked, registry=registry)
    return with_history(database, found, every_version=all_versions, tournament=asked.tournament)


def rated_leaderboards(
    database: Database, asked: Asked, *, registry: Registry | None = None
) -> tuple[Board, ...]:
    """The boards that are asked for, with every version, as ``with_history`` takes them.

    Args:
        registry: As for ``leaderboards``.

    Raises:
        UnknownName: As ``leaderboards``.
        BadInput: As ``leaderboards``.
    """
    check_asked(database, asked)
    found = rated_boards(database, by_amounts(asked, registry) if registry else asked)
    return with_exploitability(database, found)


def check_asked(database: Database, asked: Asked) -> None:
    """Checks the names and the number in a choice of leaderboards.

    Raises:
        UnknownName: No tournament in the database has that game or ruleset, or number.
    """
    stored = tournaments(database)
    _check("game", asked.game, {each.game for each in stored})
    rulesets = {each.ruleset for each in stored if asked.game in (None, each.game)}
    _check("ruleset", asked.ruleset, rulesets)
    if asked.tournament is not None:
        summary(database, asked.tournament)


def by_amounts(asked: Asked, registry: Registry) -> Asked:
    """Asks for boards of their own of tournaments that are scored by amount."""
    return msgspec.structs.replace(asked, worth=partial(_worth, registry))


def _worth(registry: Registry, about: TournamentSummary) -> Worth | None:
    with suppress(UnknownName):
        worth = stored_by_amount(registry, about, TournamentSpec.from_json(about.spec))
        if worth is not None:
            return worth.unit, worth.amounts
    return None


def pair_table(boards: Sequence[Board], system: RatingSystem) -> Table:
    """Returns a row for every two bots of a board who are in one group, the higher rated first.

    Raises:
        BadInput: The rating system has no standard errors.
    """
    titles = [f"{board.game}, {board.ruleset}" for board in boards]
    rows = [*_pair_rows(boards, system)]
    return Table(title="; ".join(titles), columns=PAIRS, rows=rows)


def _pair_rows(boards: Iterable[Board], system: RatingSystem) -> Iterator[dict[str, object]]:
    # Here: numpy takes long to load.
    from arena_results.ratings.intervals.ranking import errors_between

    for board in boards:
        if board.covariance is None:
            message = f"rating system {system.name} has no chance that one bot is better than"
            raise BadInput(f"{message} another; joint has")
        errors = errors_between(board.covariance)
        for (place, one), (lower, other) in combinations(enumerate(board.rows), 2):
            if one.component != other.component:
                continue
            error = float(errors[place, lower])
            yield {
                "game": board.game,
                "ruleset": board.ruleset,
                "unit": board.unit,
                "name": one.participant.name,
                "version": one.participant.version,
                "opponent": other.participant.name,
                "opponent_version": other.participant.version,
                "difference": round(one.rating - other.rating, 4),
                "se": round(error, 4),
                "better": better_chance(one, other, error),
            }


def _check(kind: str, name: str | None, choices: Collection[str]) -> None:
    """Names that no tournament in the database has are the user's mistake."""
    if name is not None and name not in choices:
        raise UnknownName(f"{kind} in the database", name, choices)

"""``arena leaderboard``: ratings with their intervals, a table for each game and ruleset."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.output import Column, Output, OutputOption, say, show_rows, stdout, write
from arena.cli.wiring import DEFAULT_DB, DbOption, database, registry
from arena.core.errors import UnknownName
from arena.core.rating import RatingSystem
from arena.core.tournament import SHOWN_DIGITS

if TYPE_CHECKING:
    from arena_results.database import Database
    from arena_results.leaderboard import LeaderboardRow

EPILOG = """\b
Examples:
  arena leaderboard
  arena leaderboard --game pazaak --ruleset standard
  arena leaderboard --all-versions
  arena leaderboard --db sqlite:///last-year.db -o csv
"""

FEW_MATCHES, FEW_DEALS = 20, 10
"""With fewer of either (ten mirrored pairs, or deals played around a table) a bootstrap says
little, and its interval too much."""

COLUMNS = (
    Column("game", ""),
    Column("ruleset", ""),
    Column("rank", "#", right=True),
    Column("name", "bot"),
    Column("version", "version"),
    Column("content", ""),
    Column("rating", "rating", right=True, digits=0),
    Column("low", ""),
    Column("high", ""),
    Column("few", ""),
    Column("games", "games", right=True),
    Column("seats", ""),
    Column("points", "points", right=True),
    Column("firsts", "1st", right=True),
    Column("won", ""),
    Column("drawn", ""),
    Column("lost", ""),
    Column("credits", "credits", right=True),
    Column("isolation", "ran"),
    Column("history", ""),
)
INTERVAL = Column("interval", "low-high", right=True)
BALANCE = Column("balance", "+ = -", right=True)
HISTORY = Column("earlier", "earlier versions")
MOST_EARLIER = 2
"""Earlier versions that a table shows with their ratings; of the others it gives the number."""


def register(app: typer.Typer) -> None:
    """Adds the verb."""

    @app.command("leaderboard", epilog=EPILOG)
    def leaderboard(
        game: Annotated[str | None, typer.Option(help="Only this game.")] = None,
        ruleset: Annotated[
            str | None, typer.Option(help="Only this ruleset, as the table spells it.")
        ] = None,
        all_versions: Annotated[
            bool, typer.Option("--all-versions", help="A row for every version of every bot.")
        ] = False,
        rating: Annotated[
            str, typer.Option(help="How to rate: elo, or an extension's rating system.")
        ] = "elo",
        db: DbOption = DEFAULT_DB,
        output: OutputOption = Output.TABLE,
    ) -> None:
        """Shows the ratings of the bots: of each the latest version that has played.

        Ratings stay with versions: a new version begins anew, and its history
        lists those before it, the latest first.

        JSON and CSV: a row for each bot; few says that its matches are
        too few for an interval: low and high are then missing. At tables of more
        than two a match is a duel with each opponent: won, drawn and lost count
        duels, points add up their mean in each match, firsts are matches finished alone on top.
        """
        from arena_results.leaderboard import leaderboard as rows_of
        from arena_results.leaderboard import with_history

        system = registry().rating_system(rating)
        with database(db) as results:
            _check_names(results, game, ruleset)
            rated = rows_of(results, game, ruleset, system)
            rows = with_history(results, rated, every_version=all_versions)
        if not rows:
            say(f"no matches in {db} yet; begin with: arena tournament run --help")
        if output is Output.TABLE:
            _show_tables(rows, system)
        else:
            show_rows(output, "", COLUMNS, [_row(row) for row in rows])


def _check_names(results: Database, game: str | None, ruleset: str | None) -> None:
    """Names that no tournament in the database has are the user's mistake."""
    from arena_results.queries import tournaments

    stored = tournaments(results)
    _check("game", game, {each.game for each in stored})
    rulesets = {each.ruleset for each in stored if game in (None, each.game)}
    _check("ruleset", ruleset, rulesets)


def _check(kind: str, name: str | None, choices: Collection[str]) -> None:
    if name is not None and name not in choices:
        raise UnknownName(f"{kind} in the database", name, choices)


def _row(row: LeaderboardRow) -> dict[str, object]:
    return {
        "game": row.game,
        "ruleset": row.ruleset,
        "rank": row.rank,
        "name": row.participant.name,
        "version": row.participant.version,
        "content": row.participant.content,
        "rating": row.rating,
        "low": None if _few(row) else row.low,
        "high": None if _few(row) else row.high,
        "few": _few(row),
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


def _show_tables(rows: Sequence[LeaderboardRow], system: RatingSystem) -> None:
    from arena_results.leaderboard import table_note

    for (game, ruleset), board in groupby(rows, key=lambda row: (row.game, row.ruleset)):
        _show_board(f"{game}, {ruleset}", list(board))
    if rows:
        write(stdout(), system.note)
    if _has_tables(rows):
        write(stdout(), table_note(system))
    if any(map(_few, rows)):
        few = f"fewer than {FEW_MATCHES} matches, or {FEW_DEALS} deals"
        write(stdout(), f"?: {few}, too few for an interval")


def _few(row: LeaderboardRow) -> bool:
    return row.games < FEW_MATCHES or row.deals < FEW_DEALS


def _has_tables(rows: Sequence[LeaderboardRow]) -> bool:
    """Whether there was a match of more than two seats."""
    return any(row.seats[-1] > 2 for row in rows)


def _show_board(title: str, board: Sequence[LeaderboardRow]) -> None:
    """One table: what is the same for everybody, or missing, takes no column."""
    names = [(row.participant.name, row.participant.version) for row in board]
    twins = len(set(names)) < len(names)
    stakes = any(row.credits is not None for row in board)
    shown = {column.key: column for column in COLUMNS}
    alone = len({row.participant.name for row in board}) == len(board)
    if alone and any(row.history for row in board):  # else they have rows of their own
        shown["history"] = HISTORY
    shown["low"], shown["won"] = INTERVAL, BALANCE
    if twins:
        shown["content"] = Column("content", "content", most=SHOWN_DIGITS)
    if not stakes:
        del shown["credits"]
    if len({row.isolation for row in board}) == 1:
        title += f"; all ran {' and '.join(board[0].isolation)}"
        del shown["isolation"]
    if _has_tables(board):
        sizes = sorted({size for row in board for size in row.seats})
        title += f"; seats at a table: {', '.join(map(str, sizes))}"
    else:
        del shown["firsts"]  # of two seats it is the matches won
    show_rows(Output.TABLE, title, list(shown.values()), [_row_for_people(row) for row in board])


def _row_for_people(row: LeaderboardRow) -> dict[str, object]:
    interval = "?" if _few(row) else f"{row.low:.0f}-{row.high:.0f}"
    balance = f"{row.won} {row.drawn} {row.lost}"
    told = [f"{each.version} ({each.rating:.0f})" for each in row.history[:MOST_EARLIER]]
    if len(row.history) > MOST_EARLIER:
        told.append(f"+{len(row.history) - MOST_EARLIER}")
    return _row(row) | {"interval": interval, "balance": balance, "earlier": " ".join(told)}

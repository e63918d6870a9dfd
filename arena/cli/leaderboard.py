"""``arena leaderboard``: ratings with their intervals, a table for each game and ruleset."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.completion import complete_game
from arena.cli.output import Column, Output, OutputOption, say, show_rows, stdout, write
from arena.cli.wiring import DEFAULT_DB, DbOption, registry
from arena.core.rating import RatingSystem
from arena.core.tournament import SHOWN_DIGITS
from arena.service.databases import open_database

if TYPE_CHECKING:
    from arena_results.leaderboard import LeaderboardRow

EPILOG = """\b
Examples:
  arena leaderboard
  arena leaderboard --game pazaak --ruleset standard
  arena leaderboard --all-versions
  arena leaderboard --db sqlite:///last-year.db -o csv
"""

COLUMNS = (
    Column("game", ""),
    Column("ruleset", ""),
    Column("rank", "#", right=True),
    Column("name", "bot", drop=0),
    Column("version", "version", drop=2),
    Column("content", ""),
    Column("rating", "rating", right=True, digits=0, drop=0),
    Column("low", ""),
    Column("high", ""),
    Column("few", ""),
    Column("games", "games", right=True),
    Column("seats", ""),
    Column("points", "points", right=True, drop=3),
    Column("firsts", "1st", right=True, drop=3),
    Column("won", ""),
    Column("drawn", ""),
    Column("lost", ""),
    Column("credits", "credits", right=True, drop=2),
    Column("isolation", "ran", drop=5),
    Column("history", ""),
)
INTERVAL = Column("interval", "low-high", right=True)
BALANCE = Column("balance", "+ = -", right=True, drop=4)
HISTORY = Column("earlier", "earlier versions", drop=6)
MOST_EARLIER = 2
"""Earlier versions that a table shows with their ratings; of the others it gives the number."""


def register(app: typer.Typer) -> None:
    """Adds the verb."""

    @app.command("leaderboard", epilog=EPILOG)
    def leaderboard(
        game: Annotated[
            str | None, typer.Option(help="Only this game.", autocompletion=complete_game)
        ] = None,
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
        from arena.service import leaderboard as service

        system = registry().rating_system(rating)
        with open_database(db) as results:
            rows = service.leaderboard(
                results, game, ruleset, system=system, all_versions=all_versions
            )
        if not rows:
            say(f"no matches in {db} yet; begin with: arena tournament run --help")
        if output is Output.TABLE:
            _show_tables(rows, system)
        else:
            show_rows(output, "", COLUMNS, [service.board_row(row) for row in rows])


def _show_tables(rows: Sequence[LeaderboardRow], system: RatingSystem) -> None:
    from arena_results.leaderboard import table_note
    from arena_results.ratings.systems import FEW_DEALS, FEW_MATCHES

    from arena.service.leaderboard import is_few

    for (game, ruleset), board in groupby(rows, key=lambda row: (row.game, row.ruleset)):
        _show_board(f"{game}, {ruleset}", list(board))
    if rows:
        write(stdout(), system.note)
    if _has_tables(rows):
        write(stdout(), table_note(system))
    if any(map(is_few, rows)):
        few = f"fewer than {FEW_MATCHES} matches, or {FEW_DEALS} deals"
        write(stdout(), f"?: {few}, too few for an interval")


def _has_tables(rows: Sequence[LeaderboardRow]) -> bool:
    """True if there was a match of more than two seats."""
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
        shown["content"] = Column("content", "content", most=SHOWN_DIGITS, drop=5)
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
    from arena.service.leaderboard import board_row, is_few

    interval = "?" if is_few(row) else f"{row.low:.0f}-{row.high:.0f}"
    balance = f"{row.won} {row.drawn} {row.lost}"
    earlier = [f"{each.version} ({each.rating:.0f})" for each in row.history[:MOST_EARLIER]]
    if len(row.history) > MOST_EARLIER:
        earlier.append(f"+{len(row.history) - MOST_EARLIER}")
    return board_row(row) | {"interval": interval, "balance": balance, "earlier": " ".join(earlier)}

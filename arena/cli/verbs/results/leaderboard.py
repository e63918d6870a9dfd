"""``arena leaderboard``: ratings with their intervals, a table for each game and ruleset."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer

from arena.cli.terminal.completion import complete_game
from arena.cli.terminal.help import ORGANISERS
from arena.cli.terminal.output import (
    Output,
    OutputOption,
    draw,
    say,
    show,
    stdout,
    write,
    write_rows,
)
from arena.cli.terminal.wiring import DEFAULT_DB, DbOption, registry
from arena.core.tournaments.rating import RatingSystem
from arena.service.storage.databases import open_database

if TYPE_CHECKING:
    from arena_results.boards.board_rows import Board

EPILOG = """\b
Examples:
  arena leaderboard
  arena leaderboard --game pazaak --ruleset standard
  arena leaderboard --tournament 3 --all-versions
  arena leaderboard --anchor "stand(at=17)=1500"
  arena leaderboard --pairs -o csv
  arena leaderboard --rating elo --db sqlite:///last-year.db
  arena leaderboard --rating "elo(k=8)"
"""


def register(app: typer.Typer) -> None:
    """Adds the verb."""
    app.command("leaderboard", rich_help_panel=ORGANISERS, epilog=EPILOG)(leaderboard)


def leaderboard(
    game: Annotated[
        str | None, typer.Option(help="Game to show. [all]", autocompletion=complete_game)
    ] = None,
    ruleset: Annotated[
        str | None, typer.Option(help="Ruleset to show, as in the table. [all]")
    ] = None,
    tournament: Annotated[
        int | None, typer.Option(metavar="ID", help="Number of the only tournament to count. [all]")
    ] = None,
    all_versions: Annotated[
        bool, typer.Option("--all-versions", help="Show every version of every bot.")
    ] = False,
    rating: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="Rating system: joint, elo, glicko2, openskill, bt, pl, or an extension's.",
        ),
    ] = "joint",
    anchor: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=RATING",
            help="Fixed rating of NAME or NAME@VERSION. Joint rating only. Repeatable.",
        ),
    ] = None,
    pairs: Annotated[
        bool,
        typer.Option("--pairs", help="Show the chance that one bot is better, for every pair."),
    ] = False,
    db: DbOption = DEFAULT_DB,
    output: OutputOption = Output.TABLE,
) -> None:
    """Show the ratings of bots.

    Each row is the latest version of a bot that has played. A new version starts without a
    rating; arena bots show NAME lists all of them.

    # is a range of ranks if the 95 % interval of a difference includes 0.
    P(beats next) is the chance that a bot is truly better than the next one.

    JSON and CSV have one row per bot. few means too few matches for an interval: low and high
    are then missing. At tables of more than two, won, drawn and lost count head-to-head
    results, points are the mean per match, and firsts are matches won alone.
    """
    from arena_results.boards.leaderboard import Asked

    from arena.service.boards.rows import leaderboards
    from arena.service.boards.table import board_columns, board_row
    from arena.service.rating.rate import read_anchors

    found = registry()
    asked = Asked(
        game=game,
        ruleset=ruleset,
        tournament=tournament,
        system=found.rating_system(rating),
        anchors=read_anchors(anchor or []),
    )
    with open_database(db) as results:
        boards = leaderboards(results, asked, all_versions=all_versions, registry=found)
    if not boards:
        say(f"no matches in {db} yet; begin with: arena tournament run --help")
    if pairs:
        _show_pairs(boards, asked.system, output)
    elif output is Output.TABLE:
        _show_tables(boards, asked.system)
    else:
        rows = [board_row(row) for board in boards for row in board.rows]
        write_rows(output, [each for each in board_columns() if not each.derived], rows)


def _show_pairs(boards: Sequence[Board], system: RatingSystem, output: str) -> None:
    from arena.service.boards.rows import pair_table

    if output is not Output.TABLE:
        show(output, pair_table(boards, system))
        return
    for board in boards:
        draw(pair_table([board], system))


def _show_tables(boards: Sequence[Board], system: RatingSystem) -> None:
    from arena_results.boards.leaderboard import table_note
    from arena_results.ratings.fits.remarks import FEW_DEALS, FEW_MATCHES

    from arena.service.boards.table import board_notes, board_table

    for board in boards:
        groups = [tuple(rows) for _, rows in groupby(board.rows, key=lambda row: row.component)]
        for number, rows in enumerate(groups, 1):
            table = board_table(msgspec.structs.replace(board, rows=rows))
            apart = f"; group {number} of {len(groups)} that never met" if len(groups) > 1 else ""
            draw(msgspec.structs.replace(table, title=table.title + apart))
        for note in board_notes(board):
            write(stdout(), note)
    rated = [row for board in boards for row in board.rows]
    if any(not row.unit for row in rated):
        write(stdout(), system.note)
    if any(row.seats[-1] > 2 for row in rated):
        write(stdout(), table_note(system))
    if any(row.few for row in rated):
        few = f"fewer than {FEW_MATCHES} matches, or {FEW_DEALS} deals"
        write(stdout(), f"?: {few}, too few for an interval; there is not enough to rank by")

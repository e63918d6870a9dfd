"""``arena matches``: finds stored matches, and the commands that replay them."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from itertools import islice
from typing import TYPE_CHECKING, Annotated

import typer
from arena_results.file.addresses import db_option

from arena.cli.terminal.completion import complete_bot
from arena.cli.terminal.help import ORGANISERS
from arena.cli.terminal.output import Output, OutputOption, counted, draw, say, show, stdout, write
from arena.cli.terminal.wiring import DEFAULT_DB, DbOption
from arena.core.outcome import Termination
from arena.core.table import Table
from arena.service.storage.databases import open_database

if TYPE_CHECKING:
    from arena.service.answers.rows import Row

CAUSES = ", ".join(each for each in Termination if each is not Termination.HARNESS_FAULT)
EPILOG = f"""Causes: {CAUSES}.

\b
Examples:
  arena matches 3 --bot my-bot --lost --cause crash
  arena matches --bot optimal --against counter --closest 5
  arena matches 3 --round 2 -o csv
"""
IN_A_TABLE = 50
"""Matches that a table shows unless ``--limit`` says how many."""


def register(app: typer.Typer) -> None:
    """Adds the verb."""
    app.command("matches", rich_help_panel=ORGANISERS, epilog=EPILOG)(matches_command)


def matches_command(
    tournament: Annotated[
        int | None, typer.Argument(metavar="ID", help="Number of the tournament. [all]")
    ] = None,
    bot: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="Bot, as in the standings, or a pattern such as 'team*'.",
            autocompletion=complete_bot,
        ),
    ] = "",
    against: Annotated[
        str, typer.Option(metavar="NAME", help="Opponent.", autocompletion=complete_bot)
    ] = "",
    won: Annotated[bool, typer.Option("--won", help="Matches that --bot won.")] = False,
    drawn: Annotated[bool, typer.Option("--drawn", help="Drawn matches.")] = False,
    lost: Annotated[bool, typer.Option("--lost", help="Matches that --bot lost.")] = False,
    cause: Annotated[
        str, typer.Option(help="Cause of the end, such as timeout or 'illegal action'.")
    ] = "",
    round: Annotated[
        int | None, typer.Option(metavar="N", help="Number of the round. [all]")
    ] = None,
    closest: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help="Show the N closest matches without faults."),
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help=f"Most matches to show. [{IN_A_TABLE} in a table]"),
    ] = None,
    db: DbOption = DEFAULT_DB,
    output: OutputOption = Output.TABLE,
) -> None:
    """Find matches by bot, result, cause and round.

    Each row has the command that replays the match. At a table of more than two a bot wins when it
    finishes alone on top. With --lost, --cause is the bot's own fault, else that of any seat.
    JSON, JSON lines, CSV and Parquet: a row for each match, written as they are read.
    """
    from arena.service.match.listing import Wanted, find_matches, one_result

    wanted = Wanted(
        tournament=tournament,
        bot=bot,
        against=against,
        result=one_result(won=won, drawn=drawn, lost=lost),
        cause=cause,
        round=round,
        closest=closest,
    )
    with open_database(db) as results:
        columns, rows = find_matches(results, wanted)
        with closing(rows):
            if output is Output.TABLE:
                _show(list(islice(rows, (limit or IN_A_TABLE) + 1)), limit or IN_A_TABLE, db)
            else:
                show(output, Table(columns=columns, rows=islice(rows, limit)))


def _show(rows: Sequence[Row], most: int, db: str) -> None:
    from arena.service.match.listing import match_table

    if not rows:
        say("No match is like that")
        return
    draw(match_table("", rows[:most]))
    first = rows[0]["replay"]
    write(stdout(), f"Replay one: {first}{db_option(db)}")
    if len(rows) > most:
        first_ones = f"These are the first {counted(most, 'match', 'matches')}"
        write(stdout(), f"{first_ones}; more: --limit N, all: -o csv", style="dim")

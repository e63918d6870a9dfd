"""``arena transcripts``: shows and removes what language models were asked and answered."""

from __future__ import annotations

from contextlib import closing
from typing import Annotated

import typer

from arena.cli.terminal.help import ORGANISERS
from arena.cli.terminal.output import Output, OutputOption, counted, draw, say, show
from arena.cli.terminal.pager import show_long
from arena.cli.terminal.wiring import DEFAULT_DB, DbOption, Number
from arena.core.table import Table
from arena.service.storage.databases import open_database

EPILOG = """\b
Examples:
  arena transcripts show 3
  arena transcripts show 3.1.2.1
  arena transcripts show 3 -o jsonl
  arena transcripts purge 3
"""


def register(app: typer.Typer) -> None:
    """Adds the verb."""
    transcripts = typer.Typer(
        help="Show or remove what language models were asked and answered.", no_args_is_help=True
    )
    transcripts.command("show", epilog=EPILOG)(show_command)
    transcripts.command("purge", epilog=EPILOG)(purge_command)
    app.add_typer(transcripts, name="transcripts", rich_help_panel=ORGANISERS)


def show_command(
    match: Annotated[
        str,
        typer.Argument(
            metavar="ID[.ROUND[.PAIRING[.MATCH]]]", help="Number of the tournament, or of a match."
        ),
    ],
    db: DbOption = DEFAULT_DB,
    output: OutputOption = Output.TABLE,
) -> None:
    """Show the questions to language models, and their answers.

    One match shows its messages; more are a table of numbers. JSON, JSON lines, CSV and Parquet
    have a row for each question with its messages and raw answer, written as they are read.
    """
    from arena.service.match.replays import parse_numbers
    from arena.service.match.transcripts import COLUMNS, flat, transcript, transcript_text

    with open_database(db) as results:
        numbers = parse_numbers(results, match)
        with closing(transcript(results, numbers.tournament, numbers.rest)) as rows:
            if output in (Output.JSON, Output.JSONL):
                show(output, Table(columns=COLUMNS, rows=rows))
            elif output is not Output.TABLE:
                show(output, Table(columns=COLUMNS, rows=flat(rows)))
            else:
                found = [*rows]
                if not found:
                    say(f"no transcript of {match} is kept: only language models have one")
                elif len(numbers.rest) == 3:
                    show_long(transcript_text(results, numbers.tournament, numbers.rest))
                else:
                    draw(Table(title=f"Transcripts of {match}", columns=COLUMNS, rows=found))


def purge_command(tournament: Number, db: DbOption = DEFAULT_DB) -> None:
    """Remove the messages of transcripts; their numbers stay.

    Messages of unfinished matches stay, so that nothing is asked twice.
    """
    from arena.service.match.transcripts import purge_transcripts

    with open_database(db) as results:
        removed = purge_transcripts(results, tournament)
    say(f"removed the texts of {counted(removed, 'question')} of tournament {tournament}")

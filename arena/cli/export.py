"""``arena export``: a tournament's results as files for other programs."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from arena.cli.output import Output, check_not_shown, read_output, say
from arena.cli.wiring import DEFAULT_DB, DbOption, registry
from arena.core.errors import BadInput
from arena.service.databases import open_database

EPILOG = """\b
Examples:
  arena export 3 matches > matches.csv
  arena export 3 standings -o jsonl
  arena export 3 decisions -o parquet --to decisions.parquet
  arena export 3 --to results

\b
matches    a row a match: key, seed, ending, and by seat names, returns, scores
decisions  a row a decision, re-executed: match, move, seat, bot, action, choices
standings  a row a bot: ranks, scores, tie-breaks, losses by cause
pairings   a row for each bot in each pairing, and for each bye
ratings    the leaderboard's rows of its bots, and their ratings before it
"""


def register(app: typer.Typer) -> None:
    """Adds the verb."""

    @app.command("export", epilog=EPILOG)
    def export(
        tournament: Annotated[int, typer.Argument(metavar="ID", help="Its number.")],
        what: Annotated[
            list[str] | None,
            typer.Argument(
                metavar="WHAT", help="matches, decisions, standings, pairings, ratings. [all]"
            ),
        ] = None,
        output: Annotated[
            str,
            typer.Option(
                "-o",
                "--output",
                parser=read_output,
                metavar="[csv|jsonl|json|parquet]",
                help="How to write.",
            ),
        ] = Output.CSV,
        to: Annotated[
            Path | None,
            typer.Option(
                metavar="PATH", help="A file; of several lists a folder. [one list: stdout]"
            ),
        ] = None,
        measured: Annotated[
            bool,
            typer.Option("--measured", help="Isolation and times, too, which differ between runs."),
        ] = False,
        db: DbOption = DEFAULT_DB,
    ) -> None:
        """Writes a tournament's results: lists as CSV, JSON lines or Parquet.

        Rows are written as they are read: a list of a million matches needs no more memory than
        one of a thousand. A file is written whole or stays as it was.
        """
        from arena.service.exports import Results, check_tables, export_tables, write_table

        found, lists = registry(), what or []
        check_tables(lists)
        if output is Output.TABLE:
            raise BadInput("-o table is for people; choices here: csv, jsonl, json, parquet")
        with open_database(db) as database:
            results = Results(found, database, tournament, measured=measured)
            if to is not None:
                for path in export_tables(found, results, lists, output, to):
                    say(f"Wrote {path}")
            elif len(lists) == 1:
                check_not_shown(found.exporter(output))
                sys.stdout.flush()
                write_table(found, results.table(lists[0]), output, sys.stdout.buffer)
            else:
                raise BadInput("several lists need a folder: --to FOLDER, or name one list")

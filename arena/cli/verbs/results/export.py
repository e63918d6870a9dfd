"""``arena export`` and ``arena import``: a tournament's results as files."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from arena.cli.terminal.help import ORGANISERS
from arena.cli.terminal.output import Output, check_not_shown, counted, read_output, say
from arena.cli.terminal.wiring import DEFAULT_DB, DbOption, registry
from arena.core.errors import BadInput
from arena.service.storage.databases import open_database

EPILOG = """\b
Examples:
  arena export 3 matches > matches.csv
  arena export 3 standings -o jsonl
  arena export 3 decisions -o parquet --to decisions.parquet
  arena export 3 --to results
  arena export 3 --bundle cup.arena

\b
matches    a row per match: key, seed, ending; names, returns, scores by seat
decisions  a row per decision: match, move, seat, bot, action, choices
standings  a row per bot: ranks, scores, tie-breaks, losses by cause
pairings   a row per bot in a pairing, and per bye
ratings    the leaderboard's rows of its bots, and their ratings before it
"""


IMPORT_EPILOG = "Example: arena import cup.arena --db cups.db"


def register(app: typer.Typer) -> None:
    """Adds the verbs."""
    app.command("export", rich_help_panel=ORGANISERS, epilog=EPILOG)(export)
    app.command("import", rich_help_panel=ORGANISERS, epilog=IMPORT_EPILOG)(import_)


def export(
    tournament: Annotated[int, typer.Argument(metavar="ID", help="Number of the tournament.")],
    what: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="WHAT",
            help="Lists: matches, decisions, standings, pairings, ratings, logs. [all]",
        ),
    ] = None,
    output: Annotated[
        str,
        typer.Option(
            "-o",
            "--output",
            parser=read_output,
            metavar="[csv|jsonl|json|parquet]",
            help="File format.",
        ),
    ] = Output.CSV,
    to: Annotated[
        Path | None,
        typer.Option(
            metavar="PATH", help="File, or folder for several lists. [stdout for one list]"
        ),
    ] = None,
    bundle: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Bundle to write: the whole tournament in one file."),
    ] = None,
    measured: Annotated[
        bool, typer.Option("--measured", help="Add isolation and times, which differ between runs.")
    ] = False,
    db: DbOption = DEFAULT_DB,
) -> None:
    """Export a tournament as tables or as a bundle.

    Rows are written as they are read: a list of a million matches needs no more memory than
    one of a thousand. A file is written whole or stays as it was. A bundle holds records,
    rounds, field, key, chain and the files of submitted bots, of a finished tournament; arena
    import, arena tournament verify, arena replay and --db read it.
    """
    if bundle is not None:
        if what or to or measured:
            raise BadInput("--bundle: cannot be combined with lists, --to or --measured")
        _export_bundle(tournament, db, bundle)
        return
    if output is Output.TABLE:
        raise BadInput("-o table: expected csv, jsonl, json or parquet")
    _export_lists(tournament, what or [], output, to, db, measured=measured)


def _export_lists(
    tournament: int, lists: list[str], output: str, to: Path | None, db: str, *, measured: bool
) -> None:
    from arena.service.public.exports import Results, check_tables, export_tables, write_table

    found = registry()
    check_tables(lists)
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


def import_(
    bundle: Annotated[
        Path, typer.Argument(metavar="FILE", help="Bundle from arena export --bundle.")
    ],
    db: DbOption = DEFAULT_DB,
) -> None:
    """Import a tournament from a bundle.

    It gets a new number, and ratings count it. Its submitted bots are stored with their files,
    disabled: nobody qualified them here.
    """
    from arena.service.storage.bundles import import_bundle

    with open_database(db, create=True) as database:
        imported = import_bundle(database, bundle)
    say(f"Imported as tournament {imported.tournament}")
    for bot, reason in imported.bots.items():
        say(f"bot {bot}: " + (f"left out, {reason}" if reason else "in the registry"))
    say(f"Check it: arena tournament verify {imported.tournament}{database.option}")


def _export_bundle(tournament: int, db: str, path: Path) -> None:
    from arena.service.storage.bundles import export_bundle

    with open_database(db) as database:
        bots = export_bundle(database, tournament, path)
    files = f", with the files of {counted(bots, 'submitted bot')}" if bots else ""
    say(f"Wrote {path}{files}")

"""``arena report``: a tournament as pages for the browser, in a folder or one file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from arena.cli.terminal.help import ORGANISERS
from arena.cli.terminal.output import counted, say
from arena.cli.terminal.wiring import DEFAULT_DB, DbOption, Number, registry
from arena.core.errors import BadInput
from arena.service.answers.defaults import REPLAYS
from arena.service.storage.databases import open_database

EPILOG = """\b
Examples:
  arena report 3 --html cup
  arena report 3 --html cup --match 2.1.4 --replays 50 --force
  arena report 3 --single cup.html
"""


def register(app: typer.Typer) -> None:
    """Adds the verb."""
    app.command("report", rich_help_panel=ORGANISERS, epilog=EPILOG)(report_command)


def report_command(
    id: Number,
    html: Annotated[
        Path | None, typer.Option("--html", metavar="DIR", help="Folder to write, with index.html.")
    ] = None,
    single: Annotated[
        Path | None,
        typer.Option("--single", metavar="FILE", help="File to write, with replays as text."),
    ] = None,
    match: Annotated[
        list[str] | None,
        typer.Option(
            "--match", metavar="ROUND.PAIRING.MATCH", help="Match to add as a replay. Repeatable."
        ),
    ] = None,
    replays: Annotated[
        int, typer.Option(metavar="N", min=0, help="Number of closest matches to replay.")
    ] = REPLAYS,
    view: Annotated[
        str | None,
        typer.Option(
            metavar="[public|all]", help="Point of view of replays. [all, public while unfinished]"
        ),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Replace an earlier report in the folder.")
    ] = False,
    db: DbOption = DEFAULT_DB,
) -> None:
    """Write a tournament as web pages.

    Pages have standings, crosstable, rounds, losses, times and replays. They work from a file,
    without a network; replays are of matches with a fault (the first 100), of the closest ones,
    and of those asked for. Equal results give equal files.
    """
    from arena.pages.report import INDEX, PARTS, report_files, single_report
    from arena.service.answers.writing import check_replaceable, replacing, write_folder
    from arena.service.public.static_report import report_contents

    if (html is None) == (single is None):
        raise BadInput(
            "a report is written either to a folder (--html DIR) or a file (--single FILE)"
        )
    if html:
        check_replaceable(html, PARTS, force=force)
    with open_database(db) as database:
        found = report_contents(
            registry(), database, id, matches=match or (), replays=replays, view=view
        )
    if html:
        write_folder(html, report_files(found))
    elif single:
        with replacing(single) as file:
            file.write(single_report(found).encode())
    written = html / INDEX if html else single
    say(f"written: {written}, with {counted(len(found.replays), 'replay')}")

"""How a verb that plays or shows a tournament ends: the report, or how to go on."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack

import typer
from arena_results.database import Database
from arena_results.rows import StoredTournament
from arena_tournaments.spec import read_spec

from arena.cli.entering import enter
from arena.cli.exits import STOPPED
from arena.cli.finding import BotResolver
from arena.cli.output import Output, say, show_json, show_rows
from arena.cli.report import document, make_report, standing_rows
from arena.cli.report_text import print_report, result_text, standing_columns
from arena.cli.running import Interrupted, run_new
from arena.cli.wiring import (
    database,
    db_option,
    existing_database,
    registry,
    report_problems,
)
from arena.plugins.registry import Registry


def play(keys: Mapping[str, object], where: str, db: str, output: Output) -> None:
    """Plays a new tournament and reports it.

    Args:
        keys: The keys of a tournament file, with what the command line overrules.
        where: The file, or ``"command line"``, for errors.
        db: Address of the database.
        output: How to print.
    """
    problems: list[str] = []
    spec = read_spec(keys, problems)
    found = registry()
    with ExitStack() as stack:
        store = existing_database(db)
        resolver = stack.enter_context(BotResolver(found, store and stack.enter_context(store)))
        try:
            entered = enter(resolver, spec, where, problems)
        finally:  # a name may be unknown because its plugin could not be used
            report_problems(found)
        with database(db, create=True) as results:
            finish(found, results, run_new(found, results, entered), output)


def finish(
    registry: Registry,
    database: Database,
    ended: StoredTournament | Interrupted,
    output: Output,
) -> None:
    """Prints the report; after a signal the line that goes on, and exit code 128 + its number."""
    if isinstance(ended, Interrupted):
        say(f"Interrupted; everything that was played is kept. Go on with:\n  {ended.resume}")
        raise typer.Exit(STOPPED + ended.signal)
    report = make_report(ended, registry.format(ended.summary.format))
    if output is Output.TABLE:
        print_report(report, db_option(database))
    elif output is Output.JSON:
        show_json(document(report))
    else:
        columns = [column for column in standing_columns(report) if "." not in column.key]
        show_rows(output, "", columns, standing_rows(report))
    if report.block is not None and output is Output.CSV:
        say(result_text(report.names, report.block))

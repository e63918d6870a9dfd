"""``arena tournament``: run, resume, list, show."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.options import takes_keys
from arena.cli.output import (
    Column,
    Output,
    OutputOption,
    TextOrJson,
    TextOrJsonOption,
    show_rows,
)
from arena.cli.wiring import DEFAULT_DB, DbOption, registry
from arena.service.databases import open_database

if TYPE_CHECKING:
    from arena_results.rows import TournamentSummary

app = typer.Typer(no_args_is_help=True, help="Run, resume and look at tournaments.")


def register(parent: typer.Typer) -> None:
    """Adds the verb."""
    parent.add_typer(app, name="tournament")


RUN_EPILOG = (
    "Example: arena tournament run --format swiss --bot 'stand(at=17)' --bot random "
    "--bot counter --games 20. What is given here overrules the file."
)


@app.command("run", epilog=RUN_EPILOG)
@takes_keys()
def run_command(
    file: Annotated[
        Path | None, typer.Argument(help="Tournament file (TOML); its keys are these options.")
    ] = None,
    *,
    keys: dict[str, object],
    db: DbOption = DEFAULT_DB,
    output: OutputOption = Output.TABLE,
) -> None:
    """Plays a tournament; prints standings and crosstable."""
    from arena_tournaments.spec import load_keys, overrule

    from arena.cli.playing import play_new

    chosen = overrule(load_keys(file) if file else {}, keys)
    play_new(chosen, str(file or "command line"), db, output)


@app.command("resume")
def resume_command(
    tournament: Annotated[
        int | None, typer.Argument(metavar="[ID]", help="Its number. [the last unfinished one]")
    ] = None,
    db: DbOption = DEFAULT_DB,
    output: OutputOption = Output.TABLE,
) -> None:
    """Goes on where a run stopped; nothing is played twice."""
    from arena.cli.playing import play_on

    play_on(tournament, db, output)


LIST_COLUMNS = (
    Column("id", "ID", right=True),
    Column("name", "name", drop=2),
    Column("game", "game"),
    Column("ruleset", "ruleset", drop=5),
    Column("format", "format"),
    Column("entries", "bots", right=True, drop=3),
    Column("rounds", "rounds", right=True, drop=4),
    Column("games", "games", right=True, drop=4),
    Column("matches", "matches", right=True, drop=2),
    Column("seed", ""),
    Column("status", "status", drop=0),
    Column("key", ""),
    Column("open", ""),
)
LIST_TABLE = (*LIST_COLUMNS[:9], Column("seeds", "deals from", drop=6), LIST_COLUMNS[10])


@app.command("list")
def list_command(db: DbOption = DEFAULT_DB, output: OutputOption = Output.TABLE) -> None:
    """Lists the tournaments of a database."""
    from arena_results.queries import tournaments

    with open_database(db) as results:
        rows = [_list_row(summary) for summary in tournaments(results)]
    columns = LIST_TABLE if output is Output.TABLE else LIST_COLUMNS
    show_rows(output, "Tournaments", columns, rows)


def _list_row(summary: TournamentSummary) -> dict[str, object]:
    """The row of the JSON document, and beside it the origin of the seeds for people."""
    from arena.service.report import summary_row

    seeds = summary.seeds
    origin = f"open seed {seeds.seed}" if seeds.key is None else str(seeds.origin)
    return summary_row(summary) | {"seeds": origin}


@app.command("show")
def show_command(
    tournament: Annotated[int, typer.Argument(metavar="ID", help="Its number.")],
    db: DbOption = DEFAULT_DB,
    output: OutputOption = Output.TABLE,
) -> None:
    """Shows a tournament's standings, crosstable and results."""
    from arena_results.queries import tournament as stored_tournament

    from arena.cli.playing import show_report

    with open_database(db) as results:
        show_report(registry(), results, stored_tournament(results, tournament), output)


@app.command("trf")
def trf_command(
    tournament: Annotated[int, typer.Argument(metavar="ID", help="Its number.")],
    db: DbOption = DEFAULT_DB,
) -> None:
    """Prints a Swiss as a Tournament Report File of FIDE (TRF26).

    Other programs read it: arena pair and arena standings do. A result is 1, 1/2 or 0 by the
    majority of a pairing's match points; the pairing number is the place in the initial order.
    """
    from arena_results.queries import tournament as stored_tournament

    from arena.service.formats import stored_format
    from arena.service.report import make_report
    from arena.service.tournament_reports import written_report

    with open_database(db) as results:
        stored = stored_tournament(results, tournament)
        report = make_report(stored, stored_format(registry(), stored.summary))
    sys.stdout.write(written_report(report))


VERIFY_EPILOG = (
    "Checked are all rows, the commitment to the key, every match by re-executing its record, the "
    "rounds by pairing them again, and the chain over the results. Exit code 1 at a difference."
)


@app.command("verify", epilog=VERIFY_EPILOG)
def verify_command(
    tournament: Annotated[int, typer.Argument(metavar="ID", help="Its number.")],
    db: DbOption = DEFAULT_DB,
    output: TextOrJsonOption = TextOrJson.TABLE,
) -> None:
    """Computes a tournament again from its records; names the first difference."""
    from arena.cli.verifying import verify

    verify(tournament, db, output)

"""``arena tournament``: run, resume, fork, redo, pause, rename, list, show, letters, ..."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from arena.cli.terminal.exits import BAD_INPUT
from arena.cli.terminal.help import ORGANISERS, Grouped
from arena.cli.terminal.options import takes_keys
from arena.cli.terminal.output import (
    DetailsOption,
    Output,
    OutputOption,
    TextOrJson,
    TextOrJsonOption,
    counted,
    say,
    show,
)
from arena.cli.terminal.wiring import DEFAULT_DB, DbOption, Number, registry
from arena.cli.texts.luck import ValuesFile, show_luck
from arena.cli.verbs.tournaments.rulings import app as rulings
from arena.core.errors import BadInput
from arena.core.table import Table
from arena.service.answers.defaults import LETTER_DECISIONS
from arena.service.answers.errors import COMMAND_LINE
from arena.service.run.options import ResumeKeys, RunOptions
from arena.service.storage.bundle_files import BUNDLE, is_bundle
from arena.service.storage.databases import open_database

app = typer.Typer(no_args_is_help=True, help="Run, inspect and organise tournaments.")
app.add_typer(rulings)


def register(parent: typer.Typer) -> None:
    """Adds the verb."""
    parent.add_typer(app, name="tournament", rich_help_panel=ORGANISERS)


class After(StrEnum):
    """The values of ``--after``."""

    ROUND = "round"
    MATCH = "match"


EventsOption: TypeAlias = Annotated[
    str | None,
    typer.Option("--events", metavar="FILE|-", help="File for events as JSON lines, - for stdout."),
]

RUN_EPILOG = (
    "Example: arena tournament run --format swiss --bot 'stand(at=17)' --bot random "
    "--bot counter --games 20. Options replace the file's keys."
)


@app.command("run", cls=Grouped, epilog=RUN_EPILOG)
@takes_keys()
def run_command(
    file: Annotated[
        Path | None,
        typer.Argument(metavar="FILE", help="Tournament file in TOML, with options as keys."),
    ] = None,
    *,
    keys: dict[str, object],
    run_options: RunOptions,
    events: EventsOption = None,
    dry_run: Annotated[
        bool,
        typer.Option(
            "--dry-run", help="Show field, rounds, matches and estimated time, without playing."
        ),
    ] = False,
    precision: Annotated[
        float | None,
        typer.Option(metavar="ELO", help="Elo precision for which --dry-run computes the matches."),
    ] = None,
    details: DetailsOption = False,
    db: DbOption = DEFAULT_DB,
    output: OutputOption = Output.TABLE,
) -> None:
    """Play a tournament.

    Prints standings and crosstable at the end.
    """
    from arena_tournaments.spec.files import load_keys, overrule

    from arena.cli.verbs.tournaments.playing import play_new, show_dry_run

    chosen, where = overrule(load_keys(file) if file else {}, keys), str(file or COMMAND_LINE)
    if dry_run:
        show_dry_run(chosen, where, db, output, precision)
        return
    if precision is not None:
        raise BadInput("--precision: needs --dry-run")
    play_new(chosen, where, db, output, run_options, events, details=details)


@app.command("resume")
@takes_keys("max_crash_rate", "max_cost", "executor")
def resume_command(
    tournament: Annotated[
        int | None,
        typer.Argument(metavar="ID", help="Number of the tournament. [the last unfinished]"),
    ] = None,
    *,
    run_options: RunOptions,
    keys: ResumeKeys,
    events: EventsOption = None,
    details: DetailsOption = False,
    db: DbOption = DEFAULT_DB,
    output: OutputOption = Output.TABLE,
) -> None:
    """Resume a tournament where it stopped.

    No match is played twice.
    """
    from arena.cli.verbs.tournaments.playing import play_on

    play_on(tournament, keys, db, output, run_options, events, details=details)


@app.command("fork", cls=Grouped)
@takes_keys()
def fork_command(
    tournament: Number,
    *,
    keys: dict[str, object],
    redo_crashed: Annotated[
        bool, typer.Option("--redo-crashed", help="Keep all matches except crashed ones.")
    ] = False,
    run_options: RunOptions,
    events: EventsOption = None,
    details: DetailsOption = False,
    db: DbOption = DEFAULT_DB,
    output: OutputOption = Output.TABLE,
) -> None:
    """Play a new tournament with another's bots and settings.

    Bots and rules are taken as they are now; options given here overrule the settings. With
    --redo-crashed the new one has all matches of the other but those that crashed or did not start,
    which are played again; bots and rules must be unchanged.
    """
    from arena.cli.verbs.tournaments.playing import play_fork

    play_fork(
        tournament, keys, db, output, run_options, events, redo_crashed=redo_crashed,
        details=details,
    )  # fmt: skip


@app.command("redo")
def redo_command(
    tournament: Number,
    *,
    place: Annotated[
        str, typer.Option("--place", metavar="PLACE", help="The place, e.g. a worker's address.")
    ],
    details: DetailsOption = False,
    db: DbOption = DEFAULT_DB,
    output: OutputOption = Output.TABLE,
) -> None:
    """Play all matches of a place again, here.

    A place is what played for a remote executor. Matches with other records are replaced, and
    listed as void. Rounds that were paired by them are paired and played again. A finished
    tournament is finished again, with the same chain as after a run on this machine.
    """
    from arena.cli.verbs.tournaments.playing import play_place_again

    play_place_again(tournament, place, db, output, details=details)


@app.command("pause")
def pause_command(
    tournament: Number,
    after: Annotated[
        After, typer.Option(help="Play to finish first: the running round, or matches.")
    ] = After.ROUND,
    db: DbOption = DEFAULT_DB,
) -> None:
    """Pause a running tournament.

    The process that plays it, in another terminal, finishes what is in progress and ends.
    """
    from arena_results.store.organising import request_pause

    with open_database(db) as results:
        request_pause(results, tournament, after.value)
    finished = "round is" if after is After.ROUND else "matches are"
    say(f"Tournament {tournament} pauses when its running {finished} finished")


@app.command("set")
def set_command(
    tournament: Number,
    concurrency: Annotated[int, typer.Option(help="Worker processes from now on.")],
    db: DbOption = DEFAULT_DB,
) -> None:
    """Set the number of workers, also of a running tournament."""
    from arena_results.store.organising import set_concurrency

    with open_database(db) as results:
        set_concurrency(results, tournament, concurrency)
    say(f"Tournament {tournament} is played by {counted(concurrency, 'worker')}")


@app.command("rename")
def rename_command(
    tournament: Number,
    name: Annotated[str, typer.Argument(help="New name.")],
    db: DbOption = DEFAULT_DB,
) -> None:
    """Rename a tournament."""
    from arena_results.store.organising import rename

    with open_database(db) as results:
        rename(results, tournament, name)
    say(f"Tournament {tournament} is called {name!r}")


@app.command("delete")
def delete_command(
    tournament: Number,
    yes: Annotated[bool, typer.Option("--yes", help="Delete without a question.")] = False,
    db: DbOption = DEFAULT_DB,
) -> None:
    """Delete a tournament and its matches.

    Ratings then no longer count them; its number is not given to another.
    """
    from arena_results.store.organising import delete_tournament
    from arena_results.store.queries import summary

    with open_database(db) as results:
        found = summary(results, tournament)
        label = f"tournament {tournament} ({found.name or found.format})"
        question = f"Delete {label} with its {counted(found.matches, 'match', 'matches')}?"
        if not yes and not typer.confirm(question, err=True):
            say("Nothing was deleted")
            raise typer.Exit(BAD_INPUT)
        delete_tournament(results, tournament)
    say(f"Deleted {label}")


@app.command("list")
def list_command(db: DbOption = DEFAULT_DB, output: OutputOption = Output.TABLE) -> None:
    """List the tournaments of a database."""
    from arena_results.store.queries import tournaments

    from arena.service.report.filed.tournament_rows import TOURNAMENTS, summary_row

    with open_database(db) as results:
        rows = [*map(summary_row, tournaments(results))]
    show(output, Table(title="Tournaments", columns=TOURNAMENTS, rows=rows))


@app.command("show")
def show_command(
    tournament: Number,
    explain: Annotated[
        str | None, typer.Option(metavar="NAME", help="Explain why a bot stands where it stands.")
    ] = None,
    details: DetailsOption = False,
    db: DbOption = DEFAULT_DB,
    output: OutputOption = Output.TABLE,
) -> None:
    """Show a tournament's standings, crosstable and results."""
    from arena_results.store.queries import tournament as stored_tournament

    from arena.cli.texts.explanation import show_explanation
    from arena.cli.verbs.tournaments.playing import show_report

    with open_database(db) as results:
        stored = stored_tournament(results, tournament)
        if explain is None:
            show_report(registry(), results, stored, output, details=details)
        else:
            show_explanation(registry(), stored, explain, output)


LOSSES_EPILOG = (
    "A fault counts for the bot that broke the match; start-up is one before its first decision. "
    "Harness faults are our own: such matches are void, listed, and played again."
)


@app.command("losses", epilog=LOSSES_EPILOG)
def losses_command(
    tournament: Number,
    pairs: Annotated[bool, typer.Option("--pairs", help="Show each pair of bots.")] = False,
    db: DbOption = DEFAULT_DB,
    output: OutputOption = Output.TABLE,
) -> None:
    """Show results by cause: play, timeouts, crashes, faults."""
    from arena.cli.texts.ledgers import show_losses

    show_losses(tournament, db, output, pairs=pairs)


@app.command("together")
def together_command(
    tournament: Number, db: DbOption = DEFAULT_DB, output: OutputOption = Output.TABLE
) -> None:
    """Compare results with each other bot and without it.

    For whoever suspects that two play for each other; of tables of three and more.
    """
    from arena.cli.texts.ledgers import show_together

    show_together(tournament, db, output)


LUCK_EPILOG = (
    "Of every match the luck of the cards that came is taken out, by the value function of the "
    "game: see arena replay --help. Deals that are played from every seat count once."
)


@app.command("luck", epilog=LUCK_EPILOG)
def luck_command(
    tournament: Number,
    pairs: Annotated[bool, typer.Option("--pairs", help="Show each pair of bots.")] = False,
    value_function: ValuesFile = None,
    db: DbOption = DEFAULT_DB,
    output: OutputOption = Output.TABLE,
) -> None:
    """Show scores as played and luck-adjusted."""
    show_luck(tournament, db, output, pairs=pairs, file=value_function)


@app.command("trf")
def trf_command(tournament: Number, db: DbOption = DEFAULT_DB) -> None:
    """Print a Swiss as a FIDE report file (TRF26).

    Other programs read it: arena pair and arena standings do. A result is 1, 1/2 or 0 by the
    majority of a pairing's match points; the pairing number is the place in the initial order.
    """
    from arena_results.store.queries import tournament as stored_tournament

    from arena.service.report.filed.tournament_reports import written_report
    from arena.service.report.report import stored_report

    with open_database(db) as results:
        stored = stored_tournament(results, tournament)
        report = stored_report(registry(), stored)
    sys.stdout.write(written_report(report))


LETTERS_EPILOG = """\b
Examples:
  arena tournament letters 3 --dir letters
  arena tournament letters 3 --dir letters --url https://arena.example
  arena tournament letters 3 -o json
"""


@app.command("letters", epilog=LETTERS_EPILOG)
def letters_command(
    tournament: Number,
    dir: Annotated[
        Path | None, typer.Option("--dir", metavar="DIR", help="New folder to write. [stdout]")
    ] = None,
    url: Annotated[
        str, typer.Option("--url", metavar="URL", help="Site of the matches, for links.")
    ] = "",
    decisions: Annotated[
        int,
        typer.Option(
            metavar="N", min=0, help="Lost matches per bot to search for bad decisions, or 0."
        ),
    ] = LETTER_DECISIONS,
    db: DbOption = DEFAULT_DB,
    output: TextOrJsonOption = TextOrJson.TABLE,
) -> None:
    """Write a letter to each author.

    It has rank, rating, losses by cause, opponents, times and the worst decisions. Bots without a
    known author get one each. The folder also has letters.json, for programs that send mail.
    """
    from arena.cli.texts.letters import show_letters

    show_letters(tournament, dir, url, decisions, db, output)


VERIFY_EPILOG = (
    "Checked are all rows, the commitment to the key, every match by re-executing its record, the "
    "rounds by pairing them again, and the chain over the results. Exit code 1 at a difference."
)


def _number_or_bundle(text: str) -> str:
    number = text.isascii() and text.isdecimal()
    if not (number or text.endswith(BUNDLE) or is_bundle(Path(text))):
        raise typer.BadParameter(f"{text!r} is neither the number of a tournament nor a bundle.")
    return text


@app.command("verify", epilog=VERIFY_EPILOG)
def verify_command(
    tournament: Annotated[
        str,
        typer.Argument(
            metavar="ID|FILE",
            help="Number of the tournament, or a bundle from arena export.",
            parser=_number_or_bundle,
        ),
    ],
    db: DbOption = DEFAULT_DB,
    output: TextOrJsonOption = TextOrJson.TABLE,
) -> None:
    """Verify a tournament from its records.

    Names the first difference.
    """
    from arena.cli.verbs.tournaments.verifying import verify

    verify(int(tournament) if tournament.isdecimal() else Path(tournament), db, output)

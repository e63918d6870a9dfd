"""Plays, resumes and shows tournaments on the terminal, until the report or a signal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from contextlib import ExitStack, redirect_stdout
from typing import TypeAlias

import trio
import typer
from arena_results.database import Database
from arena_results.queries import summary, tournament
from arena_results.rows import Status, StoredTournament

from arena.cli.comparing import comparison_text, live_comparison, sentence
from arena.cli.dry_run_text import print_dry_run
from arena.cli.exits import STOPPED
from arena.cli.output import (
    Column,
    Output,
    TextOrJson,
    counted,
    say,
    show_json,
    show_rows,
    stdout,
    write,
)
from arena.cli.progress import Display
from arena.cli.report_text import (
    block_text,
    crowded_text,
    games_text,
    loss_lines,
    print_report,
    seating_text,
    standing_columns,
    unfilled_text,
)
from arena.cli.stopping import Stop
from arena.cli.wiring import registry, report_problems
from arena.core.errors import BadInput, BadPlugin, TooManyCrashes
from arena.core.executor import Pace
from arena.core.tournament import ByStrength, OpenEnded
from arena.plugins.registry import Registry
from arena.service.adjusted import with_luck
from arena.service.comparison import stored_comparison
from arena.service.databases import existing_database, open_database
from arena.service.documents import comparison_document, document, standing_rows
from arena.service.dry_run import dry_run
from arena.service.errors import known_error
from arena.service.estimate import measured
from arena.service.events import OnEvent
from arena.service.formats import volumes_text
from arena.service.progress import Progress
from arena.service.redo import redo_crashed
from arena.service.report import Report, stored_report
from arena.service.report_text import seeds_text
from arena.service.resolve import resolve
from arena.service.resolver import BotResolver
from arena.service.rows import rows_of
from arena.service.runs import Run, begin, last_unfinished, play, reopen, stored_to_resume

Show: TypeAlias = Callable[[Registry, Database, StoredTournament, str], None]
"""Prints what a stored tournament came to: registry, database, tournament, kind of output."""
CALIBRATING = "Playing some matches to estimate the time; they are not stored"


def play_new(
    keys: Mapping[str, object],
    where: str,
    db: str,
    output: str,
    pause_after_round: int | None = None,
    on_event: OnEvent | None = None,
    show: Show | None = None,
) -> None:
    """Plays a new tournament and reports it; ``where`` names the source of its keys in errors."""
    found = registry()
    with ExitStack() as stack:
        store = existing_database(db)
        resolver = stack.enter_context(BotResolver(found, store and stack.enter_context(store)))
        try:
            # What bots print while they are imported must not get into a document on stdout.
            with redirect_stdout(sys.stderr):
                resolved = resolve(resolver, keys, where, say)
        finally:  # a name may be unknown because its plugin could not be used
            report_problems(found)
        budget = resolved.spec.budget
        if budget:
            say(CALIBRATING)
            resolved, _ = trio.run(measured, found, resolved)
        with open_database(db, create=True) as results, Stop() as stop:
            run = trio.run(begin, results, resolved)
            _say_new(run, budget)
            pace = run.pace(pause_after_round)
            _finish(run, found, results, stop, output, pace, on_event, show or show_report)


def show_dry_run(
    keys: Mapping[str, object], where: str, db: str, output: str, precision: float | None = None
) -> None:
    """Prints what a new tournament would play and how long it would take; stores nothing.

    ``precision`` is half of a 95 % interval in Elo of which the matches are computed, too.
    """
    if output not in (Output.TABLE, Output.JSON):
        raise BadInput(f"a dry run is printed as a table or as json, not as {output}")
    found = registry()
    with ExitStack() as stack:
        store = existing_database(db)
        store = store and stack.enter_context(store)
        resolver = stack.enter_context(BotResolver(found, store))
        try:
            with redirect_stdout(sys.stderr):
                resolved = resolve(resolver, keys, where, say)
        finally:
            report_problems(found)
        say(CALIBRATING)
        shown = trio.run(dry_run, found, store, resolved, precision)
    if output is Output.JSON:
        show_json(shown.document())
    else:
        print_dry_run(shown)


def play_on(
    number: int | None,
    db: str,
    output: str,
    pause_after_round: int | None = None,
    max_crash_rate: float | None = None,
    on_event: OnEvent | None = None,
) -> None:
    """Plays what is left of a stored tournament, by default of the last unfinished one."""
    found = registry()
    with open_database(db) as results:
        if number is None:
            last = last_unfinished(results)
            number = last.id
            say(f"The last unfinished tournament is {number}: {last.name or last.format}")
        if summary(results, number).status is Status.FINISHED:
            stored = tournament(results, number)
            say(f"Tournament {number} is finished; there is nothing left to play")
            show_report(found, results, stored, output)
            return
        stored = stored_to_resume(results, number, max_crash_rate)
        with BotResolver(found, results, resumes=number) as resolver:
            try:
                with redirect_stdout(sys.stderr):
                    run = reopen(resolver, stored, say)
            finally:
                report_problems(found)
            matches = stored.summary.matches
            say(
                f"Tournament {number} goes on after {matches} matches; {seeds_text(stored.summary)}"
            )
            _say_of_seeds(run)
            with Stop() as stop:
                pace = run.pace(pause_after_round)
                _finish(run, found, results, stop, output, pace, on_event, show_report)


def play_redone(number: int, db: str, output: str, pause_after_round: int | None = None) -> None:
    """Plays the crashed matches of a tournament again, in a new one that has all its others."""
    found = registry()
    with open_database(db) as results, BotResolver(found, results, resumes=number) as resolver:
        try:
            with redirect_stdout(sys.stderr):
                redone = trio.run(redo_crashed, results, resolver, number, say)
        finally:
            report_problems(found)
        paired = counted(redone.rounds, "round is", "rounds are")
        anew = f", {paired} paired anew" if redone.rounds else ""
        say(
            f"Tournament {redone.number} is tournament {number} with "
            f"{counted(redone.crashed, 'crashed match', 'crashed matches')} played again; "
            f"{counted(redone.kept, 'match is', 'matches are')} kept{anew}\n"
            f"Ratings count both; to leave one out: arena tournament delete {number}"
            f"{results.option}"
        )
    play_on(redone.number, db, output, pause_after_round)


def show_report(
    registry: Registry, database: Database, stored: StoredTournament, output: str
) -> None:
    """Prints the report of a stored tournament."""
    report = stored_report(registry, with_luck(registry, database, stored))
    if output is Output.TABLE:
        print_report(report, database.option)
    elif output is Output.JSON:
        show_json(document(report))
    else:
        show_rows(output, "", _document_columns(report), rows_of(standing_rows(report)))
    found = stored_comparison(report)
    if output is Output.TABLE and found is not None:
        write(stdout(), sentence(found, report))
    if report.block is not None and output not in (Output.TABLE, Output.JSON):
        say(block_text(report))


def show_comparison(
    registry: Registry, database: Database, stored: StoredTournament, output: str
) -> bool:
    """Prints the comparison that a stored tournament is; returns whether the candidate passed."""
    report = stored_report(registry, with_luck(registry, database, stored))
    found = stored_comparison(report)
    if output is TextOrJson.JSON:
        show_json(comparison_document(report))
    else:
        text = f"Note: {report.luck_off}." if report.luck_off else "Nothing was played."
        if found is not None:
            text = comparison_text(found, report)
        shown = f"arena tournament show {report.stored.summary.id}{database.option}"
        lines = [*loss_lines(report, database.option), f"Standings, deals and chain: {shown}"]
        write(stdout(), "\n".join([text, *lines]))
    return found is not None and found.passed


def _document_columns(report: Report) -> list[Column]:
    """The columns of the table, and then the values of mappings: tie-breaks, losses by cause."""
    shown = [column for column in standing_columns(report) if "." not in column.key]
    more = dict.fromkeys(key for row in rows_of(standing_rows(report)) for key in row if "." in key)
    return [*shown, *(Column(key, key) for key in more)]


def _finish(
    run: Run,
    registry: Registry,
    database: Database,
    stop: Stop,
    output: str,
    pace: Pace,
    on_event: OnEvent | None,
    show: Show,
) -> None:
    """Plays to the report; after a signal to the line that goes on, and exit code 128 + N."""
    number = run.number
    option = database.option
    resume = f"arena tournament resume {number}{option}"
    try:
        trio.run(_play, run, registry, database, stop, pace, on_event)
    except BaseExceptionGroup as group:
        known = known_error(group)
        if known is None:
            raise
        # A run that failed by itself: an error of the database alone may have lost what was stored.
        if isinstance(known.__cause__, BaseExceptionGroup) or isinstance(known, BadPlugin):
            say(f"What was played is kept. Go on with:\n  {resume}")
        if isinstance(known, TooManyCrashes):  # it ends with a command
            known = TooManyCrashes(f"{known}{option}")
        raise known from group
    finally:  # hooks of extensions may have failed
        report_problems(registry)
    if summary(database, number).status is not Status.FINISHED:
        if stop.number:
            say(f"Interrupted; everything that was played is kept. Go on with:\n  {resume}")
            raise typer.Exit(STOPPED + stop.number)
        say(_paused(run, database, resume))
    show(registry, database, tournament(database, number), output)


def _paused(run: Run, database: Database, resume: str) -> str:
    """The way on after a pause; an open-ended tournament also pauses when nobody needs a match."""
    if not isinstance(run.resolved.format, OpenEnded):
        return f"Paused. Go on with:\n  {resume}"
    verbs, number = "arena tournament", f"{run.number}{database.option}"
    return (
        f"Paused. Go on with another bot, or end it:\n  {verbs} add {run.number} BOT"
        f"{database.option}\n  {resume}\n  {verbs} finish {number}"
    )


async def _play(
    run: Run,
    registry: Registry,
    database: Database,
    stop: Stop,
    pace: Pace,
    on_event: OnEvent | None,
) -> None:
    """Plays and draws the progress, until the end, a pause or a signal."""
    progress = Progress(run.plan, run.stored.sums)
    display = Display(progress, live_comparison(run, progress))

    def pause() -> None:
        pace.pausing = True
        finishing = f"up to {counted(pace.sent, 'match', 'matches')}" if pace.sent else "matches"
        display.note(f"Finishing {finishing} in progress; Ctrl-C again to stop now")

    async with trio.open_nursery() as nursery:
        stop.stops(nursery.cancel_scope, pause)
        if stop.number:
            return
        nursery.start_soon(display.show)
        await play(run, registry, database, progress, pace, on_event)
        nursery.cancel_scope.cancel()


def _say_new(run: Run, budget: str) -> None:
    """Says what begins: the tournament, its tables unless they are of two, and a warning."""
    resolved, new = run.resolved, run.stored.summary
    entrants, seats = len(resolved.bots), resolved.tables.most
    volume = f"budget {budget}: " if budget else ""
    volume += volumes_text(resolved.volumes)
    most = "at most " if isinstance(resolved.format, ByStrength) else ""
    say(
        f"Tournament {run.number}: {new.game} {new.ruleset}, {new.format}, {entrants} bots, "
        f"{most}{counted(new.rounds, 'round')}, {volume}; {seeds_text(new)}"
    )
    if seats > 2:
        sizes = resolved.tables.sizes(entrants)
        say(seating_text(entrants, seats, sizes))
        if unfilled := unfilled_text(entrants, seats, sizes):
            say(unfilled)
        if resolved.crowded:
            say(f"Bots {crowded_text(resolved.crowded, len(sizes))}")
        if uneven := games_text(new.games, sizes):
            say(uneven)
    _say_of_seeds(run)


def _say_of_seeds(run: Run) -> None:
    """Publishes the commitment to a drawn key; warns of deals that could be known."""
    if commitment := run.stored.summary.commitment:
        say(f"Commitment (SHA-256 of key and nonce, which are shown at the end):\n  {commitment}")
        if name := run.stored.summary.value_function:
            say(f"Value function of luck ({name}), SHA-256:\n  {run.stored.summary.value_hash}")
    if run.resolved.seeds_warning:
        say(f"warning: {run.resolved.seeds_warning}")

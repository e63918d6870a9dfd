"""Plays, resumes and shows tournaments on the terminal, until the report or a signal."""

from __future__ import annotations

import shlex
import sys
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import ExitStack, asynccontextmanager, redirect_stdout
from functools import partial
from typing import TypeAlias, TypeVar

import trio
import typer
from arena_results.file.database import Database
from arena_results.schema.rows import Status, StoredTournament, TournamentSummary
from arena_results.store.queries import summary, tournament
from arena_tournaments.spec.keys import LOCAL

from arena.cli.terminal.events import event_stream
from arena.cli.terminal.exits import PAUSED, STOPPED
from arena.cli.terminal.output import (
    Output,
    TextOrJson,
    counted,
    say,
    show,
    show_json,
    stdout,
    write,
)
from arena.cli.terminal.progress import Display
from arena.cli.terminal.stopping import Stop
from arena.cli.terminal.wiring import registry, report_problems
from arena.cli.texts.comparison import comparison_text, live_comparison
from arena.cli.texts.dry_run import print_dry_run
from arena.cli.texts.report import (
    block_text,
    crowded_text,
    games_text,
    loss_lines,
    print_report,
    seating_text,
    unfilled_text,
)
from arena.core.errors import BadInput, BadPlugin, TooManyCrashes
from arena.core.tournaments.executor import Pace
from arena.plugins.registry import Registry
from arena.service.answers.errors import known_error
from arena.service.answers.steps import Steps, run_steps
from arena.service.report.comparing.comparison import stored_comparison
from arena.service.report.comparing.comparison_text import sentence
from arena.service.report.comparing.verdict import verdict
from arena.service.report.report import stored_report
from arena.service.report.report_text import seeds_text
from arena.service.report.tables.documents import comparison_document, document
from arena.service.report.tables.standings import standing_table
from arena.service.run.changes.redo import Redone
from arena.service.run.changes.redo_place import PlaceRedone
from arena.service.run.options import ResumeKeys, RunOptions
from arena.service.run.run import Run
from arena.service.run.verbs import RunContext, forecast, fork, redo, resume, run_new
from arena.service.run.watching.progress import Progress
from arena.service.setup.amounts import preferred_unit
from arena.service.setup.formats import volumes_text
from arena.service.setup.money import raised
from arena.service.storage.databases import existing_database, open_database

T = TypeVar("T")
Show: TypeAlias = Callable[[Registry, Database, StoredTournament, str], None]
"""Prints what a stored tournament came to: registry, database, tournament, kind of output."""


def play_new(
    keys: Mapping[str, object],
    where: str,
    db: str,
    output: str,
    options: RunOptions = RunOptions(),  # noqa: B008 # it is frozen
    events: str | None = None,
    show: Show | None = None,
    *,
    details: bool = False,
) -> None:
    """Plays a new tournament and reports it; ``where`` names the source of its keys in errors."""
    with ExitStack() as stack:
        terminal = _Terminal(stack, db, output, options, events, details=details)
        terminal.finish(run_new(terminal, keys, where), show)


def show_dry_run(
    keys: Mapping[str, object], where: str, db: str, output: str, precision: float | None = None
) -> None:
    """Prints what a new tournament would play and how long it would take; stores nothing.

    ``precision`` is half of a 95 % interval in Elo of which the matches are computed, too.
    """
    if output not in (Output.TABLE, Output.JSON):
        raise BadInput(f"a dry run is printed as a table or as json, not as {output}")
    with ExitStack() as stack:
        terminal = _Terminal(stack, db, output)
        shown = terminal.run(forecast(terminal, keys, where, precision))
    if output is Output.JSON:
        show_json(shown.document())
    else:
        print_dry_run(shown)


def play_on(
    number: int | None,
    keys: ResumeKeys,
    db: str,
    output: str,
    options: RunOptions,
    events: str | None,
    *,
    details: bool = False,
) -> None:
    """Plays what is left of a stored tournament, by default of the last unfinished one."""
    with ExitStack() as stack:
        terminal = _Terminal(stack, db, output, options, events, details=details, stored=True)
        terminal.finish(resume(terminal, number, **keys))


def play_fork(
    number: int,
    keys: Mapping[str, object],
    db: str,
    output: str,
    options: RunOptions,
    events: str | None,
    *,
    redo_crashed: bool = False,
    details: bool = False,
) -> None:
    """Plays a new tournament like another one, or the crashed matches of that again."""
    with ExitStack() as stack:
        terminal = _Terminal(stack, db, output, options, events, details=details, stored=True)
        terminal.finish(fork(terminal, number, keys, redo_crashed=redo_crashed))


def play_place_again(
    number: int, place: str, db: str, output: str, *, details: bool = False
) -> None:
    """Plays the matches of a place again."""
    with ExitStack() as stack:
        terminal = _Terminal(stack, db, output, details=details, stored=True)
        terminal.finish(redo(terminal, number, place))


def show_report(
    registry: Registry,
    database: Database,
    stored: StoredTournament,
    output: str,
    *,
    details: bool = False,
) -> None:
    """Prints the report of a stored tournament; with details what few people need, too."""
    report = stored_report(registry, stored, database)
    if output is Output.TABLE:
        print_report(report, database.option, details=details)
    elif output is Output.JSON:
        show_json(document(report))
    else:
        show(output, standing_table(report))
        if report.block is not None:
            say(f"{verdict(report)}\n{block_text(report)}")


def show_comparison(
    registry: Registry, database: Database, stored: StoredTournament, output: str
) -> bool:
    """Prints the comparison that a stored tournament is; returns whether the candidate passed."""
    report = stored_report(registry, stored, database)
    found = stored_comparison(report)
    if output is TextOrJson.JSON:
        show_json(comparison_document(report))
    else:
        lines = [] if found is None else comparison_text(found, report)
        if (
            found
            and not found.amounts
            and (unit := preferred_unit(registry, report.stored.summary))
        ):
            lines.append(f"Scored by wins, not by {unit}.")
        shown = f"arena tournament show {report.stored.summary.id}{database.option}"
        lines += [*loss_lines(report, database.option), f"Standings, deals and chain: {shown}"]
        last = f"Note: {report.luck_off}." if report.luck_off else "Nothing was played."
        # The verdict is the last line, where everybody looks first.
        lines.append(last if found is None else sentence(found, report))
        write(stdout(), "\n".join(lines))
    return found is not None and found.passed


class _Terminal(RunContext):
    """Plays on the terminal: says what begins, draws the progress, and stops at signals.

    Args:
        stack: Is open until the report is printed.
        db: Address of the database.
        output: Kind of output of the report.
        options: Options of the run.
        events: File for events.
        details: Whether hashes are printed, too.
        stored: Whether the database must exist.
    """

    def __init__(
        self,
        stack: ExitStack,
        db: str,
        output: str,
        options: RunOptions = RunOptions(),  # noqa: B008 # it is frozen
        events: str | None = None,
        *,
        details: bool = False,
        stored: bool = False,
    ) -> None:
        on_event = stack.enter_context(event_stream(events, output))
        super().__init__(registry(), None, options, on_event=on_event)
        self._stack, self._db, self._output, self._stop = stack, db, output, Stop()
        self._run: Run | None = None
        self._pace: Pace | None = None
        self._details = details
        found = open_database(db) if stored else existing_database(db)
        self.database = found and stack.enter_context(found)

    def store(self) -> Database:
        if self.database is None:
            self.database = self._stack.enter_context(open_database(self._db, create=True))
        return self.database

    def run(self, steps: Steps[T]) -> T:
        try:
            return run_steps(steps, _off_stdout)
        finally:  # a name may be unknown because its plugin could not be used
            report_problems(self.registry)

    def finish(self, steps: Steps[int], show: Show | None = None) -> None:
        """Plays to the report; after a signal to the line that goes on, and exit code 128 + N.

        After a pause that nobody asked for the exit code is 3.
        """
        number, database = self.run(steps), self.store()
        if self._run and summary(database, number).status is not Status.FINISHED:
            if self._stop.number:
                kept = "Interrupted; everything played is stored. Continue with"
                say(f"{kept}:\n  {self._resume(number)}")
                raise typer.Exit(STOPPED + self._stop.number)
            say(_paused(self._run, self._resume(number)))
        shown = show or partial(show_report, details=self._details)
        shown(self.registry, database, tournament(database, number), self._output)
        if self._pace and self._pace.forced:
            raise typer.Exit(PAUSED)

    def _resume(self, number: int) -> str:
        chosen = self._run.resolved.spec.executor if self._run else LOCAL
        options = "" if chosen == LOCAL else f" --executor {shlex.quote(chosen)}"
        if self._pace and self._pace.enough:
            options += f" {raised(self._pace.enough)}"
        return f"arena tournament resume {number}{options}{self.store().option}"

    def warn(self, line: str) -> None:
        say(line)

    def _say(self, text: str) -> None:
        report_problems(self.registry)
        say(text)

    def calibrating(self) -> None:
        self._say("Playing some matches to estimate the time; they are not stored")

    def resolved(self) -> None:
        report_problems(self.registry)
        self._stack.enter_context(self._stop)

    def began(self, run: Run, budget: str) -> None:
        self._run = run
        _say_new(run, budget)
        _say_of_seeds(run, details=self._details)

    def chose(self, last: TournamentSummary) -> None:
        self._say(f"The last unfinished tournament is {last.id}: {last.name or last.format}")

    def has_nothing_left(self, number: int) -> None:
        self._say(f"Tournament {number} is finished; there is nothing left to play")

    def resumed(self, run: Run) -> None:
        self._run = run
        before, seeds = run.stored.summary.matches, seeds_text(run.stored.summary)
        self._say(f"Tournament {run.number} continues after {before} matches; {seeds}")
        _say_of_seeds(run, details=self._details)
        self._stack.enter_context(self._stop)

    def copied(self, redone: Redone) -> None:
        paired = counted(redone.rounds, "round is", "rounds are")
        again = f", {paired} paired again" if redone.rounds else ""
        self._say(
            f"Tournament {redone.number} is tournament {redone.other} with "
            f"{counted(redone.crashed, 'crashed match', 'crashed matches')} played again; "
            f"{counted(redone.kept, 'match is', 'matches are')} the same{again}\n"
            f"Ratings count both; to leave one out: arena tournament delete {redone.other}"
            f"{self.store().option}"
        )

    def redone(self, redone: PlaceRedone) -> None:
        number, differ = redone.number, redone.differ
        replaced = f"{differ} of them differed and {'is' if differ == 1 else 'are'} replaced"
        paired = counted(redone.rounds, "round is", "rounds are")
        self._say(
            f"{counted(redone.matches, 'match', 'matches')} of place {redone.place} in tournament "
            f"{number} played again; {replaced if differ else 'none of them differed'}"
            + (f"; {paired} paired again" if redone.rounds else "")
        )
        if not redone.finished:
            self._say(f"Continue with:\n  {self._resume(number)}")

    @asynccontextmanager
    async def playing(self, run: Run, progress: Progress, pace: Pace) -> AsyncIterator[None]:
        self._pace = pace
        display = Display(progress, live_comparison(run, progress), lambda: pace.places)

        def pause() -> None:
            pace.pausing = True
            finishing = (
                f"up to {counted(pace.sent, 'match', 'matches')}" if pace.sent else "matches"
            )
            display.note(f"Finishing {finishing} in progress; Ctrl-C again to stop now")

        try:
            async with trio.open_nursery() as nursery:
                self._stop.stops(nursery.cancel_scope, pause)
                if not self._stop.number:
                    nursery.start_soon(display.show)
                yield
                nursery.cancel_scope.cancel()
        except BaseExceptionGroup as group:
            known = known_error(group)
            if known is None:
                raise
            # A run that failed by itself: an error of the database alone may have lost what was
            # stored.
            if isinstance(known.__cause__, BaseExceptionGroup) or isinstance(known, BadPlugin):
                say(f"Everything played is stored. Continue with:\n  {self._resume(run.number)}")
            if isinstance(known, TooManyCrashes):  # it ends with a command
                known = TooManyCrashes(f"{known}{run.database.option}")
            raise known from group


def _off_stdout(call: Callable[[], T]) -> T:
    """Calls what imports bots: what they print must not get into a document on stdout."""
    with redirect_stdout(sys.stderr):
        return call()


def _paused(run: Run, resume: str) -> str:
    """The way on after a pause; an open-ended tournament also pauses when nobody needs a match."""
    if not run.resolved.format.open_ended:
        return f"Paused. Continue with:\n  {resume}"
    verbs, option = "arena tournament", run.database.option
    return (
        f"Paused. Continue with another bot, or end it:\n  {verbs} add {run.number} BOT{option}\n"
        f"  {resume}\n  {verbs} finish {run.number}{option}"
    )


def _say_new(run: Run, budget: str) -> None:
    resolved, new = run.resolved, run.stored.summary
    entrants, seats = len(resolved.bots), resolved.tables.most
    volume = f"budget {budget}: " if budget else ""
    volume += volumes_text(resolved.volumes)
    say(
        f"Tournament {run.number}: {new.game} {new.ruleset}, {new.format}, {entrants} bots, "
        f"{_length(run)}, {volume}; {seeds_text(new)}"
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


def _length(run: Run) -> str:
    """The number of rounds in words; nobody knows before how many play-offs take."""
    format, rounds = run.resolved.format, run.stored.summary.rounds
    if format.plays_off:
        planned = format.pairings(len(run.resolved.bots), rounds, run.resolved.tables)
        return f"{counted(sum(map(bool, planned)), 'round')}, and play-offs"
    return ("at most " if format.ends_early else "") + counted(rounds, "round")


def _say_of_seeds(run: Run, *, details: bool) -> None:
    """Prints with details the commitment to a drawn key; warns of deals that could be known."""
    commitment = run.stored.summary.commitment
    if details and commitment:
        say(f"Commitment (SHA-256 of key and nonce, which are shown at the end):\n  {commitment}")
        if name := run.stored.summary.value_function:
            say(f"Value function of luck ({name}), SHA-256:\n  {run.stored.summary.value_hash}")
    if run.resolved.seeds_warning:
        say(f"warning: {run.resolved.seeds_warning}")

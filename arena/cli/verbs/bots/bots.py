"""``arena bots``: who can be entered: the house's, installed and submitted ones; their switch."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer
from msgspec.structs import asdict

from arena.cli.terminal.completion import complete_bot
from arena.cli.terminal.help import AUTHORS
from arena.cli.terminal.output import (
    Output,
    OutputOption,
    TextOrJson,
    TextOrJsonOption,
    counted,
    draw,
    one_line,
    say,
    show_json,
    show_rows,
    stdout,
    write,
)
from arena.cli.terminal.wiring import DEFAULT_DB, DbOption, registry, report_problems
from arena.cli.texts.profile import show_profile
from arena.core.errors import UnknownName
from arena.core.table import Column
from arena.core.tournaments.format import SHOWN_DIGITS
from arena.service.answers.rows import rows_of
from arena.service.bots.listing import (
    BOTS,
    BotDetails,
    bot_details,
    bot_rows,
    export_bot,
    refusal_at,
    shared_names,
    submitted_bots,
    switch_bot,
    version_row,
    versions_table,
)
from arena.service.bots.qualification_rows import CHECKS
from arena.service.storage.databases import open_database

if TYPE_CHECKING:
    from arena_results.bots.submissions import Submission
    from arena_results.file.database import Database

    from arena.service.boards.history import BotHistory
    from arena.service.lookup.refusals import Refusal

EPILOG = """\b
Examples:
  arena bots
  arena bots -o json
  arena bots show careful
  arena match "stand(at=18)" random

\b
A bot that is not of the house runs confined. One file is enough for a bot:
  arena match path/to/file.py random
To keep it in the database, under its name: arena submit path/to/file.py
"""
SHOW_EPILOG = """\b
Examples:
  arena bots show careful
  arena bots show careful --matches 100
  arena bots show careful@1.0 --source careful-1.0
"""
SWITCH_EPILOG = """\b
Examples:
  arena bots disable careful
  arena bots enable careful@1.0
"""

QUALIFICATION = (CHECKS[0], Column("ruleset", "ruleset", drop=3), *CHECKS[1:])

BotArgument = Annotated[
    str,
    typer.Argument(
        metavar="BOT",
        help="Bot, NAME or NAME@VERSION, see arena bots.",
        autocompletion=complete_bot,
    ),
]

MatchesOption = Annotated[
    int | None,
    typer.Option(metavar="N", min=1, help="Add luck, mistakes and faults of the last N matches."),
]


def register(app: typer.Typer) -> None:
    """Adds the verb, which lists the bots with and without the word ``list``."""
    bots = typer.Typer()

    @bots.callback(invoke_without_command=True, epilog=EPILOG)
    def bots_alone(
        context: typer.Context, db: DbOption = DEFAULT_DB, output: OutputOption = Output.TABLE
    ) -> None:
        """List the bots: built-in, installed and submitted."""
        if context.invoked_subcommand is None:
            _list(db, output)

    @bots.command("list", epilog=EPILOG)
    def bots_list(db: DbOption = DEFAULT_DB, output: OutputOption = Output.TABLE) -> None:
        """List the bots, as arena bots does."""
        _list(db, output)

    @bots.command("show", epilog=SHOW_EPILOG)
    def bots_show(
        bot: BotArgument,
        source: Annotated[
            Path | None, typer.Option(metavar="FOLDER", help="Folder for the submitted files.")
        ] = None,
        matches: MatchesOption = None,
        db: DbOption = DEFAULT_DB,
        output: TextOrJsonOption = TextOrJson.TABLE,
    ) -> None:
        """Show a bot's form, ratings, opponents and weak points.

        Also its versions, and what to look at next.
        With --matches also why it lost (docs/howto/improve-a-bot.md); JSON: history.
        Of a bot that was submitted and refused: why, with its traceback.
        """
        if source is None:
            _show_bot(db, bot, matches, output)
        else:
            with open_database(db) as results:
                _export(results, bot, source)

    @bots.command("disable", epilog=SWITCH_EPILOG)
    def bots_disable(bot: BotArgument, db: DbOption = DEFAULT_DB) -> None:
        """Keep a submitted bot or version out of new tournaments.

        It plays on in those that it has entered; resuming one of them says so.
        """
        _switch(bot, db, enabled=False)

    @bots.command("enable", epilog=SWITCH_EPILOG)
    def bots_enable(bot: BotArgument, db: DbOption = DEFAULT_DB) -> None:
        """Allow a disabled bot or version in new tournaments."""
        _switch(bot, db, enabled=True)

    app.add_typer(bots, name="bots", rich_help_panel=AUTHORS)


def _show_bot(db: str, bot: str, matches: int | None, output: TextOrJson) -> None:
    try:
        details = bot_details(registry(), db, bot, looked=True)
    except UnknownName:
        if not (refusal := refusal_at(db, bot)):
            raise
        _show_refusal(refusal, output)
        return
    _show(details, None if matches is None else _history(db, bot, matches), output)


def _show(details: BotDetails, history: BotHistory | None, output: TextOrJson) -> None:
    if output is TextOrJson.JSON:
        more = {"history": history.document()} if history else {}
        show_json(details.document() | more)
        return
    chosen = details.submission
    if chosen is None:
        _show_about(details.about)
    else:
        _show_about({**details.about, "content": chosen.content[:SHOWN_DIGITS]})
        draw(versions_table(chosen.name, [*map(version_row, details.versions)]))
        title = f"Qualification of {chosen.version}"
        show_rows(Output.TABLE, title, QUALIFICATION, _checks(chosen))
    if details.rated:
        from arena.service.boards.bot_tables import rating_table

        draw(rating_table(details.rated))
        show_profile(details)
    else:
        write(stdout(), "no rated matches yet")
    if history:
        _show_history(history)


def _show_refusal(refusal: Refusal, output: TextOrJson) -> None:
    if output is TextOrJson.JSON:
        show_json(refusal.document())
    else:
        write(stdout(), f"submitted and refused, {refusal.at:%Y-%m-%d %H:%M} UTC")
        write(stdout(), refusal.text)


def _history(db: str, bot: str, matches: int) -> BotHistory:
    from arena.service.boards.history import bot_history

    with open_database(db) as results:
        return bot_history(registry(), results, bot, matches)


def _show_history(history: BotHistory) -> None:
    count = counted(history.matches, "match", "matches")
    lines = [
        f"{'last ' if history.more else ''}{count}: {history.won} won, {history.drawn} drawn, "
        f"{history.lost} lost"
    ]
    if history.luck is not None:
        lines.append(f"luck: {history.luck:+.3f} match points a match")
    if history.decisions:
        lines.append(
            f"mistakes: {history.mistakes} in {counted(history.decisions, 'decision')} evaluated, "
            f"{history.given_away / history.matches:.3f} of win probability given away a match"
        )
    if history.lost_by:
        causes = ", ".join(f"{count} by {cause}" for cause, count in history.lost_by.items())
        lines.append(f"lost: {causes}")
    write(stdout(), "\n".join(lines))
    if history.worst:
        from arena.service.boards.history import WORST

        rows = rows_of(msgspec.to_builtins(history.worst))
        show_rows(Output.TABLE, "Worst decisions", WORST, rows)


def _show_about(about: Mapping[str, object]) -> None:
    column = Column("", "")
    width = max(map(len, about))
    for key, value in about.items():
        if value not in ("", ()):
            write(stdout(), f"{key:{width}}  {one_line(column.text(value))}")
    write(stdout(), "")


def _checks(chosen: Submission) -> list[dict[str, object]]:
    return [
        {"game": game, "ruleset": report.ruleset, "against": opponent, **asdict(check)}
        for game, report in chosen.report.items()
        for opponent, check in report.against.items()
    ]


def _export(results: Database, bot: str, folder: Path) -> None:
    stored, count, left = export_bot(results, bot, folder)
    write(stdout(), f"{stored.spelling}: {counted(count, 'file')} in {folder}")
    if left:
        say(
            f"{counted(len(left), 'hidden file')} not written, the first is {left[0]}: "
            "tools obey such files, a .git runs programs"
        )


def _switch(bot: str, db: str, *, enabled: bool) -> None:
    status = "enabled" if enabled else "disabled"
    with open_database(db) as results:
        changed = switch_bot(results, bot, enabled=enabled)
    for version in changed:
        write(stdout(), f"{version.spelling} is {status}")
    if not changed:
        write(stdout(), f"{bot} is {status} already; nothing was changed")


def _list(db: str, output: str) -> None:
    found = registry()
    rows = bot_rows(found.bots(), submitted_bots(db))
    show_rows(output, "", BOTS, rows)
    for line in shared_names(rows):
        say(line)
    report_problems(found)

"""``arena bots``: who can be entered: the house's, installed and submitted ones; their switch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
    one_line,
    say,
    show_json,
    show_rows,
    show_table,
    stdout,
    write,
)
from arena.cli.terminal.wiring import DEFAULT_DB, DbOption, registry, report_problems
from arena.core.errors import BadStore, UnknownName
from arena.core.table import Column
from arena.core.tournament import SHOWN_DIGITS
from arena.service.answers.rows import rows_of
from arena.service.bots.listing import (
    BotDetails,
    bot_details,
    bot_rows,
    export_bot,
    refusal_at,
    shared_names,
    submitted_bots,
    switch_bot,
    version_row,
)
from arena.service.bots.qualification_rows import CHECKS
from arena.service.storage.databases import open_database

if TYPE_CHECKING:
    from arena_results.bots.submissions import Submission
    from arena_results.file.database import Database

    from arena.plugins.entries import BotEntry
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

COLUMNS = (
    Column("name", "bot"),
    Column("version", "version"),
    Column("games", "games", drop=2),
    Column("kind", ""),
    Column("distribution", ""),
    Column("summary", "what it does", prose=True),
    Column("language", ""),
    Column("deterministic", ""),
    Column("status", ""),
    Column("versions", ""),
    Column("spelling", ""),
)
TABLE = (*COLUMNS[:3], Column("origin", "from", drop=3), COLUMNS[5])
SUBMITTED_TABLE = (
    *COLUMNS[:3],
    Column("language", "language", drop=4),
    Column("deterministic", "deterministic", drop=2),
    Column("status", "status", drop=0),
    Column("earlier", "other versions", drop=3, prose=True),
)

VERSIONS = (
    Column("version", "version"),
    Column("status", "status"),
    Column("games", "games"),
    Column("deterministic", "deterministic", drop=2),
    Column("content", "content", most=SHOWN_DIGITS, drop=3),
    Column("submitted", "submitted"),
)
QUALIFICATION = (CHECKS[0], Column("ruleset", "ruleset", drop=3), *CHECKS[1:])
RATINGS = (
    Column("game", "game"),
    Column("ruleset", "ruleset", drop=3),
    Column("name", "bot", drop=0),
    Column("version", "version"),
    Column("rating", "rating", right=True, digits=0),
    Column("games", "matches", right=True),
)
WORST = (
    Column("match", "match", drop=0),
    Column("move", "move", right=True, drop=0),
    Column("action", "action", drop=0),
    Column("better", "better", drop=0),
    Column("given_away", "given away", right=True, digits=3, drop=0),
    Column("replay", "replay", drop=1),
)

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
    typer.Option(
        metavar="N",
        min=1,
        help="Add luck, mistakes and faults of the last N matches.",
    ),
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
            Path | None,
            typer.Option(metavar="FOLDER", help="Folder for the submitted files."),
        ] = None,
        matches: MatchesOption = None,
        db: DbOption = DEFAULT_DB,
        output: TextOrJsonOption = TextOrJson.TABLE,
    ) -> None:
        """Show a bot: versions, qualification, ratings, source.

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
        details = bot_details(registry(), db, bot)
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
        rows = [
            version_row(each) | {"submitted": f"{each.submitted_at:%Y-%m-%d %H:%M}"}
            for each in details.versions
        ]
        show_table("versions", VERSIONS, rows)
        show_table(f"qualification of {chosen.version}", QUALIFICATION, _checks(chosen))
    if details.ratings:
        show_table("ratings", RATINGS, details.ratings)
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
        rows = rows_of(msgspec.to_builtins(history.worst))
        show_table("worst decisions", WORST, rows)


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
    try:
        submitted = submitted_bots(db)
    except BadStore as error:
        say(f"warning: no submitted bots are listed: {error}")
        submitted = []
    rows, count = bot_rows(found.bots(), submitted), len(found.bots())
    if output is Output.TABLE:
        own = [_row_for_people(*each) for each in zip(rows, found.bots(), strict=False)]
        show_rows(output, "", TABLE, own)
        if submitted:
            taken = zip(rows[count:], submitted, strict=True)
            stored = [_submitted_row_for_people(*each) for each in taken]
            others = any(row["earlier"] for row in stored)
            show_table("submitted", SUBMITTED_TABLE if others else SUBMITTED_TABLE[:-1], stored)
    else:
        show_rows(output, "", COLUMNS, rows)
    for line in shared_names(rows):
        say(line)
    report_problems(found)


def _row_for_people(row: Mapping[str, object], bot: BotEntry) -> dict[str, object]:
    origin = "the house" if bot.kind == "house" else bot.distribution
    unnamed = "any" if bot.kind == "house" else "not stated"
    name = row["spelling"]
    return {**row, "name": name, "games": bot.games or unnamed, "origin": origin}


def _submitted_row_for_people(
    row: Mapping[str, object], versions: Sequence[Submission]
) -> dict[str, object]:
    others = (each for each in reversed(versions) if each.version != row["version"])
    texts = (f"{v.version}{'' if v.status == 'enabled' else ' (disabled)'}" for v in others)
    return {**row, "name": row["spelling"], "earlier": ", ".join(texts)}

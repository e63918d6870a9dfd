"""``arena reask``: a bot is asked the stored decisions of another one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli.terminal.completion import complete_bot
from arena.cli.terminal.help import AUTHORS
from arena.cli.terminal.options import takes_keys
from arena.cli.terminal.output import Output, OutputOption, answer, counted, draw, say
from arena.cli.terminal.wiring import DEFAULT_DB, DbOption, registry
from arena.core.table import Column, Row, Table
from arena.service.answers.defaults import REASKED_MATCHES
from arena.service.answers.rows import rows_of
from arena.service.storage.databases import open_database

if TYPE_CHECKING:
    from arena.service.match.reask import Reasked

EPILOG = """\b
Examples:
  arena reask my-bot --against 3
  arena reask new/my_bot.py --against 3 --bot my-bot@0.1.0 --matches 500
"""
IN_A_TABLE = 20
"""Decisions that a table shows."""
COLUMNS = (
    Column("match", "match", drop=0),
    Column("move", "move", True, drop=0),
    Column("then", "then", drop=0),
    Column("now", "now", drop=0),
    Column("change", "change", True, 3, drop=0),
    Column("replay", "replay", drop=1),
)


def register(app: typer.Typer) -> None:
    """Adds the verb."""
    app.command("reask", rich_help_panel=AUTHORS, epilog=EPILOG)(reask_command)


@takes_keys("trust", "isolation", "require", "allow")
def reask_command(
    bot: Annotated[
        str, typer.Argument(metavar="BOT", help="Bot, see arena bots.", autocompletion=complete_bot)
    ],
    tournament: Annotated[
        int, typer.Option("--against", metavar="ID", help="Number of the tournament.")
    ],
    old: Annotated[
        str,
        typer.Option(
            "--bot",
            metavar="NAME",
            help="Bot of the decisions, NAME or NAME@VERSION. [the same name]",
            autocompletion=complete_bot,
        ),
    ] = "",
    matches: Annotated[
        int, typer.Option(min=1, metavar="N", help="Most matches to ask, from the first.")
    ] = REASKED_MATCHES,
    *,
    keys: dict[str, Any],
    db: DbOption = DEFAULT_DB,
    output: OutputOption = Output.TABLE,
) -> None:
    """Ask a bot the stored decisions of another one.

    It sees what the other saw, and whatever it answers, the match goes on as it was
    played. Every decision in which it would act otherwise is listed, with the change in
    win probability by what the seat knew (docs/explanation/luck.md).

    JSON: an object with bot, old, tournament, matches, decisions, same, evaluated,
    change, changes and failed. CSV and others: a row for each decision with another answer.
    """
    from arena.service.lookup.resolver import BotResolver
    from arena.service.match.reask import reask

    with open_database(db) as results, BotResolver(registry(), results) as resolver:
        found = reask(
            resolver, results, bot, tournament, old=old, matches=matches, warn=say, **keys
        )
    document = found.document()
    table = Table(columns=COLUMNS, rows=rows_of(document["changes"]))
    if output is Output.TABLE:
        _show(found, [*table.rows])
    else:
        answer(output, document, table)


def _show(found: Reasked, rows: list[Row]) -> None:
    first = "the first " if found.more else ""
    print(
        f"{found.bot} was asked {counted(found.decisions, 'decision')} of {found.old} "
        f"in {first}{counted(found.matches, 'match', 'matches')} of tournament {found.tournament}"
    )
    print(f"the same: {found.same}, different: {len(found.changes)}")
    if found.evaluated:
        print(
            f"win probability by {found.by}: {found.change / found.matches:+.4f} a match, "
            f"{found.change / found.evaluated:+.3f} for each of {found.evaluated} evaluated changes"
        )
    for each in found.failed[:IN_A_TABLE]:
        print(f"failed in match {each.match} at move {each.move}: {each.cause} ({each.reason})")
    if rows:
        rows.sort(key=lambda row: -abs(row["change"] or 0))
        draw(Table(columns=COLUMNS, rows=rows[:IN_A_TABLE]))
    if len(rows) > IN_A_TABLE:
        say(f"these are the {IN_A_TABLE} with the largest changes; all: -o csv")

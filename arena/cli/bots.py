"""``arena bots``: who can be entered, ours and installed ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from arena.cli.output import Column, Output, OutputOption, show_rows
from arena.cli.wiring import registry, report_problems

if TYPE_CHECKING:
    from arena.plugins.entries import BotEntry

EPILOG = """Examples:
  arena bots
  arena bots -o json
  arena match "stand(at=18)" random

A bot that is not of the house runs only after --trust NAME. One file is enough for a bot:
  arena match path/to/file.py random --trust file
"""

COLUMNS = (
    Column("name", "bot"),
    Column("version", "version"),
    Column("games", "games"),
    Column("kind", ""),
    Column("distribution", ""),
    Column("summary", "what it does"),
)
TABLE = (*COLUMNS[:3], Column("origin", "from"), COLUMNS[-1])


def register(app: typer.Typer) -> None:
    """Adds the verb, which lists the bots with and without the word ``list``."""
    bots = typer.Typer()

    @bots.callback(invoke_without_command=True, epilog=EPILOG)
    def bots_alone(context: typer.Context, output: OutputOption = Output.TABLE) -> None:
        """Lists the bots: house bots and installed ones."""
        if context.invoked_subcommand is None:
            _list(output)

    @bots.command("list", epilog=EPILOG)
    def bots_list(output: OutputOption = Output.TABLE) -> None:
        """Lists the bots; the same as arena bots alone."""
        _list(output)

    app.add_typer(bots, name="bots")


def _list(output: Output) -> None:
    found = registry()
    if output is Output.TABLE:
        show_rows(output, "", TABLE, [_row_for_people(bot) for bot in found.bots()])
    else:
        show_rows(output, "", COLUMNS, [_row(bot) for bot in found.bots()])
    report_problems(found)


def _row(bot: BotEntry) -> dict[str, object]:
    """An empty list of games means any, or that the bot does not say."""
    return {column.key: getattr(bot, column.key) for column in COLUMNS}


def _row_for_people(bot: BotEntry) -> dict[str, object]:
    origin = "the house" if bot.kind == "house" else bot.distribution
    unsaid = "any" if bot.kind == "house" else "not said"
    return _row(bot) | {"games": bot.games or unsaid, "origin": origin}

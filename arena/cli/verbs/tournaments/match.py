"""``arena match``: the bots of one table, some matches, the result."""

from __future__ import annotations

from typing import Annotated

import typer

from arena.cli.terminal.completion import complete_bot
from arena.cli.terminal.help import AUTHORS, Grouped
from arena.cli.terminal.options import takes_keys
from arena.cli.terminal.output import DetailsOption, Output, OutputOption
from arena.cli.terminal.wiring import DEFAULT_DB, DbOption
from arena.service.answers.errors import COMMAND_LINE

EPILOG = "Example: arena match 'stand(at=17)' random --games 200"


def register(app: typer.Typer) -> None:
    """Adds the verb."""
    app.command("match", cls=Grouped, rich_help_panel=AUTHORS, epilog=EPILOG)(match_command)


CUP_KEYS = (
    *("bots", "bots_from", "format", "stages", "byes", "authors_apart"),
    *("seats", "rounds", "seed_by", "stake", "purse", "name"),
)
"""Keys that one match has no use for, or sets itself."""


@takes_keys(without=CUP_KEYS, formats=("round-robin",))
def match_command(
    one: Annotated[
        str, typer.Argument(metavar="A", help="Bot, see arena bots.", autocompletion=complete_bot)
    ],
    other: Annotated[
        str, typer.Argument(metavar="B", help="Opponent.", autocompletion=complete_bot)
    ],
    more: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="C ...",
            help="More opponents, up to the seats of the game.",
            autocompletion=complete_bot,
        ),
    ] = None,
    *,
    keys: dict[str, object],
    details: DetailsOption = False,
    db: DbOption = DEFAULT_DB,
    output: OutputOption = Output.TABLE,
) -> None:
    """Play two or more bots and compare them.

    It is a tournament of one pairing: stored, resumable, and with replays.
    """
    from arena.cli.verbs.tournaments.playing import play_new
    from arena.service.setup.field import at_one_table

    keys = at_one_table([one, other, *(more or ())], {**keys, "name": "match"})
    play_new(keys, COMMAND_LINE, db, output, details=details)

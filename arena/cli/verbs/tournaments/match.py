"""``arena match``: the bots of one table, some matches, the result."""

from __future__ import annotations

from typing import Annotated

import typer

from arena.cli.terminal.completion import complete_bot
from arena.cli.terminal.options import takes_keys
from arena.cli.terminal.output import Output, OutputOption
from arena.cli.terminal.wiring import DEFAULT_DB, DbOption

EPILOG = "Example: arena match 'stand(at=17)' random --games 200"


def register(app: typer.Typer) -> None:
    """Adds the verb."""
    app.command("match", epilog=EPILOG)(match_command)


CUP_KEYS = (
    *("bots", "bots_from", "format", "stages", "byes", "authors_apart"),
    *("seats", "rounds", "seed_by", "stake", "purse", "name"),
)
"""Keys that one match has no use for, or sets itself."""


@takes_keys(without=CUP_KEYS, formats=("round-robin",))
def match_command(
    one: Annotated[
        str,
        typer.Argument(metavar="A", help="A bot, as in: arena bots.", autocompletion=complete_bot),
    ],
    other: Annotated[
        str, typer.Argument(metavar="B", help="Its opponent.", autocompletion=complete_bot)
    ],
    more: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="C ...",
            help="More opponents, if the game has the seats.",
            autocompletion=complete_bot,
        ),
    ] = None,
    *,
    keys: dict[str, object],
    db: DbOption = DEFAULT_DB,
    output: OutputOption = Output.TABLE,
) -> None:
    """Plays bots against each other at one table, and compares them.

    It is a tournament of one pairing: stored, resumable, and with replays.
    """
    from arena.cli.verbs.tournaments.playing import play_new
    from arena.service.setup.field import at_one_table

    keys = at_one_table([one, other, *(more or ())], {**keys, "name": "match"})
    play_new(keys, "command line", db, output)

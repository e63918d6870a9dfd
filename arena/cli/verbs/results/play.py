"""``arena play``: a person at the table, in the terminal."""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from typing import Annotated

import typer

from arena.cli.terminal.completion import complete_bot, complete_game
from arena.cli.terminal.help import PLAYERS
from arena.cli.terminal.options import takes_keys
from arena.cli.terminal.output import say
from arena.cli.terminal.screens import USUAL_MINUTES, MinutesOption, check_screen
from arena.cli.terminal.wiring import DEFAULT_DB, DbOption, registry, report_problems

EPILOG = """\b
Examples:
  arena play pazaak counter
  arena play sabacc target-total cautious-folder random --ruleset "old_republic(mode=chips)"
  arena play pazaak optimal --hints --loadout "+1 +2 +3 +4 -1 -2 -3 ±1 ±2 ±3"
"""


def register(app: typer.Typer) -> None:
    """Adds the verb."""
    app.command("play", rich_help_panel=PLAYERS, epilog=EPILOG)(play_command)


KEYS = ("ruleset", "seed", "key", "trust", "isolation", "require", "allow", "max_cost")
"""Keys of a tournament that a match against a person has a use for."""


@takes_keys(*KEYS)
def play_command(
    game: Annotated[
        str,
        typer.Argument(metavar="GAME", help="Game, see arena games.", autocompletion=complete_game),
    ],
    bots: Annotated[
        list[str],
        typer.Argument(
            metavar="BOT ...", help="Bot for each other seat.", autocompletion=complete_bot
        ),
    ],
    seat: Annotated[int, typer.Option(metavar="N", min=0, help="Your seat, from 0.")] = 0,
    name: Annotated[str, typer.Option(metavar="NAME", help="Your name.")] = "human",
    loadout: Annotated[str, typer.Option(metavar="CARDS", help="Your side deck. [asked]")] = "",
    hints: Annotated[bool, typer.Option("--hints", help="Show the exact odds with key h.")] = False,
    minutes: MinutesOption = USUAL_MINUTES,
    *,
    keys: dict[str, object],
    db: DbOption = DEFAULT_DB,
) -> None:
    """Play against bots in the terminal (extra: tui).

    It is stored as a tournament of its own, which no leaderboard counts: arena matches, replay
    and tournament verify read it. Leaving loses it.
    """
    check_screen("play")
    from arena.service.run.person.exhibition import Exhibition, Seats
    from arena.service.storage.databases import open_database
    from arena.tui.play import PlayApp
    from arena.tui.table import Table

    seats = Seats(bots=bots, seat=seat, name=name, loadout=loadout, seconds=60 * minutes)
    keys = {**keys, "game": game}
    found = registry()
    with open_database(db, create=True) as results:
        try:
            with redirect_stdout(sys.stderr):
                Exhibition(found, results, seats, keys, warn=say).check()
                found.rated_game(game)
        finally:
            report_problems(found)
        app = PlayApp(Table(found, results, seats, keys, hints))
        app.run()
    if app.error is not None:
        raise app.error
    if app.closing:
        print(app.closing)

"""``arena mcp``: an agent at the table, by the Model Context Protocol."""

from __future__ import annotations

import signal
import sys
from contextlib import redirect_stdout
from typing import Annotated

import typer

from arena.cli.terminal.completion import complete_bot, complete_game
from arena.cli.terminal.help import PLAYERS
from arena.cli.terminal.options import takes_keys
from arena.cli.terminal.screens import USUAL_MINUTES, MinutesOption
from arena.cli.terminal.signals import heeded
from arena.cli.terminal.wiring import DEFAULT_DB, DbOption, registry, report_problems
from arena.service.answers.extras import check_extra

EPILOG = """\b
Examples:
  arena mcp pazaak --against counter
  arena mcp sabacc --against target-total --against random --db agents.db
"""
KEYS = ("ruleset", "seed", "trust", "isolation", "require", "allow", "max_cost")
"""Keys of a tournament that a match against an agent has a use for."""


def register(app: typer.Typer) -> None:
    """Adds the verb."""
    app.command("mcp", rich_help_panel=PLAYERS, epilog=EPILOG)(mcp_command)


@takes_keys(*KEYS)
def mcp_command(
    game: Annotated[
        str,
        typer.Argument(metavar="GAME", help="Game, see arena games.", autocompletion=complete_game),
    ],
    against: Annotated[
        list[str],
        typer.Option(
            metavar="BOT",
            help="Bot for another seat. Repeatable, once for each.",
            autocompletion=complete_bot,
        ),
    ],
    seat: Annotated[int, typer.Option(metavar="N", min=0, help="The agent's seat, from 0.")] = 0,
    name: Annotated[str, typer.Option(metavar="NAME", help="The agent's name.")] = "agent",
    loadout: Annotated[
        str, typer.Option(metavar="CARDS", help="The agent's side deck. [asked]")
    ] = "",
    minutes: MinutesOption = USUAL_MINUTES,
    *,
    keys: dict[str, object],
    db: DbOption = DEFAULT_DB,
) -> None:
    """Let an agent play against bots by MCP (extra: mcp).

    An MCP client starts it, and speaks to it on stdin and stdout: its tools are observe, act
    and rules. Each match is stored as a tournament of its own, which no leaderboard counts.
    A client that leaves loses its match. With --seed N matches have the seeds N, N+1, ...
    --max-cost is for all matches together.
    """
    check_extra("arena mcp", "mcp", ("mcp",))
    from arena.mcp.table import AgentTable
    from arena.service.run.person.exhibition import Seats
    from arena.service.storage.databases import open_database

    seats = Seats(bots=against, seat=seat, name=name, loadout=loadout, seconds=60 * minutes)
    found = registry()
    with open_database(db, create=True) as results:
        table = AgentTable(found, results, seats, {**keys, "game": game})
        try:
            with redirect_stdout(sys.stderr):  # stdout has the messages of the protocol alone
                table.check()
                found.rated_game(game)
        finally:
            report_problems(found)
        from arena.mcp.server import serve_table  # only now: bad input needs no protocol

        for number in heeded():
            signal.signal(number, lambda *_: table.leave())
        serve_table(table)

"""``arena tournament add, withdraw, disqualify, bye``: rulings of an organiser."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import typer

from arena.cli.terminal.completion import complete_bot
from arena.cli.terminal.output import say
from arena.cli.terminal.wiring import DEFAULT_DB, DbOption, Number, registry
from arena.service.answers.defaults import HALF_POINT
from arena.service.storage.databases import open_database

app = typer.Typer()
"""The verbs, which are among those of ``arena tournament``."""
Entered: TypeAlias = Annotated[
    str, typer.Argument(metavar="BOT", help="Bot, as named in the standings.")
]
LATE_EPILOG = (
    "It joins where the next round is paired, also while another process plays. Swiss, "
    "table-swiss, adaptive and league take late entries."
)
LEAVE_EPILOG = (
    "Its results stand, and who would have met it wins by forfeit or gets another opponent. In a "
    "round robin or gauntlet the results of a bot that played fewer than half of its pairings are "
    "annulled (FIDE C.05)."
)


@app.command("add", epilog=LATE_EPILOG)
def add_command(
    tournament: Number,
    bot: Annotated[
        str,
        typer.Argument(
            metavar="BOT",
            help="Bot, as in arena tournament run --bot.",
            autocompletion=complete_bot,
        ),
    ],
    missed_points: Annotated[float, typer.Option(help="Points per missed round: 0 or 0.5.")] = 0.0,
    db: DbOption = DEFAULT_DB,
) -> None:
    """Enter a bot from the next round on."""
    from arena.service.run.rulings import add

    with open_database(db) as results:
        _say(tournament, add(registry(), results, tournament, bot, missed_points))


@app.command("withdraw", epilog=LEAVE_EPILOG)
def withdraw_command(
    tournament: Number,
    bot: Entered,
    now: Annotated[
        bool, typer.Option("--now", help="Forfeit the rest of the running round.")
    ] = False,
    db: DbOption = DEFAULT_DB,
) -> None:
    """Withdraw a bot from the next round on."""
    from arena.service.run.rulings import withdraw

    with open_database(db) as results:
        _say(tournament, withdraw(registry(), results, tournament, bot, now))


@app.command("disqualify", epilog=LEAVE_EPILOG)
def disqualify_command(
    tournament: Number,
    bot: Entered,
    reason: Annotated[str, typer.Option(metavar="TEXT", help="Reason for the report.")],
    void: Annotated[bool, typer.Option("--void", help="Annul all results of the bot.")] = False,
    db: DbOption = DEFAULT_DB,
) -> None:
    """Disqualify a bot at once and rank it last."""
    from arena.service.run.rulings import disqualify

    with open_database(db) as results:
        _say(tournament, disqualify(registry(), results, tournament, bot, reason, void))


@app.command("bye", epilog="In tournament files and for run: [[byes]] and --bye 'NAME | ROUND'.")
def bye_command(
    tournament: Number,
    bot: Entered,
    round: Annotated[
        int | None, typer.Option(metavar="N", help="Number of the round. [the next]", min=1)
    ] = None,
    points: Annotated[float, typer.Option(help="Points of the bye: 0.5 or 0.")] = HALF_POINT,
    db: DbOption = DEFAULT_DB,
) -> None:
    """Give a bot a requested bye in a Swiss."""
    from arena.service.run.rulings import give_bye

    with open_database(db) as results:
        _say(tournament, give_bye(registry(), results, tournament, bot, round, points))


@app.command("finish")
def finish_command(tournament: Number, db: DbOption = DEFAULT_DB) -> None:
    """Finish a league and publish its key."""
    from arena.service.run.rulings import finish

    with open_database(db) as results:
        finish(registry(), results, tournament)
    say(f"Tournament {tournament} is finished")


def _say(tournament: int, ruling: object) -> None:
    say(f"Tournament {tournament}: {ruling}")

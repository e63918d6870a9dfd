"""``arena tournament add, withdraw, disqualify, bye, pair, ...``: rulings of an organiser."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from arena.cli.terminal.completion import complete_bot
from arena.cli.terminal.output import TextOrJson, TextOrJsonOption, say, show_json
from arena.cli.terminal.wiring import DEFAULT_DB, DbOption, Number, registry
from arena.service.answers.defaults import HALF_POINT
from arena.service.storage.databases import open_database

if TYPE_CHECKING:
    from arena.service.run.changes.rulings import Rulings

app = typer.Typer()
"""The verbs, which are among those of ``arena tournament``."""
Entered: TypeAlias = Annotated[
    str, typer.Argument(metavar="BOT", help="Bot, as named in the standings.")
]
RoundOption: TypeAlias = Annotated[
    int | None, typer.Option(metavar="N", help="Number of the round. [the next]", min=1)
]
ReasonOption: TypeAlias = Annotated[
    str, typer.Option(metavar="TEXT", help="Reason for the report.")
]
PAIR_EPILOG = (
    "A pair is 'A | B', the first seat first, or 'A | bye'. The format pairs all others around "
    "that. Without a pair it prints the next pairing, as --file takes it."
)
LOTS_EPILOG = (
    "The order comes from the tournament's key: the same bots are always drawn in the same order. "
    "It decides a tie if all bots of the tie were drawn together."
)
LATE_EPILOG = (
    "It joins where the next round is paired, also while another process plays. Swiss, "
    "table-swiss, adaptive and league take late entries."
)
LEAVE_EPILOG = (
    "Its results stand, and who would have met it wins by forfeit or gets another opponent. In a "
    "round robin or gauntlet the results of a bot that played fewer than half of its pairings are "
    "annulled (FIDE C.05)."
)


@contextmanager
def _rulings(tournament: int, db: str) -> Iterator[Rulings]:
    from arena.service.run.changes.rulings import Rulings

    with open_database(db) as results:
        yield Rulings(registry(), results, tournament)


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
    with _rulings(tournament, db) as rulings:
        made = rulings.add(bot, missed_points=missed_points)
    say(f"Tournament {tournament}: {made}")


@app.command("withdraw", epilog=LEAVE_EPILOG)
def withdraw_command(
    tournament: Number,
    bot: Entered,
    now: Annotated[
        bool, typer.Option("--now", help="Forfeit the rest of the running round.")
    ] = False,
    reason: ReasonOption = "",
    db: DbOption = DEFAULT_DB,
) -> None:
    """Withdraw a bot from the next round on."""
    with _rulings(tournament, db) as rulings:
        made = rulings.withdraw(bot, now=now, reason=reason)
    say(f"Tournament {tournament}: {made}")


@app.command("disqualify", epilog=LEAVE_EPILOG)
def disqualify_command(
    tournament: Number,
    bot: Entered,
    reason: Annotated[str, typer.Option(metavar="TEXT", help="Reason for the report.")],
    void: Annotated[bool, typer.Option("--void", help="Annul all results of the bot.")] = False,
    db: DbOption = DEFAULT_DB,
) -> None:
    """Disqualify a bot at once and rank it last."""
    with _rulings(tournament, db) as rulings:
        made = rulings.disqualify(bot, reason, void=void)
    say(f"Tournament {tournament}: {made}")


@app.command("bye", epilog="In tournament files and for run: [[byes]] and --bye 'NAME | ROUND'.")
def bye_command(
    tournament: Number,
    bot: Entered,
    round: RoundOption = None,
    points: Annotated[float, typer.Option(help="Points of the bye: 0.5 or 0.")] = HALF_POINT,
    db: DbOption = DEFAULT_DB,
) -> None:
    """Give a bot a requested bye in a Swiss."""
    with _rulings(tournament, db) as rulings:
        made = rulings.bye(bot, round=round, points=points)
    say(f"Tournament {tournament}: {made}")


@app.command("pair", epilog=PAIR_EPILOG)
def pair_command(
    tournament: Number,
    pairs: Annotated[
        list[str] | None, typer.Option("--pair", metavar="PAIR", help="'A | B'. Repeatable.")
    ] = None,
    file: Annotated[
        str | None, typer.Option(metavar="PAIRS", help="File with a pair per line, - for stdin.")
    ] = None,
    clear: Annotated[
        bool, typer.Option("--clear", help="Give the round back to the format.")
    ] = False,
    round: RoundOption = None,
    reason: ReasonOption = "",
    output: TextOrJsonOption = TextOrJson.TABLE,
    db: DbOption = DEFAULT_DB,
) -> None:
    """Pair a round by hand, or print the next pairing."""
    from arena.service.run.changes.coming_round import pairing_rows, pairing_text

    with _rulings(tournament, db) as rulings:
        if not (pairs or clear or file is not None):
            coming = rulings.coming(round)
            if output is TextOrJson.JSON:
                show_json(pairing_rows(coming))
            else:
                sys.stdout.write(pairing_text(coming))
            return
        made = rulings.pair(pairs or (), file=file, clear=clear, round=round, reason=reason)
    say(f"Tournament {tournament}: {made}")


@app.command("swap", epilog="It keeps all other pairings of the round as they would be made now.")
def swap_command(
    tournament: Number,
    one: Entered,
    other: Entered,
    round: RoundOption = None,
    reason: ReasonOption = "",
    db: DbOption = DEFAULT_DB,
) -> None:
    """Exchange two bots in the next pairing."""
    with _rulings(tournament, db) as rulings:
        made = rulings.swap(one, other, round=round, reason=reason)
    say(f"Tournament {tournament}: {made}")


@app.command("forbid", epilog="Before the start: --forbidden 'A | B'.")
def forbid_command(
    tournament: Number,
    bots: Annotated[str, typer.Argument(metavar="BOTS", help="'A | B', or more than two.")],
    reason: ReasonOption = "",
    db: DbOption = DEFAULT_DB,
) -> None:
    """Forbid bots to meet from the next round on."""
    with _rulings(tournament, db) as rulings:
        made = rulings.forbid(bots, reason=reason)
    say(f"Tournament {tournament}: {made}")


@app.command("lots", epilog=LOTS_EPILOG)
def lots_command(
    tournament: Number,
    bots: Annotated[
        str, typer.Argument(metavar="BOTS", help="'A | B' or more. [the whole field]")
    ] = "",
    reason: ReasonOption = "",
    db: DbOption = DEFAULT_DB,
) -> None:
    """Draw lots for bots that the standings leave level."""
    with _rulings(tournament, db) as rulings:
        made = rulings.lots(bots, reason=reason)
    say(f"Tournament {tournament}: {made}")


@app.command("finish")
def finish_command(tournament: Number, db: DbOption = DEFAULT_DB) -> None:
    """Finish a league and publish its key."""
    with _rulings(tournament, db) as rulings:
        rulings.finish()
    say(f"Tournament {tournament} is finished")

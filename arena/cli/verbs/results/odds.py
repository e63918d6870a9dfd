"""``arena odds``: the odds of a described position, or of a decision in a stored match."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.terminal.help import PLAYERS
from arena.cli.terminal.output import Output, OutputOption, answer
from arena.cli.terminal.wiring import DEFAULT_DB, DbOption, registry
from arena.core.errors import BadInput
from arena.core.table import Column, Table
from arena.service.answers.rows import rows_of
from arena.service.storage.databases import open_database

if TYPE_CHECKING:
    from arena.service.match.odds import PositionOdds

EPILOG = """\b
Examples:
  arena odds pazaak own="10 4" rival="9 8" stands=yes hand="±4 +1" sets=2:1
  arena odds sabacc hand="Ace of Coins, 7 of Flasks" seen="Idiot" rivals="3 4"
  arena odds sabacc --ruleset card_exchange hand="Ace of Coins, 7 of Flasks, Idiot"
  arena odds 3.1.2.4 --move 17

\b
Keys of a position (the seat that decides is seat 0):
  pazaak  own, rival: cards on the tables, those of a hand as ±3:-3; hand;
          stands: yes or no, whether the rival does; sets: sets won, as 1:0
  sabacc  hand; seen: other cards that are out; rivals: their numbers of cards
"""
COLUMNS = (
    Column("event", "event"),
    Column("outcome", "outcome"),
    Column("odds", "odds", True, 4),
    Column("approximate", "approximate"),
)


def register(app: typer.Typer) -> None:
    """Adds the verb."""
    app.command("odds", rich_help_panel=PLAYERS, epilog=EPILOG)(odds_command)


def odds_command(
    game: Annotated[
        str, typer.Argument(metavar="GAME|MATCH", help="Game, or match such as 3.1.2.4.")
    ],
    position: Annotated[
        list[str] | None, typer.Argument(metavar="KEY=VALUE", help="Position of the game.")
    ] = None,
    move: Annotated[
        int | None, typer.Option(metavar="N", min=0, help="Number of the move, for a match.")
    ] = None,
    ruleset: Annotated[
        str, typer.Option(metavar="RULESET", help="Ruleset, for a game. [the default]")
    ] = "",
    db: DbOption = DEFAULT_DB,
    output: OutputOption = Output.TABLE,
) -> None:
    """Show the odds of a position.

    They follow from what the seat to decide can see. Pazaak: of the next card, and of the set
    after each action if no hand cards are played later, both counted from the deck. Early in a
    set, while the seats lack more than 30 points to 20 together, and with a deck for each seat,
    those of the set are approximate, and marked so. Then, and in the win probability of the match
    after each action, cards after the next one are 1 to 10 alike. That is if the seat plays as
    well as can be from there with the hand that it holds, against a rival without hand cards who
    plays the set as well as can be. Sabacc: of the hand after the next card, with dice after a
    roll, and against each rival's hand alone.

    JSON: an object with game, ruleset, seat, position, odds (event, outcome, odds, approximate),
    actions and evaluator. CSV and others: a row for each of the odds.
    """
    from arena.service.match.odds import described_odds, read_keys
    from arena.service.match.replays import parse_numbers, stored_match

    if game[:1].isdecimal():
        if position or ruleset or move is None:
            raise BadInput("of a match give --move, and neither a position nor --ruleset")
        with open_database(db) as results:
            numbers = parse_numbers(results, game)
            match = stored_match(registry(), results, numbers.tournament, numbers.key)
        found = match.odds(move)
    else:
        if move is not None:
            raise BadInput("--move is of a match: arena odds 3.1.2.4 --move 17")
        found = described_odds(registry(), game, ruleset, read_keys(position or ()))
    document = found.document()
    if output is Output.TABLE:
        _show(found)
    else:
        answer(output, document, Table(columns=COLUMNS, rows=rows_of(document["odds"])))


def _show(found: PositionOdds) -> None:
    print(f"{found.game}, {found.ruleset}\n{found.position}\n")
    for event, group in groupby(found.odds, key=lambda each: each.event):
        parts = [f"{each.outcome} {'~' * each.approximate}{each.odds:.4f}" for each in group]
        if event in found.actions:
            parts.append(f"match {found.actions[event]:.4f}")
        print(f"{event}: {', '.join(parts)}")
    if any(each.approximate for each in found.odds):
        print("\n~: approximate; arena odds --help: how")
    if found.evaluator:
        print(f"\nmatch: win probability by {found.evaluator}; arena odds --help: what it assumes")

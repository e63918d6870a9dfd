"""``arena learn-value``: a value function, by which luck is computed, from stored matches."""

from __future__ import annotations

from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.terminal.completion import complete_game
from arena.cli.terminal.help import RESEARCHERS
from arena.cli.terminal.output import (
    TextOrJson,
    TextOrJsonOption,
    say,
    show_json,
    show_table,
    stdout,
    write,
)
from arena.cli.terminal.wiring import DEFAULT_DB, DbOption, registry
from arena.core.table import Column
from arena.service.answers.defaults import LEARNED_MATCHES
from arena.service.storage.databases import open_database

if TYPE_CHECKING:
    from arena.service.match.learning import Learned

EPILOG = """\b
Examples:
  arena learn-value pazaak
  arena learn-value sabacc --ruleset "old_republic(mode=chips)" --from 3 --from 4
  arena learn-value pazaak --hidden 128x48 --rounds 4 --out big.values
  arena tournament luck 5 --value-function pazaak.values
"""
LINE_SECONDS = 5.0
"""Interval between two lines of progress."""
COLUMNS = (
    Column("scores", "scores of the matches held out", drop=0),
    Column("fewer", "x fewer than single deals", True, 1, drop=0),
    Column("than_raw", "than with luck", True, 1, drop=0),
    Column("luck", "mean luck / SE", True, 1, drop=1),
)


def register(app: typer.Typer) -> None:
    """Adds the verb."""
    app.command("learn-value", rich_help_panel=RESEARCHERS, epilog=EPILOG)(learn_value_command)


def learn_value_command(
    game: Annotated[
        str, typer.Argument(help="Game, see arena games.", autocompletion=complete_game)
    ],
    ruleset: Annotated[
        str, typer.Option(metavar="RULESET", help="Ruleset. [the game's first]")
    ] = "",
    tournaments: Annotated[
        list[int] | None,
        typer.Option(
            "--from", metavar="ID", help="Number of a tournament. Repeatable. [all of the ruleset]"
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="File to write. [GAME.values]")
    ] = None,
    matches: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            help=f"Most matches, from the newest tournaments. [{LEARNED_MATCHES}]",
        ),
    ] = None,
    hidden: Annotated[
        str | None, typer.Option(metavar="WIDExNARROW", help="Sizes of the hidden layers. [64x32]")
    ] = None,
    rounds: Annotated[
        int | None, typer.Option(metavar="N", help="Rounds of labelling. [3]")
    ] = None,
    epochs: Annotated[
        int | None, typer.Option(metavar="N", help="Passes over all positions per round. [4]")
    ] = None,
    seed: Annotated[int | None, typer.Option(metavar="N", help="Seed of the training. [1]")] = None,
    db: DbOption = DEFAULT_DB,
    output: TextOrJsonOption = TextOrJson.TABLE,
) -> None:
    """Learn a value function from stored matches.

    Luck is computed by it as by the value function of a game: its mean is 0 whatever was
    learned, in tournaments that were not learned from. One deal of ten is held out; the
    table says how many times fewer of those matches give as short an interval as
    independent deals do, and as the same matches do with luck.
    """
    from arena.service.match.learning import learn_value, learning_plan

    began = monotonic()
    with open_database(db) as database:
        found = learn_value(
            registry(),
            database,
            game,
            out or Path(f"{game}.values"),
            ruleset=ruleset,
            tournaments=tournaments or (),
            matches=matches,
            plan=learning_plan(hidden=hidden, rounds=rounds, epochs=epochs, seed=seed),
            progress=_Lines().show,
        )
    if output is TextOrJson.JSON:
        show_json(found.document())
    else:
        _show(found, monotonic() - began)


class _Lines:
    def __init__(self) -> None:
        self._last = monotonic()

    def show(self, stage: str, share: float) -> None:
        if monotonic() - self._last >= LINE_SECONDS:
            self._last = monotonic()
            say(f"{stage} {share:.0%}")


def _show(found: Learned, seconds: float) -> None:
    about = found.origin
    numbers = ", ".join(map(str, found.tournaments))
    lines = [
        f"{found.value_function} for {about.game} {about.ruleset}, engine {about.engine}: "
        f"{found.file}",
        f"SHA-256 {found.hash}",
        f"learned from {about.matches:,} matches ({about.positions:,} positions) of "
        f"tournament{'s' if len(found.tournaments) > 1 else ''} {numbers} "
        f"in {seconds:.0f} s; {found.held_out:,} matches held out",
    ]
    write(stdout(), "\n".join(lines))
    rows = [
        {
            "scores": f"without luck by {each.value_function}" if each.hash else "with luck",
            "fewer": each.fewer,
            "than_raw": each.than_raw,
            "luck": each.luck,
        }
        for each in found.reductions
    ]
    show_table("", COLUMNS, rows)
    if any(each.fewer is None for each in found.reductions):
        say("note: too few matches are held out to measure what it is worth")

"""``arena compare``: tests a bot against a baseline by playing until it is decided."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer
from arena_tournaments.play.schedule import MAX_TESTED

from arena.cli.terminal.completion import complete_bot
from arena.cli.terminal.exits import CHECK_FAILED
from arena.cli.terminal.help import AUTHORS, Grouped
from arena.cli.terminal.options import takes_keys
from arena.cli.terminal.output import TextOrJson, TextOrJsonOption
from arena.cli.terminal.wiring import DEFAULT_DB, DbOption
from arena.cli.verbs.tournaments.match import CUP_KEYS
from arena.cli.verbs.tournaments.tournament import EventsOption
from arena.service.answers.errors import COMMAND_LINE

if TYPE_CHECKING:
    from arena_results.file.database import Database
    from arena_results.schema.rows import StoredTournament

    from arena.plugins.registry import Registry

EPILOG = """\b
Values of --sprt: elo0 [0], elo1 [elo0 + 10], alpha [0.05], beta [0.05],
model [normalized], logistic or bayesian.

\b
Examples:
  arena compare my-bot@0.1.0 my-bot@0.2.0
  arena compare "stand(at=16)" "stand(at=17)" --sprt "elo0=0 elo1=10"
  arena compare counter my_bot.py --fail-below -5 --max-games 5000 -o json
"""

WITHOUT = (*CUP_KEYS, *("games", "first_to", "best_of", "until_decided", "test"))
"""Keys that a comparison has no use for, or sets itself."""


def register(app: typer.Typer) -> None:
    """Adds the verb."""
    app.command("compare", cls=Grouped, rich_help_panel=AUTHORS, epilog=EPILOG)(compare_command)


@takes_keys(without=WITHOUT, formats=())
def compare_command(
    baseline: Annotated[
        str,
        typer.Argument(
            metavar="BASELINE", help="Bot, as in arena match.", autocompletion=complete_bot
        ),
    ],
    candidate: Annotated[
        str,
        typer.Argument(
            metavar="CANDIDATE", help="Bot that should be better.", autocompletion=complete_bot
        ),
    ],
    sprt_values: Annotated[
        list[str] | None, typer.Argument(metavar="KEY=VALUE", help="More values of --sprt.")
    ] = None,
    *,
    sprt: Annotated[
        str | None,
        typer.Option(
            metavar="VALUES", help="SPRT values such as 'elo0=0 elo1=10'. [a confidence sequence]"
        ),
    ] = None,
    confidence: Annotated[
        float | None,
        typer.Option(metavar="PERCENT", help="Confidence of the interval, without --sprt. [95]"),
    ] = None,
    games: Annotated[
        int | None, typer.Option(min=1, help="Exact number of matches. [until decided]")
    ] = None,
    max_games: Annotated[
        int | None, typer.Option(min=1, help=f"Most matches before a decision. [{MAX_TESTED}]")
    ] = None,
    fail_below: Annotated[
        float | None,
        typer.Option(metavar="ELO", help="Difference the candidate must exceed, else exit code 1."),
    ] = None,
    keys: dict[str, object],
    events: EventsOption = None,
    db: DbOption = DEFAULT_DB,
    output: TextOrJsonOption = TextOrJson.TABLE,
) -> None:
    """Test whether a bot is better than another one.

    Plays mirrored pairs until the interval of the Elo difference, which holds however often one
    looks, leaves out 0; or until an SPRT is decided. In games for chips the interval is of the mean
    amount. It is a tournament: stored, resumable, and with replays.
    """
    from arena.cli.verbs.tournaments.playing import play_new, show_comparison
    from arena.core.errors import BadInput
    from arena.service.report.comparing.comparison import comparison_keys

    if sprt_values:
        if sprt is None or not all("=" in word for word in sprt_values):
            raise BadInput(
                f"{' '.join(sprt_values)!r}: two bots are compared; values of an SPRT go after "
                "--sprt, as elo0=0"
            )
        sprt = " ".join([sprt, *sprt_values])
    chosen = comparison_keys(
        baseline,
        candidate,
        keys,
        sprt=sprt,
        confidence=confidence,
        games=games,
        max_games=max_games,
        fail_below=fail_below,
    )

    def show(registry: Registry, results: Database, stored: StoredTournament, out: str) -> None:
        passed = show_comparison(registry, results, stored, out)
        if fail_below is not None and not passed:
            raise typer.Exit(CHECK_FAILED)

    play_new(chosen, COMMAND_LINE, db, output, events=events, show=show)

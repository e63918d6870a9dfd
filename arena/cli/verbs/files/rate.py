"""``arena rate``: ratings of players from a file of results from elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.terminal.output import (
    TextOrJson,
    TextOrJsonOption,
    counted,
    say,
    show_json,
    show_table,
    stdout,
    write,
)
from arena.core.table import Column

if TYPE_CHECKING:
    from arena.service.rating.ratings import Ratings

EPILOG = """\b
Files: CSV with the columns player1,player2,score and, if wanted, pair and period;
CSV with the columns game,player,rank and, if wanted, pair; or PGN (White, Black, Result).

\b
Examples:
  arena rate results.csv
  arena rate games.pgn --seat-effect --anchor stockfish=3500 -o json
  arena rate baseball.csv --prior 0 --anchor Baltimore=0 --scale log
  arena rate month.csv --model glicko2 --before last-month.csv
"""
Z95 = 1.959964
"""Standard errors of half a 95 % interval."""


def register(app: typer.Typer) -> None:
    """Adds the verb."""
    app.command("rate", epilog=EPILOG)(rate)


def rate(
    file: Annotated[Path, typer.Argument(help="Results: CSV or PGN.")],
    model: Annotated[
        str,
        typer.Option(
            metavar="[bt|pl|elo|glicko2|openskill]",
            help="bt: Bradley-Terry, a joint fit of two-player results; pl: Plackett-Luce, of "
            "finishing orders; the others go through the file in its order.",
        ),
    ] = "bt",
    prior: Annotated[
        float | None,
        typer.Option(
            metavar="SD",
            help="bt, pl: standard deviation of the prior, in points of the scale; 0 for none. "
            "[1,000 Elo]",
        ),
    ] = None,
    anchor: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=RATING", help="bt, pl: a rating that is given; repeatable."),
    ] = None,
    scale: Annotated[
        str | None,
        typer.Option(
            metavar="[elo|log]",
            help="bt, pl: points of Elo, or natural logarithms of strength. [elo]",
        ),
    ] = None,
    seat_effect: Annotated[
        bool, typer.Option("--seat-effect", help="bt, pl: fit the advantage of player1 (White).")
    ] = False,
    k: Annotated[
        float | None,
        typer.Option("--k", metavar="K", help="elo: points that a match can move a player. [16]"),
    ] = None,
    start: Annotated[
        float | None, typer.Option(metavar="RATING", help="elo: rating of new players. [1500]")
    ] = None,
    tau: Annotated[
        float | None,
        typer.Option(metavar="TAU", help="glicko2: limits changes of the volatility. [0.5]"),
    ] = None,
    before: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="elo, glicko2, openskill: ratings before the first result, CSV with the columns "
            "player,rating and, if wanted, se and volatility.",
        ),
    ] = None,
    output: TextOrJsonOption = TextOrJson.TABLE,
) -> None:
    """Rates players by results from elsewhere.

    Without an anchor 0 is the mean of the players whom results hold, in each group of those who
    met. Results of two players with the same pair are of one deal and count as one observation;
    se is the standard error.
    """
    from arena.service.rating import rate as service
    from arena.service.rating.ratings import Options, read_anchors

    options = Options(
        prior=prior,
        anchor=read_anchors(anchor or []),
        scale=service.read_scale(scale),
        seat_effect=seat_effect,
        k=k,
        start=start,
        tau=tau,
        before=before,
    )
    found = service.rate(file, model, options, lambda line: say(f"warning: {line}"))
    if output is TextOrJson.JSON:
        show_json(service.rating_document(found))
        for note in found.notes:
            say(f"note: {note}")
        return
    _show(found)


def _show(found: Ratings) -> None:
    from arena.service.rating.rate import MODELS
    from arena.service.rating.result_files import seen_and_rated

    players, digits = found.players, 3 if found.scale == "log" or found.model == "openskill" else 1
    columns = [
        Column("rank", "#", right=True),
        Column("player", "player", drop=0),
        Column("rating", "rating", right=True, digits=digits, drop=0),
    ]
    if players[0].error is not None:
        columns.append(Column("error", "se", right=True, digits=digits, drop=2))
        columns.append(Column("interval", "95 %", right=True, drop=1))
    if any(row.volatility for row in players):
        columns.append(Column("volatility", "volatility", right=True, digits=5, drop=3))
    columns.append(Column("results", "results", right=True, drop=3))
    if players[-1].component > 1:
        columns.append(Column("component", "group", right=True, drop=0))
    if any(row.few for row in players):
        columns.append(Column("few", "few", drop=0))
    rows: list[dict[str, object]] = []
    for rank, row in enumerate(players, 1):
        half = Z95 * (row.error or 0.0)
        rows.append(
            {
                "rank": rank,
                "player": row.player,
                "rating": row.rating,
                "error": row.error,
                "interval": f"{row.rating - half:.{digits}f} .. {row.rating + half:.{digits}f}",
                "volatility": row.volatility,
                "results": row.results,
                "component": row.component,
                "few": "few" if row.few else "",
            }
        )
    number = f"{counted(len(players), 'player')}, {counted(found.results, 'result')}"
    show_table(f"{MODELS[found.model].summary}; {number}", columns, rows)
    console = stdout()
    if found.seat_effect is not None:
        error = Z95 * (found.seat_error or 0.0)
        write(console, f"Seat effect: {found.seat_effect:.{digits}f} ± {error:.{digits}f} (95 %)")
    if not found.left_out:
        write(console, f"{seen_and_rated(found.results, {})}.")
    for note in found.notes:
        write(console, f"{note[0].upper()}{note[1:]}.")

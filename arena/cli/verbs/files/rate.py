"""``arena rate``: ratings of players from a file of results from elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli.terminal.help import RESEARCHERS
from arena.cli.terminal.options import takes_rating_options
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
from arena.cli.terminal.wiring import registry
from arena.core.table import Column

if TYPE_CHECKING:
    from arena.service.rating.rate import RatedFile

USUAL = "bt"
"""The rating system, unless another is asked for."""
EPILOG = """\b
Files: CSV with the columns player1,player2,score, optionally pair and period.
CSV with the columns game,player,rank, optionally pair.
PGN with the tags White, Black and Result.

\b
Models: bt is Bradley-Terry, for results of two players.
pl is Plackett-Luce, for finishing orders.
elo, glicko2 and openskill follow the order of the results.

\b
Examples:
  arena rate results.csv
  arena rate games.pgn --seat-effect --anchor stockfish=3500 -o json
  arena rate baseball.csv --prior 0 --anchor Baltimore=0 --scale log
  arena rate month.csv --model glicko2 --before last-month.csv
  arena rate games.pgn --model "elo(k=32)"
"""


def register(app: typer.Typer) -> None:
    """Adds the verb."""
    app.command("rate", rich_help_panel=RESEARCHERS, epilog=EPILOG)(rate)


@takes_rating_options(USUAL)
def rate(
    file: Annotated[Path, typer.Argument(help="File of results, CSV or PGN.")],
    *,
    keys: dict[str, Any],
    output: TextOrJsonOption = TextOrJson.TABLE,
) -> None:
    """Rate players from a file of results.

    Without an anchor 0 is the mean of the players whom results hold, in each group of those who
    met. Results of two players with the same pair are of one deal and count as one observation;
    se is the standard error.
    """
    from arena.service.rating import rate as service

    model, anchors = keys.pop("model", USUAL), keys.pop("anchor", ())
    before = keys.pop("before", None)
    found = service.rate(
        registry(),
        file,
        model,
        lambda line: say(f"warning: {line}"),
        keys,
        anchors=service.read_anchors(anchors),
        before=None if before is None else Path(before),
    )
    if output is TextOrJson.JSON:
        show_json(service.rating_document(found))
        for note in found.notes:
            say(f"note: {note}")
        return
    _show(found)


def _show(found: RatedFile) -> None:
    from arena.core.tournaments.rating import Z95
    from arena.service.rating.result_files import seen_and_rated

    players, digits = found.players, found.system.digits
    more = sorted({key for each in players for key in each.rating.more})
    columns = [
        Column("rank", "#", right=True),
        Column("player", "player", drop=0),
        Column("rating", "rating", right=True, digits=digits, drop=0),
    ]
    if any(each.rating.error is not None for each in players):
        columns.append(Column("error", "se", right=True, digits=digits, drop=2))
        columns.append(Column("interval", "95 %", right=True, drop=1))
    columns += [Column(key, key, right=True, digits=5, drop=3) for key in more]
    columns.append(Column("results", "results", right=True, drop=3))
    if players[-1].rating.component > 1:
        columns.append(Column("component", "group", right=True, drop=0))
    if any(each.few for each in players):
        columns.append(Column("few", "few", drop=0))
    rows: list[dict[str, object]] = [
        {key: each.rating.more.get(key) for key in more}
        | {
            "rank": rank,
            "player": each.name,
            "rating": each.rating.value,
            "error": each.rating.error,
            "interval": f"{each.rating.low:.{digits}f} .. {each.rating.high:.{digits}f}",
            "results": each.results,
            "component": each.rating.component,
            "few": "few" if each.few else "",
        }
        for rank, each in enumerate(players, 1)
    ]
    number = f"{counted(len(players), 'player')}, {counted(found.results, 'result')}"
    show_table(f"{found.system.summary}; {number}", columns, rows)
    console = stdout()
    if found.seat_effect is not None:
        effect, error = found.seat_effect
        write(console, f"Seat effect: {effect:.{digits}f} ± {Z95 * error:.{digits}f} (95 %)")
    if not found.left_out:
        write(console, f"{seen_and_rated(found.results, {})}.")
    for note in found.notes:
        write(console, f"{note[0].upper()}{note[1:]}.")

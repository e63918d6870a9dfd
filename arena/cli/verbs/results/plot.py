"""``arena plot``: pictures of what is stored, in the terminal or as SVG and PNG."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from arena.cli.terminal.completion import complete_game
from arena.cli.terminal.help import RESEARCHERS
from arena.cli.terminal.output import TextOrJson, TextOrJsonOption, show_json
from arena.cli.terminal.wiring import DEFAULT_DB, DbOption, Number, registry
from arena.service.storage.databases import open_database

if TYPE_CHECKING:
    from arena_results.boards.leaderboard import Asked

    from arena.service.boards.kept import Boards
    from arena.service.charts.charts import Chart

EPILOG = """\b
Examples:
  arena plot leaderboard --game pazaak
  arena plot crosstable 3 --out crosstable.png
  arena plot times 3
"""

OutOption: TypeAlias = Annotated[
    Path | None,
    typer.Option("--out", metavar="FILE", help="SVG or PNG file to write. Needs the extra plots."),
]
GameOption: TypeAlias = Annotated[
    str | None, typer.Option(help="Game to show. [all]", autocompletion=complete_game)
]
RulesetOption: TypeAlias = Annotated[
    str | None, typer.Option(help="Ruleset to show, as in the leaderboard.")
]
TournamentOption: TypeAlias = Annotated[
    int | None, typer.Option(metavar="ID", help="Number of the only tournament to count. [all]")
]


def register(app: typer.Typer) -> None:
    """Adds the verbs."""
    plot = typer.Typer(
        no_args_is_help=True, epilog=EPILOG, help="Draw charts in the terminal, or as SVG or PNG."
    )
    for verb in (leaderboard, crosstable, times, chart):
        plot.command(verb.__name__)(verb)
    app.add_typer(plot, name="plot", rich_help_panel=RESEARCHERS)


def leaderboard(
    game: GameOption = None,
    ruleset: RulesetOption = None,
    tournament: TournamentOption = None,
    all_versions: Annotated[
        bool, typer.Option("--all-versions", help="Show every version of every bot.")
    ] = False,
    db: DbOption = DEFAULT_DB,
    out: OutOption = None,
    output: TextOrJsonOption = TextOrJson.TABLE,
) -> None:
    """Draw a leaderboard with its intervals."""
    from arena.service.charts.pictures import leaderboard_chart

    with _boards(db) as boards:
        asked = _asked(game, ruleset, tournament)
        _show(leaderboard_chart(boards, asked, all_versions=all_versions), out, output)


def crosstable(
    id: Number,
    db: DbOption = DEFAULT_DB,
    out: OutOption = None,
    output: TextOrJsonOption = TextOrJson.TABLE,
) -> None:
    """Draw a tournament's crosstable as a heat map."""
    from arena_results.store.queries import tournament

    from arena.service.charts.pictures import crosstable_chart
    from arena.service.report.report import stored_report

    with open_database(db) as results:
        report = stored_report(registry(), tournament(results, id))
    _show(crosstable_chart(report), out, output)


def times(
    id: Number,
    db: DbOption = DEFAULT_DB,
    out: OutOption = None,
    output: TextOrJsonOption = TextOrJson.TABLE,
) -> None:
    """Draw the decision times of a tournament, and the limit."""
    from arena.service.charts.pictures import times_chart

    with open_database(db) as results:
        _show(times_chart(results, id), out, output)


def chart(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="Chart in the JSON of plot -o json.")
    ],
    out: OutOption = None,
    output: TextOrJsonOption = TextOrJson.TABLE,
) -> None:
    """Draw a chart from its JSON document."""
    from arena.service.charts.charts import read_chart

    _show(read_chart(file), out, output)


@contextmanager
def _boards(db: str) -> Iterator[Boards]:
    from arena.service.boards.kept import Boards

    with open_database(db) as results:
        yield Boards(registry(), results)


def _asked(game: str | None, ruleset: str | None, tournament: int | None) -> Asked:
    from arena_results.boards.leaderboard import Asked

    return Asked(game=game, ruleset=ruleset, tournament=tournament)


def _show(drawn: Chart, out: Path | None, output: TextOrJson) -> None:
    from arena.cli.texts.chart import show_chart, write_chart
    from arena.service.charts.charts import chart_document

    if out:
        write_chart(drawn, out)
    if output is TextOrJson.JSON:
        show_json(chart_document(drawn))
    elif not out:
        show_chart(drawn)

"""``arena progress``: the versions of a bot, each against its own past and other bots."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.terminal.completion import complete_bot
from arena.cli.terminal.help import AUTHORS
from arena.cli.terminal.output import (
    Output,
    OutputOption,
    draw,
    say,
    show_json,
    stdout,
    write,
    write_rows,
)
from arena.cli.terminal.wiring import DEFAULT_DB, DbOption, registry
from arena.cli.verbs.results.plot import GameOption, OutOption, RulesetOption, TournamentOption
from arena.service.storage.databases import open_database

if TYPE_CHECKING:
    from arena.service.boards.progress import Progress

EPILOG = """\b
Examples:
  arena progress my-bot
  arena progress my-bot --game pazaak --ruleset standard --out progress.svg
  arena progress my-bot -o csv
"""


def register(app: typer.Typer) -> None:
    """Adds the verb."""
    app.command("progress", rich_help_panel=AUTHORS, epilog=EPILOG)(progress_command)


def progress_command(
    bot: Annotated[
        str,
        typer.Argument(metavar="BOT", help="Bot without a version.", autocompletion=complete_bot),
    ],
    game: GameOption = None,
    ruleset: RulesetOption = None,
    tournament: TournamentOption = None,
    db: DbOption = DEFAULT_DB,
    out: OutOption = None,
    output: OutputOption = Output.TABLE,
) -> None:
    """Show whether the versions of a bot get better.

    Each version has a row, the oldest first, with its rating by all matches. P(beats last) is the
    chance that it is truly better than the version before. Below is what the last step is worth,
    and a drawing with some other bots as marks.

    A new version has no rating before it plays: the command that plays it is printed. JSON has an
    object for each leaderboard, CSV a row for each version.
    """
    from arena_results.boards.leaderboard import Asked

    from arena.service.boards.kept import Boards
    from arena.service.boards.progress import progress
    from arena.service.charts.pictures import progress_chart

    asked = Asked(game=game, ruleset=ruleset, tournament=tournament)
    with open_database(db) as results:
        found = progress(Boards(registry(), results), bot, asked)
        option = results.option
    if out:
        from arena.cli.texts.chart import write_chart

        write_chart(progress_chart(found), out)
    if output is Output.JSON:
        show_json([each.document() for each in found])
    elif output is not Output.TABLE:
        rows = [row for each in found for row in each.table().written_rows]
        write_rows(output, found[0].table().written, rows)
    else:
        for each in found:
            _show(each, option)


def _show(found: Progress, option: str) -> None:
    from arena.cli.texts.chart import show_chart
    from arena.cli.texts.profile import sentence
    from arena.service.charts.pictures import progress_chart

    draw(found.table())
    show_chart(progress_chart([found]))
    write(stdout(), sentence(found.text))
    if found.next_command:
        say(f"Next: {found.next_command}{option}")

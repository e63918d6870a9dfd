"""``arena watch``: tournaments, live standings, matches and replays, in the terminal."""

from __future__ import annotations

from typing import Annotated

import typer

from arena.cli.terminal.help import PLAYERS
from arena.cli.terminal.screens import check_screen
from arena.cli.terminal.wiring import DEFAULT_DB, DbOption, registry, report_problems


def register(app: typer.Typer) -> None:
    """Adds the verb."""
    app.command("watch", rich_help_panel=PLAYERS)(watch_command)


def watch_command(
    id: Annotated[
        int | None, typer.Argument(metavar="ID", help="Number of the tournament shown first.")
    ] = None,
    db: DbOption = DEFAULT_DB,
) -> None:
    """Watch running tournaments in the terminal (extra: tui).

    One window: tournaments, the standings of one as they change, its rounds, the matches of a
    pairing, and the replay of a match with a slider. Whoever plays into the database is followed.
    """
    check_screen("watch")
    from arena_results.store.queries import summary

    from arena.service.storage.databases import open_database
    from arena.tui.watch import WatchApp

    found = registry()
    with open_database(db) as results:
        if id is not None:
            summary(results, id)
        WatchApp(found, results, id).run()
    report_problems(found)

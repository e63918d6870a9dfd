"""``arena demo``: a submission, a tournament, ratings and a replay, for people who are new here."""

from __future__ import annotations

import shlex
import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer

from arena.cli.terminal.exits import CHECK_FAILED
from arena.cli.terminal.help import PLAYERS
from arena.cli.terminal.output import Output, say, stdout, write
from arena.cli.terminal.wiring import registry
from arena.core.errors import BadInput
from arena.service.storage.databases import database_url, file_of

if TYPE_CHECKING:
    from arena_results.file.database import Database
    from arena_results.schema.rows import StoredTournament

    from arena.plugins.registry import Registry
    from arena.service.match.replays import Match

DEMO_DB = "demo.db"
BOT = "demo-bot"
KEYS = {
    "name": "demo",
    "format": "swiss",
    "rounds": 3,
    "games": 20,
    "bots": [BOT, "optimal", "counter", "hand-saver", "stand(at=17)", "random"],
}
"""The tournament, as the keys of a tournament file."""
FIRST_MATCH = "1.1.1.1"
MAX_SETS = 6
"""Sets of the match that are shown, the last ones, so that all of it has at most 60 lines."""


def register(app: typer.Typer) -> None:
    """Adds the verb."""
    app.command("demo", rich_help_panel=PLAYERS, epilog="Example: arena demo --db first.db")(
        demo_command
    )


def demo_command(
    db: Annotated[
        str,
        typer.Option(
            "--db", metavar="FILE", callback=database_url, help="New file for the results."
        ),
    ] = DEMO_DB,
) -> None:
    """Submit a bot, play a Swiss, show ratings and a match.

    The bot is the template of: arena new bot. It meets five house bots in ten seconds or so.
    The results go into a database of their own.
    """
    from arena.cli.verbs.tournaments.playing import play_new

    file = file_of(db)
    if not file:
        raise BadInput(f"--db {db}: the demo needs a new file")
    if Path(file).exists():
        raise BadInput(f"--db {file}: this file exists; delete it, or name a new file")
    _heading(f"1. Submit {BOT}: it must play by the rules, in a sandbox")
    _submit(db)
    _heading("2. Play a Swiss tournament")
    play_new(KEYS, "arena demo", db, Output.TABLE, show=_show)
    _heading("Next:")
    _show_commands(f" --db {shlex.quote(file)}")


def _heading(text: str) -> None:
    write(stdout(), text, style="bold")


def _submit(url: str) -> None:
    from arena.plugins.scaffold import new_bot
    from arena.service.answers.scratch import scratch_folder
    from arena.service.bots.submit import submit

    known = registry()
    with scratch_folder() as folder, redirect_stdout(sys.stderr):
        new_bot(known, BOT, folder / BOT)
        submitted = submit(known, url, str(folder / BOT), warn=say)
    write(stdout(), f"{submitted.title}\n{submitted.decision}\n")
    if submitted.status == "refused":
        raise typer.Exit(CHECK_FAILED)


def _show(known: Registry, results: Database, stored: StoredTournament, output: str) -> None:
    """Prints what people look at after a tournament: standings, ratings, a match."""
    from arena_results.boards.leaderboard import Asked

    from arena.cli.terminal.output import draw
    from arena.cli.texts.report import show_standings
    from arena.service.boards.rows import leaderboards
    from arena.service.boards.table import board_table
    from arena.service.match.replays import parse_numbers, stored_match
    from arena.service.report.report import stored_report

    show_standings(stored_report(known, stored), "")
    asked = Asked(system=known.rating_system("joint"))
    for board in leaderboards(results, asked, registry=known):
        title = f"3. Rate the bots of {board.game}: Elo, ± 95 %"
        draw(msgspec.structs.replace(board_table(board), title=title))
    _heading("4. Replay a match")
    numbers = parse_numbers(results, FIRST_MATCH)
    _show_match(stored_match(known, results, numbers.tournament, numbers.key))


def _show_match(match: Match) -> None:
    """Prints who played, a line for each set, and the table at the end."""
    from arena.cli.verbs.results.replay import heading, summary_lines
    from arena.service.match.replay_text import name_seats, outcome_lines, seat_labels

    replay, labels = match.replay(), seat_labels(match.names)
    lines = [
        *heading(match.number, replay, match.players),
        *summary_lines(replay, labels)[-MAX_SETS:],
    ]
    lines.append(name_seats(replay.moments[-1].table, labels))
    write(stdout(), "\n".join([*lines, *outcome_lines(replay, match.names), ""]))


def _show_commands(db: str) -> None:
    commands = {
        f"arena replay {FIRST_MATCH}{db}": "this match, move by move",
        "arena new bot my-bot": "a bot of your own",
        f"arena match my-bot/my_bot.py counter{db}": "let it play",
        f"arena serve{db}": "all of it, in a browser",
    }
    width = max(map(len, commands))
    for command, purpose in commands.items():
        write(stdout(), f"  {command:{width}}  # {purpose}")

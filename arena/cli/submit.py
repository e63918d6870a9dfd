"""``arena submit``: takes an untrusted bot into the store, or says exactly why not."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer
from arena_results.addresses import db_option

from arena.cli.completion import complete_game
from arena.cli.exits import CHECK_FAILED
from arena.cli.options import takes_keys
from arena.cli.output import (
    Column,
    Output,
    TextOrJson,
    TextOrJsonOption,
    counted,
    say,
    show_json,
    show_rows,
    stdout,
    write,
)
from arena.cli.wiring import DEFAULT_DB, DbOption, registry
from arena.core.errors import BadInput
from arena.core.seeding import SEED_BITS
from arena.core.tournament import SHOWN_DIGITS

if TYPE_CHECKING:
    from arena.core.game import AnyGame
    from arena.plugins.submission import Package
    from arena.service.submit import Submitted

EPILOG = """\b
Examples:
  arena submit careful.py --game pazaak
  arena submit my-bot/ --name careful
  arena submit dist/my_bot-1.0-py3-none-any.whl --allow numpy
  arena submit received/*.zip --decision-seconds 1

A file is read for __version__, __author__, __license__ and the games of its class; a folder, or a
zip archive of one, for its pyproject.toml, a wheel for its metadata. Nothing of it runs before it
is confined, and nothing is installed. A program in any other language is a folder whose
pyproject.toml has

\b
  [tool.arena.bot]
  command = ["node", "bot.js"]
  games = ["pazaak"]
"""

COLUMNS = (
    Column("game", "game"),
    Column("against", "against", drop=0),
    Column("matches", "matches", right=True),
    Column("points", "points", right=True),
    Column("deterministic", "deterministic", drop=2),
    Column("isolation", "ran", drop=3),
)
MANY_COLUMNS = (
    Column("path", "path", drop=0),
    Column("name", "bot"),
    Column("version", "version", drop=2),
    Column("status", "status", drop=0),
    Column("why", "why", drop=0, prose=True),
)


def register(app: typer.Typer) -> None:
    """Adds the verb."""
    app.command("submit", epilog=EPILOG)(submit_verb)


@takes_keys("allow", "isolation", "require", "decision_seconds")
def submit_verb(
    path: Annotated[
        list[str],
        typer.Argument(
            metavar="PATH",
            help="A file bot.py[:Class], a folder, a zip archive of one, or a wheel; or several.",
        ),
    ],
    name: Annotated[
        str, typer.Option(help="What it is called, or which of several.", show_default="its own")
    ] = "",
    game: Annotated[
        list[str] | None,
        typer.Option(
            help="A game to enter it for. Repeat for more. [those that it names]",
            autocompletion=complete_game,
        ),
    ] = None,
    *,
    keys: dict[str, object],
    seed: Annotated[
        int | None, typer.Option(min=0, max=2**SEED_BITS - 1, help="Seed of its matches. [drawn]")
    ] = None,
    db: DbOption = DEFAULT_DB,
    output: TextOrJsonOption = TextOrJson.TABLE,
) -> None:
    """Takes a bot into the store: reads it, qualifies it, and enters or refuses it.

    To qualify a bot must break no match: legal actions only, within its limits, against
    random play in every seat and against each house bot of the game. Exit code 1
    when it breaks one; the store is then as it was.
    The same content again changes nothing; new content needs a new version.
    Of several each is taken or refused on its own; exit code 1 when one is refused.
    """
    from arena.service.submit import submit

    if len(path) > 1:
        _submit_many(path, name, game or (), keys, seed, db, output)
        return
    # What bots print while they are imported must not get into a document on stdout.
    with redirect_stdout(sys.stderr):
        submitted = submit(
            registry(), db, path[0],
            name=name, games=game or (), keys=keys, seed=seed, observer=_say_what, warn=say,
        )  # fmt: skip
    if output is TextOrJson.JSON:
        show_json(submitted.document())
    elif submitted.known:
        spelling = submitted.known.spelling
        done = f"{spelling} is in the store already with this content; nothing was changed"
        write(stdout(), f"{done}; it is {submitted.known.status}")
    else:
        _show(db, submitted)
    if submitted.status == "refused":
        raise typer.Exit(CHECK_FAILED)


def _submit_many(
    paths: Sequence[str],
    name: str,
    games: Sequence[str],
    keys: dict[str, object],
    seed: int | None,
    db: str,
    output: TextOrJson,
) -> None:
    """Submits several bots, says of each what became of it, and prints a table of all."""
    from arena.service.submit_many import many_document, reason_of, submit_many

    if name:
        raise BadInput("--name goes with one path; submit that bot alone")
    answers = []
    with redirect_stdout(sys.stderr):
        for path, answer in submit_many(
            registry(), db, paths, games=games, keys=keys, seed=seed, observer=_say_what, warn=say
        ):
            answers.append((path, answer))
            say(f"{path}: {answer.status} ({len(answers)} of {len(paths)})")
    refused = sum(answer.status == "refused" for _, answer in answers)
    if output is TextOrJson.JSON:
        show_json(many_document(answers))
    else:
        rows = [
            row | {"why": reason_of(answer)}
            for row, (_, answer) in zip(many_document(answers), answers, strict=True)
        ]
        show_rows(Output.TABLE, "Submissions", MANY_COLUMNS, rows)
        write(stdout(), f"{len(answers) - refused} accepted, {refused} refused")
    if refused:
        raise typer.Exit(CHECK_FAILED)


def _say_what(package: Package, game: AnyGame, opponents: Sequence[str], seed: int) -> None:
    from arena.service.qualify import MATCHES, SHORT_MATCHES

    first, *others = opponents
    say(
        f"Qualifying {package.name} {package.version} for {game.name}: {MATCHES} matches against "
        f"{first}, {SHORT_MATCHES} against each of {', '.join(others)}; all of them twice; "
        f"seed {seed}"
    )


def _show(db: str, submitted: Submitted) -> None:
    package, reports = submitted.package, submitted.reports
    by = [package.language, package.licence, package.author and f"by {package.author}"]
    files = counted(len(package.files), "file")
    title = f"{package.name} {package.version} ({', '.join(filter(None, by))}; {files}, "
    rows = [
        {"game": report.game, "against": opponent, **msgspec.structs.asdict(check)}
        for report in reports
        for opponent, check in report.checks.items()
    ]
    title += f"content {package.content[:SHOWN_DIGITS]})"
    if rows:
        show_rows(Output.TABLE, title, COLUMNS, rows)
    else:
        write(stdout(), title, style="bold")
    for report in reports:
        if not report.passed:
            write(stdout(), report.complaint)
            write(stdout(), f"{package.name} {package.version} was NOT entered")
            return
    write(stdout(), f"{package.name} {package.version} is entered")
    first = reports[0].game
    option = "" if first == "pazaak" else f" --game {first}"
    installed = package.name in {bot.name for bot in registry().bots()}
    spelled = f"{package.name}@{package.version}" if installed else package.name
    say(f"Next: arena match {spelled} random{option}{db_option(db)}")

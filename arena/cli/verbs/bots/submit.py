"""``arena submit``: takes an untrusted bot into the store, or says exactly why not."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from contextlib import redirect_stdout
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from arena_results.file.addresses import db_option

from arena.cli.terminal.completion import complete_game
from arena.cli.terminal.exits import CHECK_FAILED
from arena.cli.terminal.help import AUTHORS
from arena.cli.terminal.options import takes_keys
from arena.cli.terminal.output import (
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
from arena.cli.terminal.wiring import DEFAULT_DB, DbOption, registry
from arena.core.chance.seeding import SEED_BITS
from arena.core.errors import BadInput, HarnessFault
from arena.core.table import Column
from arena.core.text.bot_names import INSTALLED
from arena.core.text.printable import printable_text
from arena.service.bots.qualification_rows import CHECKS, check_rows, compared_texts

if TYPE_CHECKING:
    from arena.core.game import AnyGame
    from arena.plugins.submissions.submission import NameFrom, Package
    from arena.service.answers.rows import Row
    from arena.service.bots.submit import Submitted
    from arena.service.bots.submit_many import Answer

EPILOG = """\b
Examples:
  arena submit careful.py --game pazaak
  arena submit my-bot/ --name careful
  arena submit dist/my_bot-1.0-py3-none-any.whl --allow numpy
  arena submit received/*.zip --decision-seconds 1
  arena submit received/*.zip --name-from path --letters letters
  arena submit careful.py --server https://arena.example/league

A file is read for __version__, __author__, __license__ and the games of its class; a folder, or an
archive of one, for its pyproject.toml, a wheel for its metadata. Nothing of it runs before it
is confined, and nothing is installed. A program in any other language is a folder whose
pyproject.toml has

\b
  [tool.arena.bot]
  command = ["node", "bot.js"]
  games = ["pazaak"]

With build = ["cc", "-o", "bot", "bot.c"] Arena builds it first, in a sandbox of its own.
"""

MANY_COLUMNS = (
    Column("path", "path", drop=0),
    Column("name", "bot"),
    Column("version", "version", drop=2),
    Column("status", "status", drop=0),
    Column("why", "why", drop=0, prose=True),
)


class NameFromOption(StrEnum):
    """The sources of a submission's name."""

    PATH = "path"
    DECLARED = "declared"


def register(app: typer.Typer) -> None:
    """Adds the verb."""
    app.command("submit", rich_help_panel=AUTHORS, epilog=EPILOG)(submit_verb)


@takes_keys(
    *("allow", "isolation", "require", "decision_seconds"), *("build_seconds", "build_memory_mb")
)
def submit_verb(
    path: Annotated[
        list[str],
        typer.Argument(
            metavar="PATH", help="Bot: file, folder, .zip or .tar.gz archive, or wheel. Repeatable."
        ),
    ],
    name: Annotated[
        str,
        typer.Option(
            help="Name of the bot, or which of several to submit.", show_default="its own"
        ),
    ] = "",
    name_from: Annotated[
        NameFromOption | None,
        typer.Option(
            help="Source of the bot's name: path or declared. [declared, path for bot.py]"
        ),
    ] = None,
    game: Annotated[
        list[str] | None,
        typer.Option(
            help="Game of the bot. Repeatable. [declared games]", autocompletion=complete_game
        ),
    ] = None,
    *,
    keys: dict[str, object],
    seed: Annotated[
        int | None,
        typer.Option(
            min=0, max=2**SEED_BITS - 1, help="Seed of the qualification matches. [random]"
        ),
    ] = None,
    server: Annotated[
        str, typer.Option(metavar="URL", help="Web site of the league to submit to.")
    ] = "",
    token: Annotated[
        str,
        typer.Option(
            metavar="TOKEN", envvar="ARENA_TOKEN", show_envvar=True, help="Your token for --server."
        ),
    ] = "",
    letters: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="New folder to write, with a letter to each author."),
    ] = None,
    db: DbOption = DEFAULT_DB,
    output: TextOrJsonOption = TextOrJson.TABLE,
) -> None:
    """Submit a bot: read, qualify and store it.

    Arena first plays matches to qualify the bot: against random play in every seat, and
    against each built-in bot of the game. It must move legally and within its limits.
    If it fails, Arena stores only the reason, and the exit code is 1: arena bots show NAME.
    Submitting the same content again changes nothing. New content needs a new version.
    With several bots, Arena decides on each. The exit code is 1 if one is refused.
    """
    from arena.service.letters.letter import check_new_folder

    named: NameFrom = name_from.value if name_from else ""
    if server:
        given = {"--name": name, "--name-from": name_from, "--game": game, "--seed": seed, **keys}
        given["--letters"] = letters
        _submit_to(server, path, token, [key for key, value in given.items() if value], output)
        return
    if letters:
        check_new_folder(letters, "letters")
    if len(path) > 1:
        _submit_many(path, name, named, game or (), keys, seed, db, output, letters)
        return
    _submit_one(path[0], name, named, game or (), keys, seed, db, output, letters)


def _submit_one(
    path: str,
    name: str,
    name_from: NameFrom,
    games: Sequence[str],
    keys: dict[str, object],
    seed: int | None,
    db: str,
    output: TextOrJson,
    letters: Path | None,
) -> None:
    from arena.service.bots.submit_many import submit_alone

    answers: list[tuple[str, Answer]] = []
    try:
        # What bots print while they are imported must not get into a document on stdout.
        with redirect_stdout(sys.stderr):
            submitted = submit_alone(
                registry(), db, path, lambda answer: answers.append((path, answer)),
                name=name, name_from=name_from, games=games, keys=keys, seed=seed,
                observer=_say_what, warn=say,
            )  # fmt: skip
    except (BadInput, HarnessFault):
        _write_letters(letters, answers, keys)
        raise
    if output is TextOrJson.JSON:
        show_json(submitted.document())
    elif submitted.known:
        write(stdout(), submitted.decision)
        _show_changes(db, submitted)
    else:
        _show(db, submitted)
    _write_letters(letters, answers, keys)
    if submitted.status == "refused":
        raise typer.Exit(CHECK_FAILED)


def _write_letters(
    folder: Path | None, answers: Sequence[tuple[str, Answer]], keys: Mapping[str, object]
) -> None:
    if folder is None or not answers:
        return
    from arena.pages.letter import write_letters
    from arena.service.bots.submit import submission_spec
    from arena.service.letters.submissions import submission_letters

    found = submission_letters(answers, submission_spec(keys).decision_seconds)
    write_letters(folder, found, "letters")
    say(f"Wrote {counted(len(found), 'letter')} to {folder}")


def _submit_to(
    server: str, paths: Sequence[str], token: str, given: Sequence[str], output: TextOrJson
) -> None:
    from arena.service.bots.remote_submit import submit_to

    if len(paths) > 1 or given:
        what = "one path" if len(paths) > 1 else f"no {given[0]}: the league decides that"
        raise BadInput(f"--server takes {what}")
    if not token:
        raise BadInput("--server needs your token: --token TOKEN, or ARENA_TOKEN")

    def changed(document: dict[str, Any]) -> None:
        say(f"submission {document['id']}: {document['state']}")

    found = submit_to(server, paths[0], token, changed, say)
    if output is TextOrJson.JSON:
        show_json(found)
    else:
        show_submission(found)
    if found["state"] != "entered":
        raise typer.Exit(CHECK_FAILED)


def show_submission(found: Mapping[str, Any]) -> None:
    """Prints the document of a submission to a league as ``arena submit`` prints its own."""
    text = printable_text(found["text"], len(found["text"]))
    rows = [*check_rows(found.get("report"))]
    title, _, decision = text.partition("\n")
    if rows:
        _show_decision(title, rows, decision)
    else:
        write(stdout(), text)
    for compared in compared_texts(found.get("report")):
        _say_compared(compared)


def _submit_many(
    paths: Sequence[str],
    name: str,
    name_from: NameFrom,
    games: Sequence[str],
    keys: dict[str, object],
    seed: int | None,
    db: str,
    output: TextOrJson,
    letters: Path | None,
) -> None:
    from arena.service.bots.submit import Submitted
    from arena.service.bots.submit_many import many_document, submit_many

    if name:
        raise BadInput("--name: expected one path; submit that bot alone")
    answers = []
    with redirect_stdout(sys.stderr):
        for path, answer in submit_many(
            registry(), db, paths,
            name_from=name_from, games=games, keys=keys, seed=seed, observer=_say_what, warn=say,
        ):  # fmt: skip
            answers.append((path, answer))
            say(f"{path}: {answer.status} ({len(answers)} of {len(paths)})")
    refused = sum(answer.status == "refused" for _, answer in answers)
    if output is TextOrJson.JSON:
        show_json(many_document(answers))
    else:
        for path, answer in answers:
            if isinstance(answer, Submitted) and answer.status == "refused":
                title = f"{path}: {answer.title}"
                _show_decision(title, [*check_rows(answer.document())], f"{answer.decision}\n")
        rows = [
            row | {"why": answer.why}
            for row, (_, answer) in zip(many_document(answers), answers, strict=True)
        ]
        show_rows(Output.TABLE, "Submissions", MANY_COLUMNS, rows)
        write(stdout(), f"{len(answers) - refused} accepted, {refused} refused")
    _write_letters(letters, answers, keys)
    if refused:
        raise typer.Exit(CHECK_FAILED)


def _say_what(package: Package, game: AnyGame, opponents: Sequence[str], seed: int) -> None:
    from arena.service.bots.qualify import MATCHES, SHORT_MATCHES

    first, *others = opponents
    say(
        f"Qualifying {package.name} {package.version} for {game.name}: {MATCHES} matches against "
        f"{first}, {SHORT_MATCHES} each against {', '.join(others)}; all of them twice; "
        f"seed {seed}"
    )


def _show_decision(title: str, rows: Sequence[Row], decision: str) -> None:
    if rows:
        show_rows(Output.TABLE, title, CHECKS, rows)
    else:
        write(stdout(), title, style="bold")
    write(stdout(), decision)


def _say_compared(text: str, where: str = "") -> None:
    from arena.cli.texts.profile import sentence

    write(stdout(), sentence(f"Compared with the last version{where}: {text}"))


def _show_changes(db: str, submitted: Submitted) -> None:
    """Prints whether the version is better than the last one."""
    for each in submitted.changes:
        board = f" ({', '.join(filter(None, (each.game, each.ruleset)))})"
        several = board if len(submitted.changes) > 1 else ""
        _say_compared(each.text, several)
        if each.needed:
            say(f"Compare them: {each.compare_command}{db_option(db)}")


def _show(db: str, submitted: Submitted) -> None:
    package, reports = submitted.package, submitted.reports
    rows = [*check_rows(submitted.document())]
    _show_decision(submitted.title, rows, submitted.decision)
    if submitted.status == "refused":
        return
    _show_changes(db, submitted)
    first = reports[0].game
    option = "" if first == "pazaak" else f" --game {first}"
    spelled = package.name
    if registry().installed(package.name):
        spelled = f"{package.name}@{package.version}"
        say(f"{package.name} is installed, too: write {spelled}, or {package.name}@{INSTALLED}")
    following = "progress {0}" if submitted.changes else "match {1} random{2}"
    command = following.format(package.name, spelled, option)
    say(f"Next: arena {command}{db_option(db)}")

"""``arena submit``: takes a stranger's bot into the store, or says exactly why not."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer

from arena.cli.exits import CHECK_FAILED
from arena.cli.options import AllowOption, IsolationOption, RequireOption
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
from arena.cli.wiring import DEFAULT_DB, DbOption, database, existing_database, registry
from arena.core.errors import BadInput
from arena.core.seeding import SEED_BITS, fresh_seed
from arena.core.tournament import SHOWN_DIGITS
from arena.service.scratch import scratch_folder

if TYPE_CHECKING:
    from arena_results.submissions import Submission

    from arena.cli.qualifying import Qualification
    from arena.core.game import AnyGame
    from arena.host.box.levels import Level
    from arena.plugins.entries import BotSource
    from arena.plugins.registry import Registry
    from arena.plugins.submission import Package

EPILOG = """\b
Examples:
  arena submit careful.py --game pazaak
  arena submit my-bot/ --name careful
  arena submit dist/my_bot-1.0-py3-none-any.whl --allow numpy

A file is read for __version__, __author__, __license__ and the games of its class; a folder for
its pyproject.toml, a wheel for its metadata. Nothing of it runs before it is confined, and
nothing is installed. A program in any other language is a folder whose pyproject.toml has

\b
  [tool.arena.bot]
  command = ["node", "bot.js"]
  games = ["pazaak"]
"""

COLUMNS = (
    Column("game", "game"),
    Column("against", "against"),
    Column("matches", "matches", right=True),
    Column("points", "points", right=True),
    Column("deterministic", "deterministic"),
    Column("isolation", "ran"),
)


def register(app: typer.Typer) -> None:
    """Adds the verb."""
    app.command("submit", epilog=EPILOG)(submit_verb)


def submit_verb(
    path: Annotated[
        str, typer.Argument(metavar="PATH", help="A file bot.py[:Class], a folder, or a wheel.")
    ],
    name: Annotated[
        str, typer.Option(help="What it is called, or which of several.", show_default="its own")
    ] = "",
    game: Annotated[
        list[str] | None,
        typer.Option(help="A game to enter it for. Repeat for more. [those it says]"),
    ] = None,
    allow: AllowOption = None,
    isolation: IsolationOption = None,
    require: RequireOption = None,
    seed: Annotated[
        int | None,
        typer.Option(min=0, max=2**SEED_BITS - 1, help="Seed of its matches. [drawn]"),
    ] = None,
    db: DbOption = DEFAULT_DB,
    output: TextOrJsonOption = TextOrJson.TABLE,
) -> None:
    """Takes a bot into the store: reads it, qualifies it, enters it or says why not.

    To qualify a bot must break no match: legal actions only, within its limits, against
    random play in every seat and against each house bot of the game. Exit code 1
    when it breaks one; the store is then as it was.
    The same content again changes nothing; new content needs a new version.
    """
    from arena.cli.driving import level_asked_for
    from arena.plugins.dependencies import check_requirements
    from arena.plugins.submission import read_package
    from arena.plugins.unpacking import source_of, unpack_to

    found = registry()
    package = read_package(path, name)
    _check_name(found, package.name)
    games = _games(found, package, game or [])
    check_requirements(package.name, package.requires, allow or ())
    modules = found.importable(allow or ())
    with scratch_folder() as temporary:
        folder = temporary / "bot"
        unpack_to(package, folder)
        source_of(package, folder)  # its program may be missing
        package, known = _looked_up(db, package)
        if known:
            _say_known(output, package, known, games)
            return
        _check_games(found, package, games)
        source = source_of(package, folder, allowed=modules)
        level = level_asked_for(isolation, require)
        # Drawn, so that no bot can know its examination by heart.
        drawn = fresh_seed() if seed is None else seed
        reports = _qualifications(found, package, games, source, level, drawn)
    _conclude(output, db, package, reports)


def _looked_up(db: str, package: Package) -> tuple[Package, Submission | None]:
    """The bot with a version, by the store if it says none, and its stored twin.

    The database is not made for it: a bot that fails leaves nothing behind.
    """
    from arena_results.submissions import next_number, twin

    results = existing_database(db)
    if results is None:
        return msgspec.structs.replace(package, version=package.version or "1"), None
    with results:
        known = twin(results, package.name, package.version, package.content)
        version = known.version if known else package.version or next_number(results, package.name)
    return msgspec.structs.replace(package, version=version), known


def _qualifications(
    found: Registry,
    package: Package,
    games: Sequence[AnyGame],
    source: BotSource,
    level: Level,
    seed: int,
) -> list[Qualification]:
    """What came of each game, up to the first for which the bot failed."""
    from arena.cli import qualifying
    from arena.cli.driving import driver_at

    reports: list[Qualification] = []
    for game in games:
        house = qualifying.house_bots(found, game.name)
        _say_what(package, game, list(house), seed)
        reports.append(qualifying.qualify(source, game, house, driver_at(level), seed))
        if not reports[-1].passed:
            break
    return reports


def _check_name(found: Registry, name: str) -> None:
    taken = next((bot for bot in found.bots() if bot.name == name), None)
    if taken:
        whose = "a house bot" if taken.kind == "house" else f"installed with {taken.distribution}"
        raise BadInput(f"the name {name} is taken: it is {whose}; give another with --name")


def _games(found: Registry, package: Package, asked: Sequence[str]) -> list[AnyGame]:
    """The games that the bot is entered for."""
    said = [found.game(name) for name in package.games]
    wanted = [found.game(name) for name in dict.fromkeys(asked)]
    names = [game.name for game in said]
    for game in wanted:
        if said and game.name not in names:
            raise BadInput(f"bot {package.name} plays {', '.join(names)}, not {game.name}")
    return wanted or said


def _check_games(found: Registry, package: Package, games: Sequence[AnyGame]) -> None:
    if not games:
        choices = ", ".join(game.name for game in found.games())
        raise BadInput(
            f"bot {package.name} does not say which games it plays; add --game with one of: "
            f"{choices}"
        )


def _say_what(package: Package, game: AnyGame, house: Sequence[str], seed: int) -> None:
    from arena.cli.qualifying import MATCHES, SHORT_MATCHES

    first, *others = house
    say(
        f"Qualifying {package.name} {package.version} for {game.name}: {MATCHES} matches against "
        f"{first}, {SHORT_MATCHES} against each of {', '.join(others)}; all of them twice; "
        f"seed {seed}"
    )


def _say_known(
    output: TextOrJson, package: Package, known: Submission, games: Sequence[AnyGame]
) -> None:
    """The same content is there already."""
    more = [game.name for game in games if game.name not in known.games]
    if more:
        raise BadInput(
            f"bot {known.spelling} was entered for {', '.join(known.games)}; "
            f"to enter it for {', '.join(more)} too, give it a new version"
        )
    said = f"{known.spelling} is in the store already with this content; nothing was changed"
    if output is TextOrJson.JSON:
        show_json(_document("unchanged", package, []) | {"report": known.report})
    else:
        write(stdout(), f"{said}; it is {known.status}")


def _conclude(
    output: TextOrJson, db: str, package: Package, reports: Sequence[Qualification]
) -> None:
    """Enters the bot, or says why not."""
    passed = all(report.passed for report in reports)
    if passed:
        _enter(db, package, reports)
    if output is TextOrJson.JSON:
        show_json(_document("entered" if passed else "refused", package, reports))
    else:
        _show(db, package, reports)
    if not passed:
        raise typer.Exit(CHECK_FAILED)


def _enter(db: str, package: Package, reports: Sequence[Qualification]) -> None:
    from arena_results.submissions import NewSubmission, add

    from arena.plugins.archives import packed

    new = NewSubmission(
        name=package.name,
        version=package.version,
        content=package.content,
        author=package.author,
        licence=package.licence,
        games=tuple(report.game for report in reports),
        language=package.language,
        kind=package.kind,
        target=package.target,
        command=package.command,
        requires=package.requires,
        deterministic=all(report.deterministic for report in reports),
        report={report.game: report.summary() for report in reports},
    )
    with database(db, create=True) as results:
        add(results, new, packed(package.files))


def _document(status: str, package: Package, reports: Sequence[Qualification]) -> dict[str, object]:
    told = ("name", "version", "content", "author", "licence", "language")
    failures = [
        {"game": report.game, "opponent": opponent, **msgspec.to_builtins(failure)}
        for report in reports
        for opponent, check in report.checks.items()
        for failure in check.failures
    ]
    return {
        "status": status,
        **{key: getattr(package, key) for key in told},
        "files": sorted(package.files),
        "report": {report.game: report.summary() for report in reports},
        "failures": failures,
        "refusal": "\n".join(report.refusal for report in reports if report.refusal),
        "error": "\n".join(report.error for report in reports if report.error),
    }


def _show(db: str, package: Package, reports: Sequence[Qualification]) -> None:
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
    option += "" if db == DEFAULT_DB else f" --db {shlex.quote(db)}"
    say(f"Next: arena match {package.name} random{option}")

"""Calls that need no database: what there is to play, checks, the machine, new projects."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Unpack

import msgspec

from arena.api.common.calls import address, awaitable, blocking, plugins, public, quiet, warn
from arena.api.common.keys import BotKeys
from arena.core.defaults import CHECK_MATCHES, REDEALS
from arena.core.errors import BadInput, UnknownName
from arena.core.table import Column
from arena.plugins import scaffold
from arena.plugins.registry import Registry
from arena.service.answers.arguments import Positive, listed, text
from arena.service.answers.rows import Document, Row, Scalar, rows_of
from arena.service.answers.tabular import write_rows
from arena.service.answers.writing import replacing
from arena.service.bots import bot_checks, game_checks
from arena.service.bots.games import game_document, game_row, option_rows, rules_text
from arena.service.lookup.machine import examine
from arena.service.lookup.places import places_of
from arena.service.lookup.python_bots import AnyBot, named_bots
from arena.service.report.checks import verification
from arena.service.storage import databases
from arena.testing.check_bot import OnPlayed


def list_games() -> list[Row]:
    """The games that there are to play, as records."""
    with plugins() as registry:
        return rows_of(map(game_row, registry.games()))


@public
def describe_game(name: str, ruleset: str = "") -> Document:
    """A game: its rulesets with all options and their ``meanings``; ``how_to_play`` in some lines.

    Args:
        name: Name of the game.
        ruleset: Name of a ruleset, with options: the key ``rules`` has its rules in full.

    Raises:
        UnknownName: There is no such game, or no such ruleset.
    """
    with plugins() as registry:
        game = registry.game(name)
        rules = {"rules": rules_text(game, ruleset)} if ruleset else {}
        return game_document(game) | rules


@public
def list_options(game: str) -> list[Row]:
    """The options of all rulesets of a game, with their values as strings.

    Raises:
        UnknownName: There is no such game.
    """
    with plugins() as registry:
        rows = rows_of(option_rows(registry.game(game)))
    return [row | {"value": _option_text(row["value"])} for row in rows]


def _option_text(value: Scalar) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


@public
def export(
    rows: Iterable[Mapping[str, object]],
    exporter: str = "csv",
    columns: Sequence[str] | None = None,
    *,
    file: str | PathLike[str] | None = None,
) -> str:
    """Writes rows as one document, as ``-o NAME`` of the commands does.

    Args:
        rows: Records, such as ``cup.standings()``.
        exporter: ``"csv"``, ``"json"``, ``"jsonl"``, ``"parquet"`` (for which pyarrow is needed),
            or the name of an extension's exporter.
        columns: The keys to write, in order; all of them by default.
        file: Where to write it; Parquet can only be written to a file.

    Returns:
        The document; empty when it was written to a file.

    Raises:
        UnknownName: There is no such exporter, or no such column.
        BadInput: The file cannot be written; an earlier one is as it was.
    """
    records = rows_of(listed("rows", rows, Mapping))
    wanted = [] if columns is None else listed("columns", columns, str)
    there = list(records[0]) if records else wanted
    for name in wanted:
        if name not in there:
            raise UnknownName("column", name, there)
    with plugins() as registry:
        if file is None:
            return registry.exporter(exporter).export(wanted or there, records)
        with replacing(Path(file)) as opened:
            write_rows(registry, exporter, [*map(Column, wanted or there)], records, opened)
        return ""


@public
def check_game(
    name: str, ruleset: str = "", *, redeals: Positive = REDEALS, seed: int = 0
) -> Document:
    """Plays a game at random and tests every promise of the contract of games.

    Args:
        name: Name of the game.
        ruleset: Name of the ruleset; empty for the game's first.
        redeals: How often to deal again what a seat cannot see.
        seed: Everything follows from it.

    Returns:
        The findings; ``passed`` and ``problems`` among them.
    """
    with plugins() as registry:
        report = game_checks.check_game(registry, name, ruleset, redeals, seed)
    return game_checks.report_document(report)


@blocking
@public
def check_bot(
    bot: AnyBot | None = None,
    *,
    command: str | None = None,
    game: str = "pazaak",
    ruleset: str = "",
    matches: Positive = CHECK_MATCHES,
    seed: int = 0,
    db: str | PathLike[str] | None = None,
    progress: OnPlayed | None = None,
    **keys: Unpack[BotKeys],
) -> Document:
    """Plays a bot against random play in every seat, where it would run in a tournament.

    Args:
        bot: A name, a file, a folder, a wheel, or a bot of this program. An endpoint of a language
            model plays no match: it is asked one question.
        command: In its place a program that speaks the protocol of docs/reference/protocol.md.
        game: Name of the game.
        ruleset: Name of the ruleset; empty for the game's first.
        matches: Matches of each of the two runs.
        seed: Everything follows from it.
        db: The database that holds submitted bots, if it is one: open, or its address.
        progress: Called after some matches: with the number of all, of those played, and of faults.
        keys: Limits, ``trust``, ``isolation`` and ``allow``, as in a tournament.

    Returns:
        The findings; ``passed`` and ``failures`` among them.

    Raises:
        BadPlugin: The bot cannot be started; notes of the error are its traceback and its log.
        HarnessFault: A match was void.
    """
    if (bot is None) == (command is None):
        raise BadInput("check_bot needs a bot, or command=... for a program, not both")
    names, local = named_bots(() if bot is None else (bot,))
    with plugins() as registry:
        report = bot_checks.check_bot(
            registry,
            names[0] if names else None,
            command=command,
            game=game,
            ruleset=ruleset,
            matches=matches,
            seed=seed,
            keys=keys,
            url="" if db is None else address(db),
            local=local,
            warn=warn,
            played=progress or quiet,
        )
    return game_checks.report_document(report)


@public
def check_cases(files: str | PathLike[str] | Iterable[str | PathLike[str]]) -> list[Document]:
    """Runs rule cases in the neutral schema; a document for each, with ``passed`` and ``detail``.

    Raises:
        BadInput: A file cannot be read, or is not a JSON list.
    """
    given = files if isinstance(files, Iterable) and not isinstance(files, str) else [files]
    paths = [text("files", file) for file in given]
    with plugins() as registry:
        results = game_checks.check_cases(registry, paths)
    return [msgspec.structs.asdict(result) for result in results]


def doctor(*, executor: str = "") -> Document:
    """Tries what hostile bots try, at each level of isolation: the document of ``arena doctor``.

    Args:
        executor: An executor such as ``"dask(address=...)"``: its places are shown instead.

    Raises:
        BadInput: There is no such executor, it has no places, or cannot be reached.
    """
    chosen = text("executor", executor)
    return {"places": places_of(chosen)} if chosen else examine().document()


@public
def new_bot(
    name: str,
    folder: str | PathLike[str] | None = None,
    *,
    game: str = "pazaak",
    language: str = "python",
    endpoint: bool = False,
) -> list[Path]:
    """Writes a working, tested bot project; the files written.

    Args:
        name: Name of the bot and of its distribution.
        folder: A new or empty folder; by default ``./NAME``.
        game: The game that it plays.
        language: Its language: ``python``, ``javascript``, ``java``, ``c``, ``cpp``, ``rust`` or
            ``go``.
        endpoint: Writes a file for an endpoint of a language model instead.

    Raises:
        BadInput: The name or the folder cannot be used; nothing was written.
    """
    folder = Path(folder or name)
    if endpoint:
        return scaffold.new_endpoint(Registry(), name, folder)
    return scaffold.new_bot(Registry(), name, folder, game, language)


@public
def new_game(
    name: str, folder: str | PathLike[str] | None = None, *, full: bool = False
) -> list[Path]:
    """Writes a working, tested game project; the files written.

    Args:
        name: Name of the game and of its distribution.
        folder: A new or empty folder; by default ``./NAME``.
        full: Writes a package with a module for each part and rule cases, instead of one file.

    Raises:
        BadInput: The name or the folder cannot be used; nothing was written.
    """
    return scaffold.new_game(Registry(), name, Path(folder or name), full=full)


@blocking
@public
def verify_tournament(
    number: int,
    db: str | PathLike[str] | None = None,
    *,
    progress: verification.OnVerified | None = None,
) -> Document:
    """Computes a tournament again from its records, and compares everything that is stored of it.

    Args:
        number: Number of the tournament.
        db: Its database, open or by name; by default as ``open_database``.
        progress: Called with the numbers of matches verified so far and in all.

    Returns:
        The document of ``arena tournament verify``: ``verified``, and what was verified, or the
        first ``difference``.

    Raises:
        UnknownName: There is no such tournament.
        BadStore: It is not a database of this version.
    """
    with plugins() as registry, databases.open_database(address(db)) as database:
        return verification.verify_tournament(registry, database, number, progress).document()


@public
def upgrade_database(db: str | PathLike[str] | None = None) -> Path | None:
    """Brings the database of an older version to the present one, after copying its file.

    Returns:
        The copy; ``None`` when there was nothing to do, or a server has it.

    Raises:
        BadStore: It is not a database of ours, or cannot be written; nothing was changed.
    """
    upgraded = databases.upgrade_database(address(db))
    return upgraded.copy if upgraded else None


check_game_async = awaitable(check_game)
check_bot_async = awaitable(check_bot)
check_cases_async = awaitable(check_cases)
doctor_async = awaitable(doctor)
verify_tournament_async = awaitable(verify_tournament)

"""``arena check bot``: real matches of one bot, where it would run in a tournament."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from textwrap import indent
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer

from arena.cli.options import (
    AllowOption,
    DecisionSecondsOption,
    IsolationOption,
    MemoryOption,
    StartupSecondsOption,
    ThreadsOption,
    TrustOption,
    given,
)
from arena.cli.output import TextOrJson, TextOrJsonOption, say
from arena.cli.verdict import CheckRulesetOption, CheckSeedOption, answer
from arena.cli.wiring import registry
from arena.core.errors import BadInput, BadPlugin, BadSpec
from arena.core.printable import printable_text
from arena.service.scratch import scratch_folder

if TYPE_CHECKING:
    from arena.plugins.entries import BotSource
    from arena.plugins.registry import Registry
    from arena.testing.check_bot import BotReport

EPILOG = """\b
Examples:
  arena check bot "stand(at=18)"
  arena check bot path/to/file.py --matches 200
  arena check bot my-bot/ --game sabacc
  arena check bot --cmd "node bot.js"
"""
OPPONENT = "random"


def check_bot_verb(
    bot: Annotated[
        str | None,
        typer.Argument(
            metavar="BOT",
            help="A bot: NAME, 'NAME(key=value)', path/to/file.py[:Class], or what could be "
            "submitted: a folder or a wheel.",
        ),
    ] = None,
    cmd: Annotated[
        str | None,
        typer.Option(
            "--cmd",
            metavar="COMMAND",
            help="In place of BOT: a program that speaks the protocol of docs/protocol.md.",
        ),
    ] = None,
    game: Annotated[str, typer.Option(help="The game to play.")] = "pazaak",
    ruleset: CheckRulesetOption = "",
    matches: Annotated[int, typer.Option(min=1, help="Matches of each of the two runs.")] = 20,
    seed: CheckSeedOption = 0,
    decision_seconds: DecisionSecondsOption = None,
    trust: TrustOption = None,
    isolation: IsolationOption = None,
    allow: AllowOption = None,
    startup_seconds: StartupSecondsOption = None,
    memory_mb: MemoryOption = None,
    threads: ThreadsOption = None,
    output: TextOrJsonOption = TextOrJson.TABLE,
) -> None:
    """Plays a bot against random play in every seat, and looks for faults.

    It runs where it would run in a tournament. Tells whether it plays alike when it is given the
    same seeds again (deterministic: a badge, no duty).
    """
    from arena_tournaments.spec import read_spec

    from arena.cli.driving import open_driver
    from arena.host.box.levels import Level
    from arena.host.launch import MatchSettings
    from arena.service.levels import choose_level, limits_of, resources_of
    from arena.testing.check_bot import check_bot

    problems: list[str] = []
    keys = given(
        decision_seconds=decision_seconds, trust=trust, isolation=isolation, allow=allow,
        startup_seconds=startup_seconds, memory_mb=memory_mb, threads=threads,
    )  # fmt: skip
    spec = read_spec(keys, problems)
    if problems:
        raise BadSpec("command line", problems)
    found = registry()
    played = found.game(game)
    rules = played.ruleset(ruleset)
    with _source(found, bot, cmd, spec.trust, spec.allow) as source:
        level = Level.TRUSTED if source.trusted else choose_level(spec.isolation, warn=say)
        if level is Level.TRUSTED and not source.trusted:
            raise BadPlugin(f"bot {source.participant.name} is not trusted; add --trust, or leave "
                            "--isolation at auto")  # fmt: skip
        settings = MatchSettings(played, rules, limits_of(spec), resources_of(spec), level)
        try:
            with open_driver(settings, (source, found.resolve_bot(OPPONENT))) as driver:
                report = check_bot(driver, played, rules, matches, seed)
        except BadPlugin as trouble:
            for note in getattr(trouble, "__notes__", ()):
                say(note.rstrip())
            raise
    document = msgspec.structs.asdict(report)
    for time in ("nanoseconds", "cpu_nanoseconds"):  # documents can be compared: none holds a time
        del document[time]
    name = bot or cmd or ""
    answer(output, document, lambda: _print(name, report), passed=report.passed)


@contextmanager
def _source(
    found: Registry,
    bot: str | None,
    cmd: str | None,
    trust: tuple[str, ...],
    allow: tuple[str, ...],
) -> Iterator[BotSource]:
    """The bot that is meant, unpacked if need be, for as long as the context lasts."""
    from arena.plugins.command import command_source
    from arena.plugins.dependencies import check_requirements
    from arena.plugins.submission import read_package
    from arena.plugins.unpacking import source_of, unpack_to
    from arena.service.resolver import BotResolver

    if (bot is None) == (cmd is None):
        raise BadInput("check bot needs a bot: BOT, or --cmd COMMAND for a program")
    if cmd is not None:
        yield command_source(cmd)
    elif bot is not None and (Path(bot).is_dir() or bot.endswith(".whl")):
        package = read_package(bot)
        check_requirements(package.name, package.requires, allow)
        with scratch_folder() as temporary:
            folder = temporary / "bot"
            unpack_to(package, folder)
            yield source_of(package, folder, allowed=found.importable(allow))
    elif bot is not None:
        with BotResolver(found) as resolver:
            yield resolver.find(bot, trust, allow)


def _print(bot: str, report: BotReport) -> None:
    print(f"{bot}: {report.points:g} points of {report.matches} matches against random play")
    print(f"  deterministic (same seeds, same play): {'yes' if report.deterministic else 'no'}")
    print(f"  isolation: {report.isolation}")
    for number, fault in enumerate(report.failures):
        print(f"fault in {fault.headline}")
        if number == 0:  # the others are mostly the same again
            print(indent(printable_text(fault.details), "  "))

"""``arena check bot``: real matches of one bot, where it would run in a tournament."""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from textwrap import indent
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.check_report import CheckRulesetOption, CheckSeedOption, answer
from arena.cli.options import takes_keys
from arena.cli.output import TextOrJson, TextOrJsonOption, say
from arena.cli.wiring import registry
from arena.core.errors import BadPlugin
from arena.core.printable import printable_text

if TYPE_CHECKING:
    from arena.testing.check_bot import BotReport

EPILOG = """\b
Examples:
  arena check bot "stand(at=18)"
  arena check bot path/to/file.py --matches 200
  arena check bot my-bot/ --game sabacc
  arena check bot --cmd "node bot.js"
"""
KEYS = (
    *("decision_seconds", "trust", "isolation", "allow"),
    *("startup_seconds", "memory_mb", "threads"),
)


@takes_keys(*KEYS)
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
    *,
    keys: dict[str, object],
    output: TextOrJsonOption = TextOrJson.TABLE,
) -> None:
    """Plays a bot against random play in every seat, and looks for faults.

    It runs where it would run in a tournament. Reports whether it plays alike when it is given the
    same seeds again (deterministic: a badge, no duty).
    """
    from arena.service.checks import bot_document, check_bot

    try:
        # What bots print must not get into a document on stdout.
        with redirect_stdout(sys.stderr):
            report = check_bot(
                registry(), bot, command=cmd, game=game, ruleset=ruleset,
                matches=matches, seed=seed, keys=keys, warn=say,
            )  # fmt: skip
    except BadPlugin as error:
        for note in getattr(error, "__notes__", ()):
            say(note.rstrip())
        raise
    name = bot or cmd or ""
    answer(output, bot_document(report), lambda: _print(name, report), passed=report.passed)


def _print(bot: str, report: BotReport) -> None:
    print(f"{bot}: {report.points:g} points of {report.matches} matches against random play")
    print(f"  deterministic (same seeds, same play): {'yes' if report.deterministic else 'no'}")
    print(f"  isolation: {report.isolation}")
    for number, fault in enumerate(report.failures):
        print(f"fault in {fault.headline}")
        if number == 0:  # the others are mostly the same again
            print(indent(printable_text(fault.details), "  "))

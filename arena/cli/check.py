"""``arena check``: checks games, bots and rule cases. Exit code 1 when a check failed."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer

from arena.cli import check_bot
from arena.cli.check_report import CheckRulesetOption, CheckSeedOption, answer
from arena.cli.exits import CHECK_FAILED
from arena.cli.output import TextOrJson, TextOrJsonOption, show_json
from arena.cli.wiring import registry, report_problems

if TYPE_CHECKING:
    from arena.testing.check_game import GameReport
    from arena.testing.conformance import CaseResult

GAME_EPILOG = """\b
Example:
  arena check game pazaak --ruleset console --redeals 100000
"""
CASES_EPILOG = """\b
Example:
  arena check cases tests/conformance/data/pazaak.json
"""


def register(app: typer.Typer) -> None:
    """Adds the verb."""
    check = typer.Typer(
        help="Checks a game, a bot, or rule cases.",
        no_args_is_help=True,
    )
    check.command("game", epilog=GAME_EPILOG)(check_game_verb)
    check.command("bot", epilog=check_bot.EPILOG)(check_bot.check_bot_verb)
    check.command("cases", epilog=CASES_EPILOG)(check_cases_verb)
    app.add_typer(check, name="check")


def check_game_verb(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A game, as in: arena games.")],
    ruleset: CheckRulesetOption = "",
    redeals: Annotated[
        int, typer.Option(min=1, help="How often to deal anew what a seat cannot see.")
    ] = 10_000,
    seed: CheckSeedOption = 0,
    output: TextOrJsonOption = TextOrJson.TABLE,
) -> None:
    """Plays a game at random and tests every promise of the contract of games.

    The heart of it: what a seat cannot see is dealt anew, and its observation must not change.
    """
    from arena.testing.check_game import check_game

    game = registry().game(name)
    report = check_game(game, game.ruleset(ruleset), redeals, seed)
    document = msgspec.structs.asdict(report)
    answer(output, document, lambda: _print_game(report), passed=report.passed)


def check_cases_verb(
    files: Annotated[list[Path], typer.Argument(metavar="FILE", help="JSON lists of cases.")],
    output: TextOrJsonOption = TextOrJson.TABLE,
) -> None:
    """Runs rule cases in the neutral schema and prints each failing one.

    Closes with a line "N passed, M failed". JSON: a list of every case with
    id, passed, expected, actual and detail; the closing line goes to stderr.
    """
    from arena.testing.conformance import run_file

    found = registry()
    drivers = found.case_drivers()
    report_problems(found)
    results = [result for file in files for result in run_file(file, drivers)]
    failed = [result for result in results if not result.passed]
    closing = f"{len(results) - len(failed)} passed, {len(failed)} failed"
    if output is TextOrJson.TABLE:
        for result in failed:
            _print_case(result)
        print(closing)
    else:
        show_json(results)
        print(closing, file=sys.stderr)
    if failed:
        raise typer.Exit(CHECK_FAILED)


def _print_game(report: GameReport) -> None:
    print(
        f"{report.game}, {report.ruleset}: {report.matches} matches at tables of "
        f"{', '.join(map(str, report.seats))}, {report.decisions} decisions, "
        f"{report.redeals} re-deals\n"
        f"  in {report.other_worlds} of the re-dealt worlds another seat saw something else"
    )
    for promise, times in report.checks.items():
        print(f"  {promise}: {times} times")
    for problem in report.problems:
        print(f"broken: {problem}")


def _print_case(result: CaseResult) -> None:
    expected, actual = (
        msgspec.json.encode(each).decode() for each in (result.expected, result.actual)
    )
    print(f"FAILED {result.id}: {result.detail}\n  expected {expected}\n  actual   {actual}")

"""``arena check``: the judge of games, bots and rule cases. Exit code 1 when a check failed."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from textwrap import indent
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer

from arena.cli.exits import CHECK_FAILED
from arena.cli.output import TextOrJson, TextOrJsonOption, show_json
from arena.cli.wiring import TrustOption, registry

if TYPE_CHECKING:
    from arena.testing.check_bot import BotReport
    from arena.testing.check_game import GameReport
    from arena.testing.conformance import CaseResult

RulesetOption = Annotated[
    str,
    typer.Option(help="Ruleset: NAME or 'NAME(option=value)'.", show_default="the game's first"),
]
SeedOption = Annotated[
    int, typer.Option(min=0, max=2**63 - 1, metavar="SEED", help="Everything follows from it.")
]

GAME_EPILOG = """Example:
  arena check game pazaak --ruleset console --redeals 100000
"""
BOT_EPILOG = """Examples:
  arena check bot "stand(at=18)"
  arena check bot path/to/file.py --trust file --matches 200
"""
CASES_EPILOG = """Example:
  arena check cases tests/conformance/data/pazaak.json
"""


def register(app: typer.Typer) -> None:
    """Adds the verb."""
    check = typer.Typer(
        help="Checks a game, a bot, or rule cases.",
        no_args_is_help=True,
    )
    check.command("game", epilog=GAME_EPILOG)(check_game_verb)
    check.command("bot", epilog=BOT_EPILOG)(check_bot_verb)
    check.command("cases", epilog=CASES_EPILOG)(check_cases_verb)
    app.add_typer(check, name="check")


def check_game_verb(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A game, as in: arena games.")],
    ruleset: RulesetOption = "",
    redeals: Annotated[
        int, typer.Option(min=1, help="How often to deal anew what a seat cannot see.")
    ] = 10_000,
    seed: SeedOption = 0,
    output: TextOrJsonOption = TextOrJson.TABLE,
) -> None:
    """Plays a game at random and tests every promise of the contract of games.

    The heart of it: what a seat cannot see is dealt anew, and its observation must not change.
    """
    from arena.testing.check_game import check_game

    game = registry().game(name)
    report = check_game(game, game.ruleset(ruleset), redeals, seed)
    document = msgspec.structs.asdict(report)
    _answer(output, document, lambda: _print_game(report), passed=report.passed)


def check_bot_verb(
    bot: Annotated[
        str,
        typer.Argument(
            metavar="BOT", help="A bot: NAME, 'NAME(key=value)', or path/to/file.py[:Class]."
        ),
    ],
    game: Annotated[str, typer.Option(help="The game to play.")] = "pazaak",
    ruleset: RulesetOption = "",
    matches: Annotated[int, typer.Option(min=1, help="Matches of each of the two runs.")] = 20,
    seed: SeedOption = 0,
    trust: TrustOption = None,
    output: TextOrJsonOption = TextOrJson.TABLE,
) -> None:
    """Plays a bot against random play in every seat, and looks for faults.

    Tells whether it plays alike when it is given the same seeds again
    (deterministic: a badge, no duty).
    """
    from arena.host.inline import play_inline
    from arena.host.watch import Watch
    from arena.host.worker import TICK_SECONDS
    from arena.match.clock import Limits
    from arena.plugins.loading import load_bot
    from arena.testing.check_bot import check_bot

    found = registry()
    played, limits = found.game(game), Limits()
    rules = played.ruleset(ruleset)
    make = load_bot(found.resolve_bot(bot, trust or ()))
    with Watch(limits.decision_ns, TICK_SECONDS) as watch:
        play = partial(play_inline, watch=watch)
        report = check_bot(play, make, played, rules, matches, seed, limits=limits)
    document = msgspec.structs.asdict(report)
    del document["nanoseconds"]  # documents are free of times, so that they can be compared
    _answer(output, document, lambda: _print_bot(bot, report), passed=report.passed)


def check_cases_verb(
    files: Annotated[list[Path], typer.Argument(metavar="FILE", help="JSON lists of cases.")],
    output: TextOrJsonOption = TextOrJson.TABLE,
) -> None:
    """Runs rule cases in the neutral schema and prints each failing one.

    Closes with a line "N passed, M failed". JSON: a list of every case with
    id, passed, expected, actual and detail; the closing line goes to stderr.
    """
    from arena.testing.conformance import run_file

    results = [result for file in files for result in run_file(file)]
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


def _answer(
    output: TextOrJson, document: Mapping[str, object], show: Callable[[], None], *, passed: bool
) -> None:
    """Shows a report, and says with the exit code whether the check passed."""
    if output is TextOrJson.TABLE:
        show()
        print("passed" if passed else "FAILED")
    else:
        show_json({"passed": passed, **document})
    if not passed:
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


def _print_bot(bot: str, report: BotReport) -> None:
    badge = {True: "yes", False: "no", None: "cannot be told, as it is not deterministic"}
    print(f"{bot}: {report.points:g} points of {report.matches} matches against random play")
    print(f"  deterministic (same seeds, same play): {badge[report.deterministic]}")
    for number, fault in enumerate(report.failures):
        print(
            f"fault in match {fault.match} (seed {fault.seed}), seat {fault.seat} of "
            f"{fault.seats}, move {fault.move}: {fault.cause}: {fault.reason}"
        )
        if number == 0:  # the others are mostly the same again
            told = (fault.position, fault.error if fault.error != fault.reason else "")
            print(indent("\n".join(filter(None, map(str.rstrip, told))), "  "))


def _print_case(result: CaseResult) -> None:
    expected, actual = (
        msgspec.json.encode(each).decode() for each in (result.expected, result.actual)
    )
    print(f"FAILED {result.id}: {result.detail}\n  expected {expected}\n  actual   {actual}")

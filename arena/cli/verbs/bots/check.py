"""``arena check``: checks games, bots, cases, reports and leagues; exit code 1 if one fails."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from textwrap import indent
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer

from arena.cli.terminal.completion import complete_bot, complete_game
from arena.cli.terminal.exits import CHECK_FAILED
from arena.cli.terminal.help import AUTHORS
from arena.cli.terminal.options import takes_keys
from arena.cli.terminal.output import (
    Output,
    OutputOption,
    TextOrJson,
    TextOrJsonOption,
    answer,
    counted,
    draw,
    say,
    show_json,
    stderr,
)
from arena.cli.terminal.wiring import DEFAULT_DB, DbOption, registry, report_problems
from arena.cli.verbs.bots.check_league import EPILOG as LEAGUE_EPILOG
from arena.cli.verbs.bots.check_league import check_league_verb
from arena.core.chance.seeding import MAX_SEED
from arena.core.defaults import CHECK_MATCHES, REDEALS
from arena.core.errors import BadPlugin
from arena.core.text.printable import printable_text

if TYPE_CHECKING:
    from arena.service.bots.endpoint_check import EndpointReport
    from arena.service.report.filed.trf_check import TrfCheck
    from arena.testing.check_bot import BotReport
    from arena.testing.check_game import GameReport
    from arena.testing.conformance import CaseResult

GAME_EPILOG = """\b
Example:
  arena check game pazaak --ruleset console --redeals 100000
"""
BOT_EPILOG = """\b
Examples:
  arena check bot "stand(at=18)"
  arena check bot path/to/file.py --matches 200
  arena check bot my-bot/ --game sabacc
  arena check bot --cmd "node bot.js"
  arena check bot gpt.toml
"""
BOT_KEYS = (
    *("decision_seconds", "trust", "isolation", "allow"),
    *("startup_seconds", "memory_mb", "threads", "build_seconds", "build_memory_mb"),
)
CASES_EPILOG = """\b
Example:
  arena check cases tests/conformance/data/pazaak.json
"""
TRF_EPILOG = """\b
Examples:
  arena check trf open.trf
  arena check trf open.trf -o csv
"""

RulesetOption = Annotated[
    str,
    typer.Option(help="Ruleset: NAME or 'NAME(option=value)'.", show_default="the game's first"),
]
SeedOption = Annotated[
    int, typer.Option(min=0, max=MAX_SEED, metavar="SEED", help="Fixed seed of the whole check.")
]


def register(app: typer.Typer) -> None:
    """Adds the verb."""
    check = typer.Typer(
        help="Check a game, a bot, rule cases, a report or a league.", no_args_is_help=True
    )
    check.command("game", epilog=GAME_EPILOG)(check_game_verb)
    check.command("bot", epilog=BOT_EPILOG)(check_bot_verb)
    check.command("cases", epilog=CASES_EPILOG)(check_cases_verb)
    check.command("trf", epilog=TRF_EPILOG)(check_trf_verb)
    check.command("league", epilog=LEAGUE_EPILOG)(check_league_verb)
    app.add_typer(check, name="check", rich_help_panel=AUTHORS)


def check_game_verb(
    name: Annotated[
        str,
        typer.Argument(metavar="NAME", help="Game, see arena games.", autocompletion=complete_game),
    ],
    ruleset: RulesetOption = "",
    redeals: Annotated[
        int, typer.Option(min=1, help="Number of new deals of hidden cards.")
    ] = REDEALS,
    seed: SeedOption = 0,
    output: TextOrJsonOption = TextOrJson.TABLE,
) -> None:
    """Test a game's contract by random play.

    Above all, what a seat cannot see is dealt anew, and its observation must not change.
    """
    from arena.service.bots.game_checks import check_game, report_document

    found = registry()
    try:
        report = check_game(found, name, ruleset, redeals, seed)
    finally:
        report_problems(found)
    _answer(output, report_document(report), lambda: _print_game(report))


@takes_keys(*BOT_KEYS)
def check_bot_verb(
    bot: Annotated[
        str | None,
        typer.Argument(
            metavar="BOT",
            autocompletion=complete_bot,
            help="Bot: NAME, 'NAME(key=value)', NAME@VERSION, file, folder, archive or wheel.",
        ),
    ] = None,
    cmd: Annotated[
        str | None,
        typer.Option(
            "--cmd", metavar="COMMAND", help="Program that speaks the protocol, in place of BOT."
        ),
    ] = None,
    game: Annotated[
        str, typer.Option(help="Game to play.", autocompletion=complete_game)
    ] = "pazaak",
    ruleset: RulesetOption = "",
    matches: Annotated[
        int, typer.Option(min=1, help="Matches per run, of two runs.")
    ] = CHECK_MATCHES,
    seed: SeedOption = 0,
    *,
    keys: dict[str, object],
    db: DbOption = DEFAULT_DB,
    output: TextOrJsonOption = TextOrJson.TABLE,
) -> None:
    """Test a bot in every seat against random play.

    It runs where it would run in a tournament. Reports whether it plays alike when it is given the
    same seeds again (deterministic: reported, not required). It stops after three like faults.
    An endpoint of a language model is asked one question instead, after its prompts were tried on
    matches of each game. It fails if the answer is a refusal or empty, three times.
    """
    from arena.service.bots.bot_checks import check_bot
    from arena.service.bots.endpoint_check import EndpointReport
    from arena.service.bots.game_checks import report_document

    try:
        # What bots print must not get into a document on stdout.
        with redirect_stdout(sys.stderr), _progress_line() as played:
            report = check_bot(
                registry(), bot, command=cmd, game=game, ruleset=ruleset,
                matches=matches, seed=seed, keys=keys, url=db, warn=say, played=played,
            )  # fmt: skip
    except BadPlugin as error:
        for note in getattr(error, "__notes__", ()):
            say(note.rstrip())
        raise
    name = bot or cmd or ""
    document = report_document(report)
    if isinstance(report, EndpointReport):
        endpoint = report
        _answer(output, document, lambda: print(_endpoint_line(name, endpoint)))
    else:
        of_matches = report
        _answer(output, document, lambda: _print_bot(name, of_matches))


def _endpoint_line(name: str, report: EndpointReport) -> str:
    sizes = (report.prompt_tokens, report.completion_tokens)
    tokens = "tokens not told" if None in sizes else f"{sizes[0]} + {sizes[1]} tokens"
    cost = "price not known" if report.cost is None else f"${report.cost:.6f}"
    form = f"answer = {report.answer!r}".replace("'", '"')
    return f"{name}: {report.model} answers in {report.seconds:.2f} s ({tokens}, {cost}), {form}"


def check_cases_verb(
    files: Annotated[list[Path], typer.Argument(metavar="FILE", help="JSON files of cases.")],
    output: TextOrJsonOption = TextOrJson.TABLE,
) -> None:
    """Run rule cases and print each failing one.

    Closes with a line "N passed, M failed". JSON: a list of every case with
    id, passed, expected, actual and detail; the closing line goes to stderr.
    """
    from arena.service.bots.game_checks import check_cases

    found = registry()
    try:
        results = check_cases(found, files)
    finally:
        report_problems(found)
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


def check_trf_verb(
    trf: Annotated[
        Path, typer.Argument(metavar="FILE", help="Tournament Report File, finished or running.")
    ],
    output: OutputOption = Output.TABLE,
) -> None:
    """Check a FIDE report file, and pair each round again.

    Lists boards that the FIDE Dutch system of 2026 pairs otherwise, wrong colours, byes, points
    and ranks, missing results, records that contradict each other, players that met before or must
    not meet. Other systems are not paired again.
    """
    from arena.service.report.filed.trf_check import check_trf

    found = check_trf(trf, lambda line: say(f"warning: {line}"))
    if output is not Output.TABLE:
        answer(output, found.document(), found.table)
        for note in found.notes:
            say(f"note: {note}")
    else:
        _print_trf(found)
    if not found.passed:
        raise typer.Exit(CHECK_FAILED)


def _answer(output: TextOrJson, document: Mapping[str, object], show: Callable[[], None]) -> None:
    passed = document["passed"]
    if output is TextOrJson.TABLE:
        show()
        print("passed" if passed else "FAILED")
    else:
        show_json(document)
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
    for promise, reason in report.exempt.items():
        print(f"  {promise}: does not apply: {reason}")
    for note in report.notes:
        print(f"note: {note}")
    for problem in report.problems:
        print(f"broken: {problem}")


def _print_trf(found: TrfCheck) -> None:
    if found.passed:
        print(found.table.title)
    else:
        draw(found.table)
    for note in found.notes:
        print(f"note: {note}")
    print("passed" if found.passed else f"FAILED: {counted(len(found.findings), 'finding')}")


@contextmanager
def _progress_line() -> Iterator[Callable[[int, int, int], object]]:
    if not stderr().is_terminal:
        yield lambda of, done, faults: None
        return
    from rich.live import Live
    from rich.text import Text

    # Drawn when something happens: a thread of rich's would be copied into bots' processes.
    with Live(console=stderr(), auto_refresh=False, transient=True) as live:

        def show(of: int, done: int, faults: int) -> None:
            live.update(Text(f"{done} of {of} matches, {counted(faults, 'fault')}"), refresh=True)

        live.update(Text("playing the first match"), refresh=True)
        yield show


def _print_bot(bot: str, report: BotReport) -> None:
    from arena.testing.check_bot import ENOUGH

    print(f"{bot}: {report.points:g} points of {report.matches} matches against random play")
    alike = "not tried" if report.stopped else "yes" if report.deterministic else "no"
    print(f"  deterministic (same seeds, same play): {alike}")
    print(f"  isolation: {report.isolation}")
    for number, fault in enumerate(report.failures):
        print(f"fault in {fault.headline}")
        if number == 0:  # the others are mostly the same again
            print(indent(printable_text(fault.details), "  "))
    if report.stopped:
        print(f"stopped after {report.matches} matches: {ENOUGH} faults are alike")


def _print_case(result: CaseResult) -> None:
    expected, actual = (
        msgspec.json.encode(each).decode() for each in (result.expected, result.actual)
    )
    print(f"FAILED {result.id}: {result.detail}\n  expected {expected}\n  actual   {actual}")

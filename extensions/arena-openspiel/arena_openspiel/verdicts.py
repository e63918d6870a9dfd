"""Checks every game that is offered, and keeps what came out: ``verdicts.json``.

``python -m arena_openspiel.verdicts`` writes the table of the documentation from that file.
``--write`` checks all games first, or those whose names follow, each in a process of its own.
"""

from __future__ import annotations

import re
import resource
import subprocess
import sys
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

import msgspec

from arena.testing.check_game import GameReport, check_game
from arena_openspiel.catalogue import catalogue
from arena_openspiel.games import game_class
from arena_openspiel.library import library
from arena_openspiel.survey import refused
from arena_openspiel.watch import Watch

FILE = Path(__file__).with_name("verdicts.json")
REDEALS = 1000
"""Worlds that are dealt again for the table."""
MAX_SECONDS = 60
"""Processor time of one check."""
FIRST = 100, 15
"""Worlds of a first check, and its processor time: a game that needs more is too slow."""
PASSES = "pass"
_UNSHOWN = "OpenSpiel shows no seat its cards before all are dealt"
_GUESSED = "moves that a seat did not see are guessed until all fits"
REASONS: Mapping[str, str] = {
    "battleship": "fleets are guessed until all shots fit",
    "colored_trails": "a seat has thousands of proposals",
    "crazy_eights": _UNSHOWN,
    "dark_chess": _GUESSED,
    "dou_dizhu": "OpenSpiel shows hands without suits, and no bids",
    "kriegspiel": _GUESSED,
    "phantom_go": _GUESSED,
    "rbc": _GUESSED,
    "skat": _UNSHOWN,
}
"""Why some games do not pass."""
_PATIENCE = 60
"""Seconds of processor time after these, for a step of OpenSpiel that does not end."""
_SHOWN = 3
"""Names of games that a line names."""
_NO_WORLD = re.compile(r".*HarnessFault: \w+: (no world was found[^(]*) .*", re.DOTALL)
_VALUES = re.compile(r": \w+ is .*", re.DOTALL)


def check(name: str) -> str:
    """Returns what the check of a game found.

    That is ``"pass"``, the first thing that is wrong, or what the time was spent on.
    """
    game = game_class(name)()
    for redeals, seconds in (FIRST, (REDEALS, MAX_SECONDS)):
        watch = Watch(seconds)
        report = check_game(game, game.ruleset(), redeals=redeals)
        watch.stop()
        if watch.over and len(report.problems) == 1:
            if redeals < min(report.redeals, REDEALS):  # it was fast enough for a longer check
                continue
            deals = "new deal" if report.redeals == 1 else "new deals"
            return f"{report.redeals} {deals} in {seconds} seconds; {watch.most()}"
        if not report.passed and (redeals == REDEALS or not _untested(report)):
            return _short(report.problems[0])
    return PASSES


def _untested(report: GameReport) -> bool:
    """Returns whether all that a check found is that it was too short to test everything."""
    return all(": tested 0 times; " in problem for problem in report.problems)


def _short(problem: str) -> str:
    """Returns the promise that is broken, without the place and the values that differ."""
    if found := _NO_WORLD.fullmatch(problem):
        return found[1]
    return _VALUES.sub("", problem.partition(": ")[2])


def check_apart(name: str) -> str:
    """Returns what the check found in a process of its own."""
    command = [sys.executable, "-m", __spec__.name, "--one", name]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode == 0:
        return done.stdout.strip()
    return f"its process ends with {done.returncode}"


def verdicts() -> Mapping[str, str]:
    """Returns what the checks found, by the name of the game."""
    return msgspec.json.decode(FILE.read_bytes(), type=dict[str, str])


def table() -> str:
    """Returns the table of all games that are offered, in Markdown."""
    lines = ["| game | seats | check |", "|---|---|---|"]
    found = verdicts()
    for name, entry in catalogue().items():
        least, most = entry.seats
        seats = f"{least}" if least == most else f"{least} to {most}"
        verdict = found[name].replace("|", "/")
        if verdict != PASSES and name in REASONS:
            verdict += f" ({REASONS[name]})"
        lines.append(f"| `{name}` | {seats} | {verdict} |")
    return "\n".join(lines)


def refused_table() -> str:
    """Returns the table of the games that are not offered, with a line for each reason."""
    kinds = defaultdict(list)
    for kind in library().registered_games():
        if (reason := refused(kind)) and not kind.short_name.startswith("python_"):
            kinds[reason].append(str(kind.short_name))
    lines = ["| reason | games | such as |", "|---|---|---|"]
    for reason, names in sorted(kinds.items()):
        shown = ", ".join(f"`{name}`" for name in sorted(names)[:_SHOWN])
        lines.append(f"| {reason} | {len(names)} | {shown} |")
    return "\n".join(lines)


def main() -> None:
    """Prints the tables; checks games before with ``--write``, or one for the process above."""
    command, *names = sys.argv[1:] or [""]
    if command == "--one":
        most = MAX_SECONDS + _PATIENCE
        resource.setrlimit(resource.RLIMIT_CPU, (most, most))
        sys.stdout.write(check(*names))
        return
    if command == "--write":
        found = dict(verdicts()) if FILE.exists() else {}
        for name in names or catalogue():
            found[name] = check_apart(name)
            sys.stderr.write(f"{name}: {found[name]}\n")
            text = msgspec.json.format(msgspec.json.encode(dict(sorted(found.items()))), indent=1)
            FILE.write_bytes(text + b"\n")
    sys.stdout.write(f"{table()}\n\n{refused_table()}\n")


if __name__ == "__main__":
    main()

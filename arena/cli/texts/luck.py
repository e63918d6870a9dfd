"""The luck of matches as text: besides the events of a replay, and of a tournament's bots."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from arena.cli.terminal.output import Output, answer, counted, say
from arena.cli.terminal.wiring import registry
from arena.core.parts.value import LESS_LUCK, LUCK_ADJUSTED, SHORT_HASH
from arena.service.storage.databases import open_database

if TYPE_CHECKING:
    from arena.service.match.adjusted import BotLuck
    from arena.service.match.luck import MatchLuck


ValuesFile: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--value-function",
        metavar="FILE",
        help="Learned value function for luck. [the tournament's]",
    ),
]


ADJUSTED = f"{LUCK_ADJUSTED.capitalize()}: {LESS_LUCK}"
"""The line below luck-adjusted scores."""
DEPENDENT = "note: learned from these deals, so that scores without luck are biased"
"""Of luck that is not independent."""


def luck_lines(luck: MatchLuck, labels: Sequence[str]) -> list[str]:
    """The score of each seat, its luck, and what is left without it."""
    width = max(map(len, labels))
    rows = zip(labels, luck.scores, luck.luck, luck.adjusted, strict=True)
    head = f"Luck in match points, by {luck.value_function} (sha256 {luck.hash[:SHORT_HASH]})"
    return [
        head if luck.independent is not False else f"{head}\n{DEPENDENT}",
        *(
            f"  {label:{width}}  score {score:.3f}, luck {own:+.3f}, {LUCK_ADJUSTED} {rest:.3f}"
            for label, score, own, rest in rows
        ),
        ADJUSTED,
    ]


def _without_twin(pairs: Sequence[BotLuck]) -> int:
    """Number of matches of two whose mirrored match is missing; every pair is there both ways."""
    missing = sum(2 * row.deals - row.matches for row in pairs)
    return max(0, missing // 2)


def show_luck(number: int, db: str, output: str, *, pairs: bool, file: Path | None = None) -> None:
    """Shows the scores of a tournament, plain and luck-adjusted, of bots or of pairs."""
    from arena_results.store.queries import tournament

    from arena.service.match.adjusted import tournament_luck
    from arena.service.report.report import stored_report

    with open_database(db) as results:
        stored, plugins = tournament(results, number), registry()
        played = stored_report(plugins, stored).played
        luck = tournament_luck(plugins, results, stored, played, file)
    answer(output, luck.document(), luck.table(pairs=pairs))
    if output is not Output.TABLE:
        return
    if alone := _without_twin(luck.pairs) if stored.summary.mirrored else 0:
        say(
            f"{counted(alone, 'match', 'matches')} without a twin: each counts as a deal of its own"
        )
    if not luck.frozen:
        say("note: the value function was not fixed before play")
    if luck.independent is False:
        say(DEPENDENT)
    say(ADJUSTED)
    say("matches x: so many times the matches would give the score as short an interval")

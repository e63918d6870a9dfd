"""The luck of matches as text: besides the events of a replay, and of a tournament's bots."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from arena.cli.terminal.output import Output, answer, counted, say
from arena.cli.terminal.wiring import registry
from arena.core.parts.value import LESS_LUCK, LUCK_ADJUSTED, SHORT_HASH
from arena.core.table import Column, Table
from arena.service.answers.rows import rows_of
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


BOTS = (
    Column("name", "bot", drop=0),
    Column("score", "score", True, 3, drop=0),
    Column("score_error", "± 95 %", True, 3, drop=0),
    Column("luck", "luck", True, 3, drop=3),
    Column("adjusted", LUCK_ADJUSTED, True, 3, drop=0),
    Column("adjusted_error", "± 95 %", True, 3, drop=0),
    Column("fitted", "fitted", True, 3, drop=1),
    Column("fitted_error", "± 95 %", True, 3, drop=1),
    Column("worth", "matches x", True, 1, drop=2),
    Column("matches", "matches", True, drop=4),
    Column("deals", "deals", True, drop=5),
)
PAIRS = (BOTS[0], Column("against", "against", drop=0), *BOTS[1:])


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
    document = luck.document()
    columns, rows = (PAIRS, document["pairs"]) if pairs else (BOTS, document["bots"])
    by = f"{luck.value_function}, sha256 {luck.hash[:SHORT_HASH]}"
    title = f"Match points a match, with luck and {LUCK_ADJUSTED} ({by})"
    answer(output, document, Table(title=title, columns=columns, rows=rows_of(rows)))
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

"""Text of a comparison of two bots: the block of engine testers, the test, and one sentence."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from arena_results.ratings.comparing.changes import ONCE, read_test
from arena_results.ratings.comparing.sequential import Sprt
from arena_results.ratings.comparing.without_luck import AdjustedScores

from arena.cli.texts.report import luck_lines, result_text
from arena.service.report.comparing.comparison import (
    Comparison,
    compared,
    compared_by_amount,
    units_of,
)
from arena.service.report.comparing.comparison_text import amount_bounds
from arena.service.report.comparing.elo_text import bounds_text, size_text
from arena.service.report.comparing.endpoints import endpoint_lines
from arena.service.report.report import Report
from arena.service.run.run import Run
from arena.service.run.watching.progress import Progress
from arena.service.setup.amounts import by_amount
from arena.service.setup.until_tested import adjusted_scores_of


def live_comparison(run: Run, progress: Progress) -> Callable[[], Sequence[str]] | None:
    """The lines to show while two bots are compared; ``None`` for other tournaments."""
    spec, names = run.resolved.spec, run.resolved.names
    if not spec.test or len(names) != 2 or run.resolved.rounds != 1:
        return None
    test, group = read_test(spec.test), 2 if spec.mirrored else 1
    pair, mirrored = (names[0], names[1]), spec.mirrored
    priced = by_amount(spec, run.resolved.game, run.resolved.ruleset)

    def now() -> Comparison | None:
        points, luck, adjusted = progress.points, progress.luck, None
        if priced:
            return compared_by_amount(pair, test, points, priced.unit, mirrored=mirrored)
        if len(luck) >= group:
            adjusted = adjusted_scores_of(points, luck, group)
        return compared(pair, test, units_of(points, group), mirrored=mirrored, adjusted=adjusted)

    def lines() -> Sequence[str]:
        found = now()
        return [] if found is None else comparison_lines(found)

    return lines


def comparison_lines(found: Comparison) -> list[str]:
    """The block that engine testers know, or the mean amount, with the state of the test."""
    if found.amounts:
        return [*_amount_lines(found), _test_line(found)]
    lines = [*result_text(found.names, found.block).split("\n")]
    if found.block.pairs is not None:
        one_each, drawn = found.split
        ratio = f"{one_each / drawn:.2f}" if drawn else "-"
        lines.append(f"Pairs with a win each: {one_each}, with two draws: {drawn}, WL/DD: {ratio}")
    if found.adjusted is not None:
        lines.append(_adjusted_line(found.adjusted))
    return [*lines, _test_line(found)]


def _amount_lines(found: Comparison) -> list[str]:
    (one, other), block = found.names, found.block
    assert found.amounts is not None
    return [
        f"Results of {one} against {other} ({one}'s point of view), by amount:",
        f"Mean: {found.amounts.mean:+.3f} {found.unit} a match",
        f"Games: {block.games}, Wins: {block.won}, Losses: {block.lost}, Draws: {block.drawn}",
    ]


def _adjusted_line(scores: AdjustedScores) -> str:
    elo = size_text(scores.elo, *scores.interval())
    worth = f", as sure as {scores.worth:.1f} times the matches" if scores.worth else ""
    return f"Without luck: {elo}, score: {scores.score:.2%}{worth}"


def comparison_text(found: Comparison, report: Report) -> list[str]:
    """The block with its luck, its faults and its language models."""
    lines = [*comparison_lines(found), *([] if found.adjusted else luck_lines(report)), ""]
    for index, losses in enumerate(report.losses):
        if losses:
            causes = ", ".join(f"{count} by {cause}" for cause, count in sorted(losses.items()))
            lines.append(f"Of its losses {found.names[index]} had {causes}: not by play.")
    return [*lines, *endpoint_lines(report.exchanges)]


def _test_line(found: Comparison) -> str:
    test, look = found.test, found.look
    by = ", without luck" if found.adjusted else ""
    if isinstance(test, Sprt):
        return (
            f"LLR: {look.llr:z.2f} ({test.lower:.2f}, {test.upper:.2f}) "
            f"[{test.elo0:g}, {test.elo1:g}] {test.model} Elo{by}"
        )
    often = "one look" if isinstance(test, ONCE) else "however often one looks"
    if found.amounts:
        unit = found.unit.capitalize()
        return f"{unit} a match at {test.confidence:g} %, {often}: {amount_bounds(found)}"
    bounds = bounds_text(look.low, look.high)
    return f"Elo at {test.confidence:g} %, {often}{by}: {bounds}"

"""The analysis of a match as text: the luck of each seat, and its mistakes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from arena.cli.terminal.output import counted
from arena.cli.texts.luck import luck_lines

if TYPE_CHECKING:
    from arena.service.match.analysis import Analysis


def analysis_lines(analysis: Analysis, labels: Sequence[str]) -> list[str]:
    """The luck of each seat, its mistakes, and the worst of them."""
    head, *seats, about = luck_lines(analysis.luck, labels)
    width = max(map(len, labels)) + 2
    evaluated = analysis.evaluator or "nothing: the game has no values of decisions"
    lines = [head, f"Decisions evaluated by {evaluated}"]
    for seat, line in enumerate(seats):
        lines.append(line)
        skill = analysis.skill(seat)
        if skill.evaluated:
            mistakes = (
                f"{counted(skill.mistakes, 'mistake')} in {counted(skill.evaluated, 'decision')}"
            )
            lines.append(f"  {'':{width}}{mistakes} evaluated, {skill.given_away:.3f} given away")
        if skill.worst is not None:
            worst = next(each for each in analysis.decisions if each.move == skill.worst)
            lines.append(
                f"  {'':{width}}the worst: move {worst.move}, {worst.action}, "
                f"{worst.given_away:.3f}; better: {worst.better}"
            )
    lines.append(about)
    values = analysis.luck.value_function
    erred = any(analysis.skill(seat).mistakes for seat in range(len(labels)))
    if erred and analysis.evaluator != values:
        lines.append(
            f"value: win probability by {values}\n"
            f"Given away: win probability by what the player knew, by {analysis.evaluator}"
        )
    return lines

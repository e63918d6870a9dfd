"""The analysis of a match as text: win probabilities, luck and mistakes in a replay."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import structs

from arena.cli.luck import luck_lines, value_text, with_luck
from arena.cli.output import counted

if TYPE_CHECKING:
    from arena_results.replays.views import Moment, Replay

    from arena.service.analysis import Analysis, Decision


def with_analysis(replay: Replay, analysis: Analysis) -> Replay:
    """The replay with the win probability after every card and decision, and the mistakes."""
    decisions = {each.move: each for each in analysis.decisions}
    replay = with_luck(replay, analysis.luck, values=True)
    moments = tuple(
        [
            _decided(moment, decisions[moment.move], analysis.threshold)
            if moment.action is not None
            else moment
            for moment in replay.moments
        ]
    )
    return structs.replace(replay, moments=moments)


def _decided(moment: Moment, decision: Decision, threshold: float) -> Moment:
    text = f"{moment.action} ({value_text(decision.value)})"
    if decision.is_mistake(threshold):
        text += f"\n    gives away {decision.given_away:.3f}; better: {decision.better}"
    return structs.replace(moment, action=text)


def analysis_lines(analysis: Analysis, labels: Sequence[str]) -> list[str]:
    """The luck of each seat, its mistakes, and the worst of them."""
    head, *seats = luck_lines(analysis.luck, labels)
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
    return lines

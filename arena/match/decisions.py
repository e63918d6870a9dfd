"""The decisions of a record, each evaluated by what the seat could have done instead."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

import msgspec

from arena.core.game import AnyGame
from arena.core.parts.value import DecisionValues
from arena.core.record import MatchRecord
from arena.match.replay import Step, replay


class Assessment(msgspec.Struct, frozen=True):
    """A decision compared with the best one.

    Attributes:
        given_away: Value of the best action less the value of the one taken, in returns.
        better: The best action as text; empty if it was taken.
        best: The value of the best action.
    """

    given_away: float
    better: str
    best: float = 0.0


def assessed_steps(
    game: AnyGame,
    record: MatchRecord,
    evaluator: DecisionValues[Any] | None,
    seats: Collection[int],
) -> Iterator[tuple[Step, Assessment | None]]:
    """Yields the steps of a record as ``replay`` does, with assessments of some seats' decisions.

    Args:
        game: The game that the record names, of any version.
        evaluator: Evaluates decisions; without it none.
        seats: The seats that are evaluated.

    Raises:
        Divergence: The record does not re-execute to its contents.
    """
    for step in replay(game, record):
        evaluated = evaluator is not None and step.seat in seats
        yield step, assessment(evaluator, step) if evaluator is not None and evaluated else None


def assessment(evaluator: DecisionValues[Any], step: Step) -> Assessment | None:
    """Evaluates the decision of a step; ``None`` if that cannot be done."""
    values = evaluator.of(step.state)
    if step.action not in values:
        return None
    own = values[step.action]
    best = max(values, key=values.__getitem__)
    lost = values[best] - own
    return Assessment(max(lost, 0.0), best.text if lost > 0 else "", values[best])

"""Luck and skill in a stored match: win probabilities, the luck of cards, and mistakes.

Win probabilities are match points: 1 for a match that is won, 1/2 for a drawn one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

import msgspec

from arena.core.errors import BadInput
from arena.core.game import AnyGame
from arena.core.parts.value import DecisionValues, ValueFunction
from arena.core.record import MatchRecord
from arena.match.decisions import assessed_steps
from arena.service.answers.rows import Document
from arena.service.match.luck import MatchLuck, luck_of, win_probability

MISTAKE = 0.05
"""Win probability given away by a decision that is called a mistake."""


class Decision(msgspec.Struct, frozen=True):
    """One decision of a match.

    Attributes:
        move: Number of decisions taken before it.
        seat: The seat that took it.
        action: The action, as far as the view may know it.
        value: By seat, the win probability after it.
        given_away: The win probability that it gave away, by what the seat knew; ``None`` if it is
            not evaluated.
        better: The best action; empty if that was taken, or it is not evaluated.
    """

    move: int
    seat: int
    action: str
    value: tuple[float, ...]
    given_away: float | None
    better: str

    def is_mistake(self, threshold: float) -> bool:
        """Returns whether it gave away the threshold or more, and more than nothing."""
        return self.given_away is not None and 0 < self.given_away >= threshold


class Skill(msgspec.Struct, frozen=True):
    """The decisions of one seat in one match, or of one bot in several.

    Attributes:
        decisions: Number of its decisions.
        evaluated: Number of evaluated decisions.
        given_away: The win probability that they gave away, summed.
        mistakes: Number of decisions that gave away the threshold or more.
        worst: Move of the worst mistake; ``None`` without one.
    """

    decisions: int
    evaluated: int
    given_away: float
    mistakes: int
    worst: int | None


class Analysis(msgspec.Struct, frozen=True):
    """The win probabilities of a match, the luck in it, and its mistakes.

    Attributes:
        luck: The luck of every card and seat.
        evaluator: Name of what evaluates decisions; empty if the game has nothing.
        threshold: Win probability given away from which on a decision is a mistake.
        decisions: Every decision in order.
    """

    luck: MatchLuck
    evaluator: str
    threshold: float
    decisions: tuple[Decision, ...]

    def skill(self, seat: int) -> Skill:
        """Sums the decisions of a seat."""
        own = [each for each in self.decisions if each.seat == seat]
        return skill_of(own, self.threshold)

    def document(self) -> Document:
        """The value of ``analysis`` in the JSON document of ``arena replay --analysis``."""
        luck = self.luck.document()
        for row in luck["seats"]:
            row |= msgspec.to_builtins(self.skill(row["seat"]))
        return {
            **luck,
            "evaluator": self.evaluator or None,
            "threshold": self.threshold,
            "decisions": msgspec.to_builtins(self.decisions),
        }


def skill_of(decisions: Collection[Decision], threshold: float) -> Skill:
    """Sums decisions of one match."""
    lost = {each.move: each.given_away for each in decisions if each.given_away is not None}
    mistakes = [each.move for each in decisions if each.is_mistake(threshold)]
    worst = max(mistakes, key=lost.__getitem__, default=None)
    return Skill(len(decisions), len(lost), sum(lost.values()), len(mistakes), worst)


def checked_threshold(threshold: float) -> float:
    """Returns a threshold of mistakes; raises ``BadInput`` for another value."""
    if not 0 <= threshold <= 1:
        raise BadInput(f"mistakes of {threshold}: expected a win probability from 0 to 1")
    return threshold


def evaluator_of(
    game: AnyGame, record: MatchRecord, values: ValueFunction[Any] | None = None
) -> DecisionValues[Any] | None:
    """Returns what evaluates the decisions of a match; ``None`` if there is nothing.

    Args:
        values: A value function that may do it where the game has nothing of its own.
    """
    played = game.at_version(record.engine)
    own = played.luck.decision_values(played.ruleset(record.ruleset))
    return values.decisions() if own is None and values else own


def analysis_of(
    game: AnyGame,
    record: MatchRecord,
    values: ValueFunction[Any],
    open_seats: Collection[int],
    threshold: float = MISTAKE,
    *,
    deals: str,
    learned: bool = True,
) -> Analysis:
    """Analyses a match for a viewer who sees the hidden cards of some seats.

    Args:
        values: A value function for the match's ruleset and engine.
        open_seats: Those seats; only their decisions are evaluated.
        deals: Names the deals of its tournament (``SeedSource.deals``).
        threshold: Win probability given away from which on a decision is a mistake.
        learned: Whether learned values may evaluate decisions, which takes seconds.

    Raises:
        BadInput: The threshold is not valid, or the values are not for that view.
        Divergence: The record does not re-execute to its contents.
    """
    checked_threshold(threshold)
    all_seen = len(open_seats) == len(record.seats)
    luck = luck_of(game, record, values, deals=deals, all_seen=all_seen)
    evaluator = evaluator_of(game, record, values if learned else None)
    decisions = tuple(_decisions(game, record, values, evaluator, open_seats))
    return Analysis(luck, evaluator.name if evaluator else "", threshold, decisions)


def _decisions(
    game: AnyGame,
    record: MatchRecord,
    values: ValueFunction[Any],
    evaluator: DecisionValues[Any] | None,
    open_seats: Collection[int],
) -> Iterator[Decision]:
    for step, found in assessed_steps(game, record, evaluator, open_seats):
        if step.seat is None or step.action is None:
            continue
        after = step.state.clone()
        after.apply_action(step.action)
        shown = step.seat in open_seats
        yield Decision(
            move=step.move,
            seat=step.seat,
            action=step.action.text if shown else game.board.public_action(step.action),
            value=tuple(map(win_probability, values.value(after))),
            given_away=found.given_away / 2 if found else None,
            better=found.better if found else "",
        )

"""Luck: what computes the luck of the cards, and the mistakes of the seats."""

from __future__ import annotations

from typing import Generic

from arena.core.actions import Action
from arena.core.parts.part import Part, RulesetT, StateT
from arena.core.value import DecisionValues, ValueFunction, visible_outcome


class Luck(Part, Generic[RulesetT, StateT]):
    """The values of a game's states; unless a game has its own there are none."""

    def value_function(self, ruleset: RulesetT) -> ValueFunction[StateT] | None:
        """Returns what computes the luck of matches under a ruleset; ``None`` if there is none."""
        return None

    def decision_values(self, ruleset: RulesetT) -> DecisionValues[StateT] | None:
        """Returns what evaluates decisions under a ruleset; ``None`` if there is nothing."""
        return None

    def outcome(self, node: StateT, later: StateT) -> Action:
        """Returns the outcome of a chance node that led to a later state of the match.

        Unless the game says it, every way to the next decision is tried and compared with what the
        seats see; of hidden hands from a large deck there are far too many.

        Args:
            node: A chance node of the match, in a state without a dealer.
            later: The state at the next decision, or the end.
        """
        return visible_outcome(node, later)

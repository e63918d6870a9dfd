"""Luck: what computes the luck of the cards, and the mistakes of the seats."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Generic

import msgspec

from arena.core.actions import Action
from arena.core.errors import BadInput
from arena.core.parts.part import Part, RulesetT, StateT
from arena.core.parts.value import DecisionValues, ValueFunction
from arena.core.state import CHANCE, State


class Pattern(msgspec.Struct, frozen=True):
    """A kind of decision that the author of its bot should look at.

    Attributes:
        text: The kind in plain words, as what the bot did: ``"stood below a standing rival"``.
        detail: The case at hand: ``"at 17 against 18"``; empty if there is nothing to add.
    """

    text: str
    detail: str = ""


class Luck(Part, Generic[RulesetT, StateT]):
    """The values of a game's states; unless a game has its own there are none."""

    def value_function(self, ruleset: RulesetT) -> ValueFunction[StateT] | None:
        """Returns what computes the luck of matches under a ruleset; ``None`` without one."""
        return None

    def decision_values(self, ruleset: RulesetT) -> DecisionValues[StateT] | None:
        """Returns what evaluates decisions under a ruleset; ``None`` if there is nothing."""
        return None

    def response_values(
        self, ruleset: RulesetT, seen: Iterable[tuple[StateT, Any]]
    ) -> DecisionValues[StateT] | None:
        """Returns what evaluates decisions against others who decide as was seen.

        ``arena exploit --search`` plays by it. ``None`` if there is nothing.

        Args:
            ruleset: The ruleset in force.
            seen: Decisions of others in many matches, in their order: the state before, and the
                action.
        """
        return None

    def pattern(self, state: StateT, action: Any) -> Pattern | None:  # noqa: ANN401  # any game's
        """Returns the pattern of a decision that looks wrong in plain sight; ``None`` for others.

        It may look at all hidden cards. It is asked for every decision of many matches: it looks,
        and does not search.

        Args:
            state: The state at the decision, which stays as it is.
            action: The decision.
        """
        return None

    def outcome(self, node: StateT, later: StateT) -> Action:
        """Returns the outcome of a chance node that led to a later state of the match.

        Unless the game says it, every way to the next decision is tried and compared with what all
        seats see then; of hidden hands from a large deck there are far too many.

        Args:
            node: A chance node of the match, in a state without a dealer.
            later: The state at the next decision, or the end.

        Raises:
            BadInput: Several outcomes look like it, or none.
        """
        found = [action for action, child in _children(node) if _leads(child, later)]
        if len(found) != 1:
            raise BadInput(
                f"{len(found)} outcomes of a chance node may have led to what followed: "
                "the game has to say which (Luck.outcome)"
            )
        return found[0]


def _leads(state: State[Any], later: State[Any]) -> bool:
    if not later.observation(0).history.startswith(state.observation(0).history):
        return False
    if state.current_player() == CHANCE:
        return any(_leads(child, later) for _, child in _children(state))
    seats = range(len(later.scores()))
    return all(state.observation(seat) == later.observation(seat) for seat in seats)


def _children(node: State[Any]) -> Iterator[tuple[Action, State[Any]]]:
    for action in node.legal_actions():
        child = node.clone()
        child.apply_action(action)
        yield action, child

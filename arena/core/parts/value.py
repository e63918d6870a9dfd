"""The contract of a value function: what each seat may expect, and so what chance gave it.

The luck of a chance event is the value after what came less its exact mean over all that could
have come. Its mean is zero whatever the values are, so that results less their luck have the same
mean as the results, and the smaller a variance the better the values are (N. Burch, M. Schmid,
M. Moravcik, D. Morrill, M. Bowling, "AIVAT: A New Variance Reduction Technique for Agent
Evaluation in Imperfect Information Games", AAAI 2018).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from math import fsum
from typing import Any, Generic, TypeVar

from arena.core.actions import Action
from arena.core.state import State

StateT = TypeVar("StateT", bound=State[Any])
LEARNED = "-learned "
"""The part of the name of a learned value function between its game and its number of matches."""
SHORT_HASH = 12
"""Digits of a hash that people are shown."""
LUCK_ADJUSTED = "luck-adjusted"
"""The word for results less their luck, and the head of their columns."""
LESS_LUCK = "score less luck, an estimate that can lie outside 0 to 1"
"""The note besides luck-adjusted scores."""


class ValueFunction(ABC, Generic[StateT]):
    """Estimates the result of a match in progress under one ruleset: a pure function of its state.

    Attributes:
        name: The name with its version, such as ``"pazaak-no-hands 1"``.
        hash: SHA-256 over name and coefficients, in hexadecimal: functions of one hash are alike.
        public: Whether the values follow from what everybody at the table sees.
    """

    name: str
    hash: str
    public: bool = False

    @abstractmethod
    def value(self, state: StateT) -> tuple[float, ...]:
        """Returns the expected result of each seat, within -1..1; their sum is 0.

        The state may be at a decision, at a chance node, or over: then it is the result, in the
        terms of ``arena.core.outcome.utilities``. It stays as it is.
        """

    def expectation(self, node: StateT) -> tuple[float, ...]:
        """Returns the mean of ``value`` over the outcomes of a chance node, by their exact odds.

        A value function may compute it faster, but nothing else.
        """
        terms = []
        for action, odds in node.chance_outcomes():
            after = node.clone()
            after.apply_action(action)
            terms.append([float(odds) * value for value in self.value(after)])
        return tuple(fsum(seat) for seat in zip(*terms, strict=True))

    def independent_of(self, deals: str) -> bool | None:
        """Returns whether the values were made without a look at a tournament's deals.

        Else their luck there has not the mean zero. ``None`` if it is not known.

        Args:
            deals: Names the deals (``SeedSource.deals``).
        """
        return True

    def decisions(self) -> DecisionValues[StateT] | None:
        """Returns what evaluates decisions by these values, for games that have nothing better."""
        return None

    def luck(
        self, nodes: Iterable[tuple[StateT, Action]]
    ) -> Iterable[tuple[tuple[float, ...], tuple[float, ...]]]:
        """Returns the luck of each seat at chance nodes, and the value after what came.

        Args:
            nodes: The chance nodes of a match in order, each with the outcome that came. A state is
                at its node until the next one is asked for. A value function may look at all of
                them before it computes.
        """
        for node, came in nodes:
            mean, after = self.expectation(node), node.clone()
            after.apply_action(came)
            value = self.value(after)
            yield tuple([got - due for got, due in zip(value, mean, strict=True)]), value

    def luck_until(self, end: StateT) -> tuple[float, ...] | None:
        """Returns the luck of each seat in a match, read off the state that it came to.

        It is the sum over the chance events so far of the value after what came less its
        expectation. A value function may have a shorter way to it than through every chance node.

        Args:
            end: The end, or the state in which a fault ended the match; it stays as it is.

        Returns:
            ``None`` if it cannot be read off this state: then every chance node is gone through.
        """
        return None


class DecisionValues(ABC, Generic[StateT]):
    """Values the actions that a seat may choose from, by what the seat knows.

    The difference of an action from the best one is what it gives away.

    Attributes:
        name: The name with its version, such as ``"pazaak-own-hand 1"``.
        assumption: What its win probabilities take for granted of others, as a clause after "to win
            the match": ``"were the rival without hand cards"``; empty if there is nothing to say.
    """

    name: str
    assumption: str = ""

    @abstractmethod
    def of(self, state: StateT) -> Mapping[Any, float]:
        """Returns the expected result of the seat to decide after each of its legal actions.

        Results are within -1..1, and the same in all states that look alike to the seat. It is
        empty for a decision that is not evaluated. The state stays as it is.
        """

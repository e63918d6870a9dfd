"""Values of policies, best responses and NashConv, on the whole tree of a small game.

NashConv is the sum, over the seats, of what a best response gains against the other seats' policy,
and 0 for an equilibrium (M. Lanctot and others, "A Unified Game-Theoretic Approach to Multiagent
Reinforcement Learning", NeurIPS 2017).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

import msgspec

from arena.core.state import TERMINAL
from arena.match.solving.tree import GameTree

Policy: TypeAlias = Sequence[Sequence[float]]
"""Of each information state of a tree, the probability of each legal action."""
_SMALL: Final = 1e-6
"""Probability of play at random for states to which the policy itself never comes."""


class Responses(msgspec.Struct, frozen=True):
    """The value of a policy, and the best responses to it.

    Attributes:
        values: What each seat wins when all of them play the policy.
        best: What each seat wins by a best response, while the others play the policy.
        choices: Of each information state the index of the action of that best response.
    """

    values: tuple[float, ...]
    best: tuple[float, ...]
    choices: tuple[int, ...]

    @property
    def gains(self) -> tuple[float, ...]:
        """The gain of each seat by a best response; below 0 only by rounding."""
        return tuple([best - own for best, own in zip(self.best, self.values, strict=True)])

    @property
    def nash_conv(self) -> float:
        """The sum of the gains."""
        return sum(self.gains)

    @property
    def exploitability(self) -> float:
        """NashConv for each seat: for two seats of a zero-sum game what a match loses at most."""
        return self.nash_conv / len(self.values)


def responses(tree: GameTree, policy: Policy) -> Responses:
    """Computes the value of a policy and a best response of every seat."""
    values = [values_of(tree, policy, seat)[0] for seat in range(tree.seats)]
    spread = [
        [(1 - _SMALL) * each + _SMALL / len(row) for each in row] if row else row for row in policy
    ]
    best, choices = [], [0] * len(tree.information)
    for seat in range(tree.seats):
        value, found, reached = _best_response(tree, policy, seat)
        _, otherwise, _ = _best_response(tree, spread, seat)
        best.append(value)
        for place in tree.of_seat(seat):
            choices[place] = found[place] if reached[place] else otherwise[place]
    return Responses(tuple(values), tuple(best), tuple(choices))


def values_of(tree: GameTree, policy: Policy, seat: int) -> list[float]:
    """Returns what a seat wins from each state on, in the order of the tree."""
    values = [0.0] * len(tree.players)
    for state in reversed(range(len(values))):
        values[state] = _value(tree, policy, seat, state, values)
    return values


def answered(
    tree: GameTree, policy: Policy, choices: Sequence[int], seat: int
) -> tuple[float, ...]:
    """Returns what each seat wins, if one seat makes these choices and the others play a policy."""
    mixed = [
        [float(number == choices[place]) for number in range(len(each.legal))]
        if each.seat == seat
        else policy[place]
        for place, each in enumerate(tree.information)
    ]
    return tuple([values_of(tree, mixed, each)[0] for each in range(tree.seats)])


def _value(tree: GameTree, policy: Policy, seat: int, state: int, values: Sequence[float]) -> float:
    if tree.players[state] == TERMINAL:
        return tree.amounts[state][seat]
    odds = tree.odds[state] or policy[tree.places[state]]
    total = 0.0
    for chance, after in zip(odds, tree.following[state], strict=True):
        total += chance * values[after]
    return total


def _best_response(
    tree: GameTree, policy: Policy, seat: int
) -> tuple[float, dict[int, int], dict[int, bool]]:
    """Returns a best response's value, its choices, and whether each place can be reached.

    A seat's decisions are settled from its last ones to its first: the values after them do not
    depend on those before.
    """
    reach, order = _reach(tree, policy, seat)
    values = [0.0] * len(tree.players)
    choices: dict[int, int] = {}
    reached: dict[int, bool] = {}
    for level in reversed(order):
        places = {tree.places[state] for state in level if tree.players[state] == seat}
        for place in places:
            each = tree.information[place]
            sums = [0.0] * len(each.legal)
            for state in each.states:
                for number, after in enumerate(tree.following[state]):
                    sums[number] += reach[state] * values[after]
            choices[place] = sums.index(max(sums))
            reached[place] = any(reach[state] for state in each.states)
        for state in reversed(level):
            if tree.players[state] == seat:
                values[state] = values[tree.following[state][choices[tree.places[state]]]]
            else:
                values[state] = _value(tree, policy, seat, state, values)
    return values[0], choices, reached


def _reach(tree: GameTree, policy: Policy, seat: int) -> tuple[list[float], list[list[int]]]:
    """Returns the chance by which all but a seat lead to each state, and states by its decisions.

    The second lists have the states before whom the seat has taken no decision, one, and so on.
    """
    reach, taken = [0.0] * len(tree.players), [0] * len(tree.players)
    reach[0], levels = 1.0, list[list[int]]()
    for state, player in enumerate(tree.players):
        while len(levels) <= taken[state]:
            levels.append([])
        levels[taken[state]].append(state)
        own = player == seat
        odds = tree.odds[state] or (() if player == TERMINAL else policy[tree.places[state]])
        for number, after in enumerate(tree.following[state]):
            reach[after] = reach[state] * (1.0 if own else odds[number])
            taken[after] = taken[state] + own
    return reach, levels

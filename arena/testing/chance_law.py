"""Tests that dealers deal by the probabilities of the chance nodes.

Two tests, as not every answer of chance can be seen at once:

* An answer that makes a public event is known by it. It is put at a random point of its own
  probability's stretch of [0, 1]; if dealers follow the odds, these points are uniform.
* From the same chance node play goes on to the next decision twice: once by a dealer, once by the
  odds. If dealers follow the odds the two are exchangeable, whatever the seats see (hidden
  cards, too): each value of an observation is as often above its twin as below, in any order of
  the values. Several orders are tried: in the middle of one order a value shows no difference.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any
from zlib import crc32

import msgspec

from arena.core.actions import Action
from arena.core.dealer import Dealer, Sampled, SeatStreams
from arena.core.observation import Observation
from arena.core.state import CHANCE, State
from arena.testing.probes import demand

if TYPE_CHECKING:
    from random import Random

_ORDERS = 6
"""Orders of the values that are tried."""
_NODES = 10_000
"""Chance nodes in a row after which there is no decision to come."""
_FEW = 50
"""Placed answers below which their distribution is not tested."""


class ChanceLaw:
    """Tests chance nodes as they come, and all of them together at the end.

    Attributes:
        nodes: Chance nodes that were looked at.
        tested: How often a dealer's answer was compared with the odds.
    """

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._bins = [0] * 10
        self._above: Counter[Hashable] = Counter()
        self._below: Counter[Hashable] = Counter()
        self.nodes = self.tested = 0

    def look(self, state: State[Any], times: int = 1, when: str = "later") -> None:
        """Tests the chance nodes from here on; none if a seat is to decide or the match is over.

        Args:
            times: How often a dealer's play is compared with that of the odds.
            when: The phase of the match: likes are compared with likes.
        """
        node = state.clone()
        if node.current_player() != CHANCE:
            return
        for _ in range(16):
            if node.current_player() != CHANCE:
                break
            odds = _checked_odds(node)
            self.nodes += 1
            if len(odds) <= 16:
                self._place(node, odds)
            node.apply_action(self._rng.choice([action for action, _ in odds]))
        for _ in range(times):
            self._exchange(state, when)

    def close(self) -> int:
        """Tests all that was seen; returns how often dealers were tested."""
        placed = sum(self._bins)
        if placed >= _FEW:
            expected = placed / 10
            square = sum((found - expected) ** 2 / expected for found in self._bins)
            # 9 degrees of freedom: beyond 50 once in 10 million honest checks.
            demand(square < 50, f"dealers do not follow the odds: {self._bins}")
        for key in self._above | self._below:
            above, below = self._above[key], self._below[key]
            # Beyond 7 standard deviations: once in 10**11 for each of some thousand values.
            demand(
                (above - below) ** 2 < 50 * (above + below),
                f"dealers do not follow the odds: of {_named(key)}, {above} and {below} values "
                "are above and below those of the odds",
            )
        return self.tested

    def _dealer(self) -> Dealer:
        """Returns a dealer of one of the two kinds that play."""
        if self._rng.random() < 0.5:
            return Sampled(self._rng)
        return SeatStreams(self._rng.getrandbits(63))

    def _exchange(self, node: State[Any], when: str) -> None:
        """Compares what a dealer makes of a chance node with what the odds make of it."""
        dealt, drawn = node.clone(self._dealer()), node.clone()
        for _ in range(_NODES):
            if drawn.current_player() != CHANCE:
                break
            odds = drawn.chance_outcomes()
            weights = [float(odd) for _, odd in odds]
            drawn.apply_action(self._rng.choices([action for action, _ in odds], weights)[0])
        seen = 0
        for seat in range(len(node.scores())):
            begun = len(node.observation(seat).history)
            views = dealt.observation(seat), drawn.observation(seat)
            for path, *values in _differences(*views, begun):
                self._count((when, seat, path), *values)
                seen = 1
        self.tested += seen

    def _count(self, key: tuple[str, int, str], dealt: object, drawn: object) -> None:
        """Counts in which orders the dealer's value is above that of the odds."""
        if isinstance(dealt, int | float) and isinstance(drawn, int | float):
            (self._above if dealt > drawn else self._below)[*key, "value"] += 1
        for order in range(_ORDERS):
            one, other = (crc32(repr(value).encode(), 7919 * order) for value in (dealt, drawn))
            if one != other:
                (self._above if one > other else self._below)[*key, order] += 1

    def _place(self, node: State[Any], odds: Sequence[tuple[Action, Fraction]]) -> None:
        """Places one dealer's answer; it is known by the public event that it makes."""
        before = node.observation(0).history
        after = []
        for action, _ in odds:
            child = node.clone()
            child.apply_action(action)
            after.append(child.observation(0).history)
        if len(odds) == 1 or len(set(after)) < len(after) or before in after:
            return
        dealer = self._dealer()
        dealt = node.clone(dealer).observation(0).history
        taken = [index for index, history in enumerate(after) if dealt.startswith(history)]
        demand(len(taken) == 1, f"{type(dealer).__name__} dealt what has no probability")
        below = sum((odd for _, odd in odds[: taken[0]]), Fraction(0))
        point = float(below) + self._rng.random() * float(odds[taken[0]][1])
        self._bins[min(int(point * 10), 9)] += 1
        self.tested += 1


def _checked_odds(node: State[Any]) -> tuple[tuple[Action, Fraction], ...]:
    """Returns a chance node's outcomes; their probabilities must sum to 1."""
    odds = node.chance_outcomes()
    total = sum((odd for _, odd in odds), Fraction(0))
    demand(total == 1, f"the probabilities of chance sum to {total}")
    demand(all(odd > 0 for _, odd in odds), "chance lists what cannot happen")
    listed = tuple(action for action, _ in odds)
    demand(node.legal_actions() == listed, "chance's odds and legal actions differ")
    return odds


def _differences(
    one: Observation, other: Observation, begun: int
) -> Iterator[tuple[str, object, object]]:
    """Yields the single values in which two observations differ, by their place.

    Args:
        begun: Length of the history before; only what is new in it counts.
    """
    for field in one.__struct_fields__:
        mine, theirs = getattr(one, field), getattr(other, field)
        if field == "history":
            mine, theirs = mine[begun:], theirs[begun:]
        if mine != theirs:
            yield from _unequal(_plain(mine), _plain(theirs), field)


def _plain(value: object) -> object:
    return msgspec.to_builtins(value, builtin_types=(bytes,))


def _unequal(one: object, other: object, path: str) -> Iterator[tuple[str, object, object]]:
    if isinstance(one, dict) and isinstance(other, dict):
        for key in one.keys() & other.keys():
            yield from _unequal(one[key], other[key], f"{path}.{key}")
    elif isinstance(one, list | tuple) and isinstance(other, list | tuple):
        if len(one) != len(other):
            yield f"the length of {path}", len(one), len(other)
        for index, (mine, theirs) in enumerate(zip(one, other, strict=False)):
            yield from _unequal(mine, theirs, f"{path}[{index}]")
    elif one != other:
        yield path, one, other


def _named(key: Hashable) -> str:
    """Names a value in words."""
    assert isinstance(key, tuple)
    when, seat, path, _ = key
    return f"{path} of seat {seat} {'after the deal' if when == 'deal' else 'in play'}"

"""Tests that dealers deal by the probabilities of the chance nodes.

Two tests, as not every answer of chance can be seen at once:

* An answer that makes a public event is known by it; one after which a seat decides, by what all
  seats see. Of each action it is counted how often dealers chose it, against its odds: over all
  chance nodes, and at single ones, since a dealer may favour now the one and now the other. And
  an answer is put at a random point of its own probability's stretch of [0, 1]; if dealers follow
  the odds, these points are uniform.
* From the same chance node play continues to the next decision twice: once by a dealer, once by the
  odds. If dealers follow the odds the two are exchangeable, whatever the seats see (hidden
  cards, too): each value of an observation is as often above its twin as below, in any order of
  the values. Several orders are tried: in the middle of one order a value shows no difference.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from math import comb, inf, lcm, log
from typing import TYPE_CHECKING, Any, TypeAlias
from zlib import crc32

import msgspec

from arena.core.actions import Action
from arena.core.chance.dealer import Dealer, Sampled, SeatStreams
from arena.core.observation import Observation
from arena.core.state import CHANCE, State
from arena.testing.probes import demand, fingerprint

if TYPE_CHECKING:
    from random import Random

_Odds: TypeAlias = tuple[tuple[Action, Fraction], ...]

_ORDERS = 6
"""Orders of the values that are tried."""
_NODES = 10_000
"""Chance nodes in a row after which there is no decision to come."""
_FEW = 50
"""Placed answers below which their distribution is not tested."""
_MAX_ODDS = 16
"""Outcomes of a chance node that is checked whenever it comes; with more, the first ones."""
_ANSWERS, _FIRST = 96, 32
"""Answers to each of the first chance nodes of as many outcomes, and their number; then one."""
_TESTED_NODES = 10_000
"""Chance nodes that are tested alone, at most, by which their limit is set."""
_FALSE_ALARM = 1e-8
"""At most so likely is it that the counts of honest dealers' answers fail a check."""


class _Count:
    __slots__ = ("chances", "chosen", "expected")

    def __init__(self) -> None:
        self.chances = self.chosen = 0
        self.expected = 0.0

    def surprise(self) -> float:
        """Returns s: by the odds a count as far off on this side is at most exp(-s) likely.

        Hoeffding's bound for independent events, whose probabilities may differ.
        """
        odds, share = self.expected / self.chances, self.chosen / self.chances
        return self.chances * (_relative(share, odds) + _relative(1 - share, 1 - odds))


class ChanceLaw:
    """Tests chance nodes as they come, and all of them together at the end.

    Attributes:
        nodes: Chance nodes that were checked.
        tested: How often a dealer's answer was compared with the odds.
    """

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._bins = [0] * 10
        # Of all chance nodes together, whose key is (), and of those of the same odds.
        self._counts: defaultdict[_Odds, defaultdict[Action, _Count]] = defaultdict(
            lambda: defaultdict(_Count)
        )
        self._kinds: Counter[int] = Counter()
        self._wrong = ""
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
            self._place(node, odds)
            node.apply_action(self._rng.choice([action for action, _ in odds]))
        for _ in range(times):
            self._exchange(state, when)

    def close(self) -> int:
        """Tests everything that was seen; returns how often dealers were tested."""
        pairs = {key: (self._above[key], self._below[key]) for key in self._above | self._below}
        if pairs:
            key, (above, below) = max(pairs.items(), key=lambda pair: _square(*pair[1]))
            # Beyond 7 standard deviations: once in 10**11 for each of some thousand values.
            demand(
                _square(above, below) < 50,
                f"dealers do not follow the odds: of {_named(key)}, {above} and {below} values "
                "are above and below those of the odds",
            )
        counts = [each for counts in self._counts.values() for each in counts.items()]
        limit = log(2 * max(len(counts), 1) / _FALSE_ALARM)
        for action, count in counts:
            demand(
                count.surprise() < limit,
                f"dealers do not follow the odds: {action} comes {count.chosen} times in "
                f"{count.chances}, where {count.expected:.1f} are due",
            )
        demand(not self._wrong, f"dealers do not follow the odds: {self._wrong}")
        placed = sum(self._bins)
        if placed >= _FEW:
            expected = placed / 10
            square = sum((found - expected) ** 2 / expected for found in self._bins)
            # 9 degrees of freedom: beyond 50 once in 10 million honest checks.
            demand(square < 50, f"dealers do not follow the odds: {self._bins}")
        return self.tested

    def _dealer(self) -> Dealer:
        if self._rng.random() < 0.5:
            return Sampled(self._rng)
        return SeatStreams(self._rng.getrandbits(63))

    def _exchange(self, node: State[Any], when: str) -> None:
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
        mine, theirs = repr(dealt).encode(), repr(drawn).encode()
        for order in range(_ORDERS):
            one, other = crc32(mine, 7919 * order), crc32(theirs, 7919 * order)
            if one != other:
                (self._above if one > other else self._below)[*key, order] += 1

    def _place(self, node: State[Any], odds: _Odds) -> None:
        kind = min(len(odds), _MAX_ODDS + 1)
        first = self._kinds[kind] < _FIRST
        if kind > _MAX_ODDS and not first:
            return
        index_of = _recognizer(node, odds)
        if index_of is None:
            return
        self._kinds[kind] += 1
        times = _ANSWERS if first else 1
        chosen = [0] * len(odds)
        for _ in range(times):
            dealer = self._dealer()
            index = index_of(node.clone(dealer))
            demand(index is not None, f"{type(dealer).__name__} dealt what has no probability")
            assert index is not None
            chosen[index] += 1
        below, counts = 0.0, (self._counts[()], self._counts[odds])
        for (action, odd), number in zip(odds, chosen, strict=True):
            share = float(odd)
            for count in (each[action] for each in counts):
                count.chances += times
                count.chosen += number
                count.expected += times * share
            for _ in range(number):
                point = below + self._rng.random() * share
                self._bins[min(int(point * 10), 9)] += 1
            below += share
        self.tested += times
        self._wrong = self._wrong or _wrong(odds, chosen)


def _wrong(odds: _Odds, chosen: Sequence[int]) -> str:
    """Names the action that makes one node's answers unbelievable; empty if they are not.

    By the method of types: n answers are so far from the odds that their relative entropy is D
    with a probability of at most C(n + k - 1, k - 1) exp(-n D), for k outcomes.
    """
    times = sum(chosen)
    parts = [
        times * _relative(number / times, float(odd))
        for number, (_, odd) in zip(chosen, odds, strict=True)
    ]
    types = comb(times + len(odds) - 1, len(odds) - 1)
    if sum(parts) < log(types * _TESTED_NODES / _FALSE_ALARM):
        return ""
    index = parts.index(max(parts))
    action, odd = odds[index]
    due = times * float(odd)
    return f"at one chance node {action} comes {chosen[index]} times in {times}, not {due:.1f}"


def _recognizer(node: State[Any], odds: _Odds) -> Callable[[State[Any]], int | None] | None:
    if len(odds) == 1:
        return None
    children = []
    for action, _ in odds:
        child = node.clone()
        child.apply_action(action)
        children.append(child)
    after = [child.observation(0).history for child in children]
    # None may begin with another one: then what follows an answer could look like another answer.
    if not any(more.startswith(less) for less, more in pairwise(sorted(after))):

        def by_event(dealt: State[Any]) -> int | None:
            history = dealt.observation(0).history
            found = [index for index, events in enumerate(after) if history.startswith(events)]
            return found[0] if len(found) == 1 else None

        return by_event
    if any(child.current_player() == CHANCE for child in children):
        return None
    seats = len(node.scores())
    views = {fingerprint(child, seats)[2]: index for index, child in enumerate(children)}
    if len(views) < len(children):
        return None
    return lambda dealt: views.get(fingerprint(dealt, seats)[2])


def _relative(share: float, odds: float) -> float:
    """Returns the part of one outcome in the relative entropy of what came to what was due."""
    if not share:
        return 0.0
    return share * log(share / odds) if odds > 0 else inf


def _square(above: int, below: int) -> float:
    """Returns the square of the standard deviations by which two like counts differ."""
    return (above - below) ** 2 / (above + below)


def _checked_odds(node: State[Any]) -> _Odds:
    """Returns a chance node's outcomes; their probabilities must sum to 1."""
    odds = node.chance_outcomes()
    ratios = [odd.as_integer_ratio() for _, odd in odds]
    common = lcm(*(whole for _, whole in ratios))
    total = sum(part * (common // whole) for part, whole in ratios)
    demand(total == common, f"the probabilities of chance sum to {Fraction(total, common)}")
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
    assert isinstance(key, tuple)
    when, seat, path, _ = key
    return f"{path} of seat {seat} {'after the deal' if when == 'deal' else 'in play'}"

"""Pairs one bracket exactly, as a matching of the least cost.

After the criteria the order of candidates counts (C.04.3, section 4): in the first matching which
moved-down players are paired and with whom, in the second the exchanges between S1 and S2 and
their transpositions.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations
from typing import Protocol

import numpy as np

from arena.core.errors import BadInput
from arena_tournaments.dutch.bracket import Bracket
from arena_tournaments.dutch.criteria import Criteria
from arena_tournaments.dutch.field import Field
from arena_tournaments.dutch.least import NOBODY, Choice, LeastCost, heaviest

MAX_PAIRS = 600_000
"""Pairs that a matching may choose from: past it time and memory would have no bounds."""
BYE = -1
"""The partner of whoever rests."""


class _Order(Protocol):
    """The order of candidates: counts that come after all criteria, and then choices."""

    @property
    def widths(self) -> Sequence[int]:
        """Bits of each count."""

    @property
    def stages(self) -> Sequence[Callable[[Mapping[int, int]], Sequence[Choice]]]:
        """The choices, stage by stage, by the partners that are best by all before."""

    def pair(self, higher: int, lower: int) -> int:
        """Returns the counts of a pair in the bracket."""


class _MovedDownFirst:
    """The first of the moved-down players are paired, and with the first residents (4.4)."""

    widths: Sequence[int] = ()

    def __init__(self, moved_down: Sequence[int], residents: Sequence[int]) -> None:
        self._moved_down = moved_down
        self._rank = {index: n for n, index in enumerate(residents, 1)}
        self.stages = (self._paired, self._opponents)

    def pair(self, higher: int, lower: int) -> int:
        return 0

    def _paired(self, partner: Mapping[int, int]) -> list[Choice]:
        return [Choice(one, lambda other: other not in self._rank) for one in self._moved_down]

    def _opponents(self, partner: Mapping[int, int]) -> list[Choice]:
        return [Choice(one, lambda other: self._rank.get(other, 0)) for one in self._moved_down]


class _FewestExchanges:
    """Exchanges between S1 and S2, then transpositions of S2 (4.2, 4.3).

    In order: their number, the differences of those exchanged, the lowest of S1 and the highest
    of S2, and the opponents of S1 from its first member on.
    """

    def __init__(self, remainder: Sequence[int], pairs: int) -> None:
        self._remainder, self._pairs = remainder, pairs
        self._rank = {index: n for n, index in enumerate(remainder)}
        width = len(remainder).bit_length()
        self._width = 2 * width
        self.widths = (width, self._width)
        self.stages = (self._exchanges, self._transpositions)

    def pair(self, higher: int, lower: int) -> int:
        upper = self._rank[higher]
        return (int(upper >= self._pairs) << self._width) + upper

    def _exchanges(self, partner: Mapping[int, int]) -> list[Choice]:
        if not any(self._is_upper(one, partner.get(one, NOBODY)) for one in self._s2):
            return [Choice(one, partial(self._is_no_upper, one)) for one in self._s1]
        from_s1 = [Choice(one, partial(self._is_upper, one)) for one in reversed(self._s1)]
        return from_s1 + [Choice(one, partial(self._is_no_upper, one)) for one in self._s2]

    def _transpositions(self, partner: Mapping[int, int]) -> list[Choice]:
        return [
            Choice(one, lambda other: self._rank.get(other, 0))
            for one in self._remainder
            if self._is_upper(one, partner.get(one, NOBODY))
        ]

    @property
    def _s1(self) -> Sequence[int]:
        return self._remainder[: self._pairs]

    @property
    def _s2(self) -> Sequence[int]:
        return self._remainder[self._pairs :]

    def _is_upper(self, one: int, other: int) -> bool:
        return self._rank.get(other, -1) > self._rank[one]

    def _is_no_upper(self, one: int, other: int) -> bool:
        return not self._is_upper(one, other)


class Matching:
    """The matchings of one bracket.

    Args:
        below: The score groups below that take part: 0 for none, 1 for the next one, 2 for all.
    """

    def __init__(self, field: Field, bracket: Bracket, below: int) -> None:
        self._field, self._bracket = field, bracket
        self._next = bracket.next if below else ()
        self._rest = bracket.rest if below == 2 else ()
        self._complete = (self._next, self._rest) == (bracket.next, bracket.rest)
        self._members: Sequence[int] = bracket.members
        _check_size(field, [*self._members, *self._next, *self._rest])
        self._candidates = bracket.candidates & {*self._members, *self._next, *self._rest}
        entries = field.entries
        nodes = len(self._members) + len(self._next) + len(self._rest) + 1
        unplayed = max((entries[index].unplayed for index in self._candidates), default=0)
        self._criteria = Criteria(
            entries[bracket.residents[0]].score,
            sorted({entries[index].score for index in self._members}),
            nodes + unplayed,
        )
        self._residents = frozenset(bracket.residents)
        self._pair_costs = dict(self._offered())
        self._counts_bye = len(self._members) % 2 == 1 and bracket.may_rest

    def pairs(self) -> tuple[list[tuple[int, int]], list[int], list[int]]:
        """Returns the pairs of the bracket, who is left over, and who floats out of the matching.

        Nobody has fewer costs. That holds for the whole field if what was left out of the matching
        can be completed with those who float there, as well as with any.
        """
        pairs: list[tuple[int, int]] = []
        bracket = self._bracket
        if bracket.moved_down:
            partner = self._best(_MovedDownFirst(bracket.moved_down, bracket.residents))
            pairs = [(a, partner[a]) for a in bracket.moved_down if self._paired(a, partner)]
            inside = self._pairs_of(partner)
            taken = {index for pair in pairs for index in pair}
            self._members = [index for index in self._members if index not in taken]
            remainder = [index for index in self._members if index in self._residents]
            self._pair_costs = {
                pair: cost for pair, cost in self._pair_costs.items() if {*pair} <= {*remainder}
            }
            partner = self._best(_FewestExchanges(remainder, len(inside) - len(pairs)))
        else:
            half = len(bracket.residents) // 2
            partner = self._best(_FewestExchanges(bracket.residents, half))
            found = len(self._pairs_of(partner))
            if found < half:
                partner = self._best(_FewestExchanges(bracket.residents, found))
        pairs += self._pairs_of(partner)
        left = [index for index in self._members if not self._paired(index, partner)]
        outside = [*left, *self._next] if self._next else left
        return pairs, left, [index for index in outside if index not in partner]

    def _pairs_of(self, partner: dict[int, int]) -> list[tuple[int, int]]:
        mine = ((index, partner.get(index, BYE)) for index in self._members)
        return [(one, other) for one, other in mine if (one, other) in self._pair_costs]

    def _paired(self, index: int, partner: dict[int, int]) -> bool:
        other = partner.get(index, BYE)
        return (min(index, other), max(index, other)) in self._pair_costs

    def _best(self, order: _Order) -> dict[int, int]:
        """Returns everybody's partner; C9 counts only if the bye's assignee alone is left over."""
        partner = self._solved(order)
        if self._counts_bye and self._left_over(partner) > 1:
            self._counts_bye = False
            partner = self._solved(order)
        return partner

    def _left_over(self, partner: dict[int, int]) -> int:
        return sum(not self._paired(index, partner) for index in self._members)

    def _solved(self, order: _Order) -> dict[int, int]:
        shift = sum(order.widths)
        graph = LeastCost(
            self._edges(order, shift),
            self._costs_alone(shift),
            (*self._criteria.widths, *order.widths),
        )
        for stage in order.stages:
            graph.decide(stage(graph.partner))
        return graph.partner

    def _costs_alone(self, shift: int) -> dict[int, int | None]:
        """Returns what it costs that somebody has no partner here: floats to what is left out."""
        everybody = [*self._members, *self._next, *self._rest]
        alone: dict[int, int | None] = dict.fromkeys(everybody)
        if not self._complete:
            alone = {index: (self._down(index) + self._out(index)) << shift for index in everybody}
        return alone | ({BYE: None} if not self._candidates.isdisjoint(everybody) else {})

    def _down(self, index: int) -> int:
        if index >= self._bracket.residents[-1] + 1:
            return 0
        return self._criteria.downfloat(self._field.entries[index])

    def _out(self, index: int) -> int:
        return self._criteria.beyond_next(self._field.entries[index]) if self._next else 0

    def _offered(self) -> Iterator[tuple[tuple[int, int], int]]:
        entries, allowed = self._field.entries, self._field.allowed
        for one, other in combinations(self._bracket.members, 2):
            if other in self._residents and allowed[one, other]:
                yield (one, other), self._criteria.pair(entries[one], entries[other])

    def _edges(self, order: _Order, shift: int) -> Iterator[tuple[int, int, int]]:
        for (one, other), cost in self._pair_costs.items():
            yield one, other, (cost << shift) + order.pair(one, other)
        allowed = self._field.allowed
        down = {index: self._down(index) << shift for index in self._members}
        out = {index: self._out(index) << shift for index in (*self._members, *self._next)}
        for one in self._members:
            for other in self._next:
                if allowed[one, other]:
                    yield one, other, down[one]
            for other in self._rest:
                if allowed[one, other]:
                    yield one, other, down[one] + out[one]
        for one, other in combinations(self._next, 2):
            if allowed[one, other]:
                yield one, other, 0
        for one in self._next:
            for other in self._rest:
                if allowed[one, other]:
                    yield one, other, out[one]
        for one, other in combinations(self._rest, 2):
            if allowed[one, other]:
                yield one, other, 0
        for index in self._candidates & {*self._members, *self._next, *self._rest}:
            cost = down.get(index, 0) + out.get(index, 0)
            if index in down and self._counts_bye:
                cost += self._criteria.bye(self._field.entries[index]) << shift
            yield index, BYE, cost


def everybody_pairs(field: Field, candidates: Collection[int]) -> bool:
    """Tests whether the whole field can be paired, one of the candidates resting."""
    size = len(field.entries)
    _check_size(field, range(size))
    pairs = [pair for pair in combinations(range(size), 2) if field.allowed[pair]]
    pairs += [(one, BYE) for one in candidates]
    matched = heaviest([(*pair, 1) for pair in pairs], 1)
    return 2 * len(matched) == size + size % 2


def _check_size(field: Field, indices: Sequence[int]) -> None:
    """Refuses what would take too long; only forbidden pairs by the thousand lead there."""
    among = np.array(indices)
    if int(field.allowed[np.ix_(among, among)].sum()) > 2 * MAX_PAIRS:
        raise BadInput(
            f"{len(indices)} players with this many forbidden pairs and colours cannot be paired "
            f"in bounded time: {MAX_PAIRS} pairs at once are the most"
        )

"""Pairs one bracket exactly, as a matching of the greatest weight.

The weight of a pair is what it spares: the costs of two who are left over, less its own. After the
criteria the order of candidates counts (C.04.3, section 4): in the first matching which moved-down
players are paired and with whom, in the second the exchanges between S1 and S2 and their
transpositions.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import combinations
from typing import Protocol

import numpy as np

from arena.core.errors import BadInput
from arena_tournaments.dutch.bracket import SLACK, Bracket
from arena_tournaments.dutch.criteria import Criteria
from arena_tournaments.dutch.field import Field

MOST_PAIRS = 600_000
"""Pairs that a matching may choose from: past it time and memory would have no bounds."""
BYE = -1
"""The partner of whoever rests."""


class _Order(Protocol):
    """The order of candidates as costs below all criteria; ``bits`` hold any sum of them."""

    bits: int

    def pair(self, higher: int, lower: int) -> int: ...

    def downfloat(self, member: int) -> int: ...


class _MovedDownFirst:
    """The first of the moved-down players are paired, and with the first residents (4.4)."""

    def __init__(self, moved_down: Sequence[int], residents: Sequence[int]) -> None:
        count, self._width = len(moved_down), (len(residents) + 1).bit_length()
        self._place = {index: count - 1 - n for n, index in enumerate(moved_down)}
        self._rank = {index: n for n, index in enumerate(residents, 1)}
        self._left_out = count * self._width
        self.bits = self._left_out + count + 1

    def pair(self, higher: int, lower: int) -> int:
        if higher not in self._place:
            return 0
        return self._rank[lower] << (self._place[higher] * self._width)

    def downfloat(self, member: int) -> int:
        return 1 << (self._left_out + self._place[member]) if member in self._place else 0


class _FewestExchanges:
    """Exchanges between S1 and S2, then transpositions of S2 (4.2, 4.3).

    In order: their number, the differences of those exchanged, the lowest of S1 and the highest
    of S2, and the opponents of S1 from its first member on.
    """

    def __init__(self, remainder: Sequence[int], pairs: int) -> None:
        size, self._pairs = len(remainder), pairs
        self._rank = {index: n for n, index in enumerate(remainder)}
        self._width, self._last = size.bit_length(), size - 1
        self._from_s2 = size * self._width
        self._from_s1 = self._from_s2 + size
        self._difference = self._from_s1 + size
        self._number = self._difference + 2 * self._width
        self.bits = self._number + self._width + 1

    def pair(self, higher: int, lower: int) -> int:
        upper, opponent = self._rank[higher], self._rank[lower]
        cost = (upper << self._difference) + (opponent << ((self._last - upper) * self._width))
        if upper < self._pairs:
            return cost + (1 << (self._from_s1 + upper))
        return cost + (1 << self._number) - (1 << (self._from_s2 + self._last - upper))

    def downfloat(self, member: int) -> int:
        return 0


class Matching:
    """The matchings of one bracket.

    Args:
        below: The score groups below that take part: 0 if the next bracket surely pairs, 1 for the
            next group alone, 2 for everybody.
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

    def pairs(self) -> tuple[list[tuple[int, int]], list[int]] | None:
        """Returns the pairs of the bracket, and who is left over, in the field's order.

        ``None`` if more float than what is left out of the matching can surely take.
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
        loose = sum(index not in partner for index in outside)
        return None if not self._complete and loose >= SLACK else (pairs, left)

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
        # Imported here: it takes long, and most brackets are paired without it.
        import networkx as nx

        alone = self._costs_alone(order)
        graph = nx.Graph()
        graph.add_weighted_edges_from(
            (one, other, alone[one] + alone[other] - cost)
            for one, other, cost in self._edges(order)
        )
        matched = nx.max_weight_matching(graph)
        return {one: other for pair in matched for one, other in (pair, pair[::-1])}

    def _costs_alone(self, order: _Order) -> dict[int, int]:
        """Returns what it costs that somebody has no partner here: floats to what is left out."""
        forbidden = self._criteria.total << (order.bits + 2)
        everybody = [*self._members, *self._next, *self._rest]
        if self._complete:
            alone = dict.fromkeys(everybody, forbidden)
        else:
            alone = {
                index: self._down(index, order) + self._out(index, order) for index in everybody
            }
        alone[BYE] = forbidden
        return alone

    def _down(self, index: int, order: _Order) -> int:
        """Returns the cost of a member that is not paired in the bracket."""
        if index >= self._bracket.residents[-1] + 1:
            return 0
        cost = self._criteria.downfloat(self._field.entries[index])
        return (cost << order.bits) + order.downfloat(index)

    def _out(self, index: int, order: _Order) -> int:
        """Returns the cost of a member of the next bracket that is not paired there."""
        if not self._next:
            return 0
        return self._criteria.beyond_next(self._field.entries[index]) << order.bits

    def _offered(self) -> Iterator[tuple[tuple[int, int], int]]:
        """Returns the pairs of the bracket that the absolute criteria allow, with their costs."""
        entries, allowed = self._field.entries, self._field.allowed
        for one, other in combinations(self._bracket.members, 2):
            if other in self._residents and allowed[one, other]:
                yield (one, other), self._criteria.pair(entries[one], entries[other])

    def _edges(self, order: _Order) -> Iterator[tuple[int, int, int]]:
        allowed = self._field.allowed
        for (one, other), cost in self._pair_costs.items():
            yield one, other, (cost << order.bits) + order.pair(one, other)
        down = {index: self._down(index, order) for index in self._members}
        out = {index: self._out(index, order) for index in (*self._members, *self._next)}
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
        yield from self._byes(down, out, order)

    def _byes(
        self, down: dict[int, int], out: dict[int, int], order: _Order
    ) -> Iterator[tuple[int, int, int]]:
        for index in self._candidates & {*self._members, *self._next, *self._rest}:
            cost = down.get(index, 0) + out.get(index, 0)
            if index in down and self._counts_bye:
                cost += self._criteria.bye(self._field.entries[index]) << order.bits
            yield index, BYE, cost


def everybody_pairs(field: Field, candidates: Collection[int]) -> bool:
    """Tests whether the whole field can be paired, one of the candidates resting."""
    import networkx as nx

    size = len(field.entries)
    _check_size(field, range(size))
    graph = nx.Graph()
    graph.add_nodes_from(range(size))
    graph.add_edges_from(
        (one, other) for one, other in combinations(range(size), 2) if field.allowed[one, other]
    )
    graph.add_edges_from((index, BYE) for index in candidates)
    matched = nx.max_weight_matching(graph, maxcardinality=True)
    return 2 * len(matched) == size + size % 2


def _check_size(field: Field, indices: Sequence[int]) -> None:
    """Refuses what would take too long; only forbidden pairs by the thousand lead there."""
    among = np.array(indices)
    if int(field.allowed[np.ix_(among, among)].sum()) > 2 * MOST_PAIRS:
        raise BadInput(
            f"{len(indices)} players with this many forbidden pairs and colours cannot be paired "
            f"in bounded time: {MOST_PAIRS} pairs at once are the most"
        )

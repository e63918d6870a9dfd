"""Finds a matching of the least cost, count by count, with weights of 128 bits.

A cost is a sequence of counts, and the first that differs decides. All counts in one integer are
longer than what rustworkx computes with, so they are decided in stages. A count that is nought at
its least is enforced by taking away all that costs it, and needs no place in later weights. A
choice, a number that one member's partner decides, is enforced by taking the other partners away.
The remaining counts keep their places. Where they are too long even so, networkx decides, whose
integers have any length, in more time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import accumulate

import msgspec

MAX_BITS = 120
"""Bits of the sum of all costs: weights are twice as much, and the algorithm doubles them."""
_FIRST_RANKS = 4
"""Ranks of the first choice of a stage that have a number of their own, at least."""
NOBODY = -2
"""The partner of whoever has none."""


class Choice(msgspec.Struct, frozen=True):
    """A number to be made small that depends on the partner of one member only.

    Attributes:
        value: The number for a partner, which may be ``NOBODY``.
    """

    member: int
    value: Callable[[int], int]


class LeastCost:
    """A graph, and a matching of it that costs the least.

    The weight of a pair is what it spares: the costs of two who are left alone, less its own.

    Args:
        pairs: Two members, and the cost of their pair.
        alone: The cost of each member without a partner; ``None`` if it must have one.
        widths: Bits of the counts that make up a cost, the first in the highest bits.
    """

    def __init__(
        self,
        pairs: Iterable[tuple[int, int, int]],
        alone: Mapping[int, int | None],
        widths: Sequence[int],
    ) -> None:
        self._alone = dict(alone)
        self._costs: dict[int, dict[int, int]] = {member: {} for member in alone}
        for one, other, cost in pairs:
            self._costs[one][other] = self._costs[other][one] = cost
        self._widths = list(widths)
        self._settled: dict[int, int] = {}
        self._matched: dict[int, int] = {}
        self._decide_counts()

    @property
    def partner(self) -> dict[int, int]:
        """The partners, by member, in a matching that is best by all earlier decisions."""
        return self._settled | self._matched

    def decide(self, choices: Sequence[Choice]) -> None:
        """Makes the choices small, the first of them first, among the matchings that are left."""
        at = 0
        while at < len(choices):
            choice = choices[at]
            if self._is_least(choice):
                self._keep(choice.member, choice.value)
                at += 1
                continue
            digits = self._digits_of(choices[at:])
            self._match(0, digits)
            for digit in digits:
                rank = digit.ranks.get(self._matched.get(digit.member, NOBODY))
                self._keep(digit.member, digit.ranks.__getitem__)
                if rank is not None and rank == digit.open:
                    break
                at += 1

    def _decide_counts(self) -> None:
        decided = 0
        while decided < len(self._widths):
            self._narrow()
            ends = list(accumulate(self._widths))
            fitting = sum(end <= MAX_BITS for end in ends)
            taken = fitting if fitting > decided else len(ends)
            self._match(ends[-1] - ends[taken - 1], ())
            self._take_away(taken)
            decided = taken
        self._narrow()

    def _is_least(self, choice: Choice) -> bool:
        if choice.member not in self._costs:
            return True
        mine = choice.value(self._matched.get(choice.member, NOBODY))
        return mine == min(map(choice.value, self._possible(choice.member)))

    def _possible(self, member: int) -> list[int]:
        nobody = () if self._alone[member] is None else (NOBODY,)
        return [*self._costs[member], *nobody]

    def _keep(self, member: int, value: Callable[[int], int]) -> None:
        """Takes away the partners of a member that make another number than the matching does."""
        if member not in self._costs:
            return
        kept = value(self._matched.get(member, NOBODY))
        for other in self._possible(member):
            if value(other) == kept:
                continue
            if other == NOBODY:
                self._alone[member] = None
            else:
                del self._costs[member][other], self._costs[other][member]
        possible = self._possible(member)
        if len(possible) == 1:
            self._settle(member, possible[0])

    def _settle(self, member: int, partner: int) -> None:
        """Takes a member out who has one possible partner left, and the partner."""
        for each in (member, partner):
            if each == NOBODY:
                continue
            for other in self._costs.pop(each):
                self._costs[other].pop(each, None)
            if each in self._matched:
                self._settled[each] = self._matched.pop(each)

    def _digits_of(self, choices: Sequence[Choice]) -> list[_Digit]:
        """Returns the first choices as digits: one, and as many as a weight has place for.

        The later a choice, the more of its best partners may be taken, so that it has more ranks.
        """
        room = MAX_BITS - sum(self._widths)
        digits: list[_Digit] = []
        for n, choice in enumerate(choices):
            ranks: dict[int, int] = {}
            if choice.member in self._costs:
                values = {other: choice.value(other) for other in self._possible(choice.member)}
                order = {value: rank for rank, value in enumerate(sorted({*values.values()}))}
                ranks = {other: order[value] for other, value in values.items()}
            last = max(ranks.values(), default=0)
            width = min(last.bit_length(), (2 * n + _FIRST_RANKS).bit_length())
            room -= width
            if digits and room < 0:
                break
            open_from = (1 << width) - 1
            digits.append(
                _Digit(
                    choice.member,
                    {other: min(rank, open_from) for other, rank in ranks.items()},
                    width,
                    open_from if open_from < last else None,
                )
            )
        return digits

    def _narrow(self) -> None:
        used = [0] * len(self._widths)
        most = [0] * len(self._widths)
        shifts = self._shifts()
        for member, row in self._costs.items():
            any_of = self._alone[member] or 0
            for cost in row.values():
                any_of |= cost
            for n, (shift, width) in enumerate(zip(shifts, self._widths, strict=True)):
                count = any_of >> shift & ((1 << width) - 1)
                used[n] += count > 0
                most[n] = max(most[n], count)
        widths = [(n * count).bit_length() for n, count in zip(used, most, strict=True)]
        narrowed: dict[int, int] = {}

        def narrow(cost: int) -> int:
            if cost not in narrowed:
                narrowed[cost] = 0
                for shift, width, new in zip(shifts, self._widths, widths, strict=True):
                    count = cost >> shift & ((1 << width) - 1)
                    narrowed[cost] = narrowed[cost] << new | count
            return narrowed[cost]

        for member, row in self._costs.items():
            self._costs[member] = {other: narrow(cost) for other, cost in row.items()}
            cost_alone = self._alone[member]
            self._alone[member] = None if cost_alone is None else narrow(cost_alone)
        self._widths = widths

    def _shifts(self) -> list[int]:
        total = sum(self._widths)
        return [total - end for end in accumulate(self._widths)]

    def _take_away(self, counts: int) -> None:
        """Takes away what has any of those of the first counts that are nought in the matching."""
        spent = 0
        for member in self._costs:
            other = self._matched.get(member, NOBODY)
            spent |= self._costs[member][other] if other != NOBODY else self._alone[member] or 0
        barred = 0
        for shift, width in list(zip(self._shifts(), self._widths, strict=True))[:counts]:
            mask = ((1 << width) - 1) << shift
            barred |= 0 if spent & mask else mask
        for member, row in self._costs.items():
            self._costs[member] = {other: cost for other, cost in row.items() if not cost & barred}
            if (self._alone[member] or 0) & barred:
                self._alone[member] = None

    def _match(self, unused: int, digits: Sequence[_Digit]) -> None:
        """Finds the best matching by the counts, less the unused bits, and then by the digits."""
        more, place = 0, {}
        for digit in digits:
            more += digit.width
            place[digit.member] = more
        bits = sum(self._widths) - unused + more
        extra = {
            (digit.member, other): rank << (more - place[digit.member])
            for digit in digits
            for other, rank in digit.ranks.items()
        }
        alone = {
            member: 1 << bits
            if cost is None
            else (cost >> unused << more) + extra.get((member, NOBODY), 0)
            for member, cost in ((member, self._alone[member]) for member in self._costs)
        }
        weights = []
        for one, row in self._costs.items():
            for other, cost in row.items():
                if one < other:
                    cost = cost >> unused << more
                    if extra:
                        cost += extra.get((one, other), 0) + extra.get((other, one), 0)
                    weights.append((one, other, alone[one] + alone[other] - cost))
        self._matched = {}
        for one, other in heaviest(weights, bits):
            self._matched[one], self._matched[other] = other, one


class _Digit(msgspec.Struct, frozen=True):
    """A choice as a part of weights: the rank of each possible partner's number.

    Attributes:
        width: Bits of a rank.
        open: The rank that all further ones share, if there are any.
    """

    member: int
    ranks: Mapping[int, int]
    width: int
    open: int | None


def heaviest(weights: Sequence[tuple[int, int, int]], bits: int) -> list[tuple[int, int]]:
    """Returns the pairs of the matching of the greatest weight.

    Args:
        weights: Two members and the weight of their pair, of at most one bit more than ``bits``.
        bits: Bits of a cost; past ``MAX_BITS`` it takes long.
    """
    if bits > MAX_BITS:
        import networkx as nx

        long = nx.Graph()
        long.add_weighted_edges_from(weights)
        return list(nx.max_weight_matching(long))
    # Imported here, for most brackets are paired without it.
    import rustworkx as rx

    graph: rx.PyGraph[int, int] = rx.PyGraph(multigraph=False)
    members = sorted({member for one, other, _ in weights for member in (one, other)})
    node = {member: n for n, member in enumerate(members)}
    graph.add_nodes_from(members)
    graph.add_edges_from([(node[one], node[other], weight) for one, other, weight in weights])
    matched = rx.max_weight_matching(graph, weight_fn=int)
    return [(members[one], members[other]) for one, other in matched]

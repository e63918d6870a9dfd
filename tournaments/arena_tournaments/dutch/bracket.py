"""One bracket and what lies below it; whether that can be completed, whoever floats down."""

from __future__ import annotations

import msgspec
import numpy as np
from numpy.typing import NDArray

from arena_tournaments.dutch.field import Field

SLACK = 4
"""Downfloaters, and others taken away, that the tests of completion allow for."""


class Bracket(msgspec.Struct, frozen=True, kw_only=True):
    """One bracket: indices into the field, in its order.

    Attributes:
        moved_down: Members from higher score groups (1.3.2).
        residents: Members of the score group.
        next: The next score group.
        rest: All below.
        candidates: Who may have the bye, by C2 and C5; none if it is not assigned in this round,
            or has been.
    """

    moved_down: tuple[int, ...]
    residents: tuple[int, ...]
    next: tuple[int, ...]
    rest: tuple[int, ...]
    candidates: frozenset[int]

    @property
    def members(self) -> tuple[int, ...]:
        """Everybody who may be paired in the bracket."""
        return self.moved_down + self.residents

    @property
    def may_rest(self) -> bool:
        """True if the bye goes to a member."""
        return not self.candidates.isdisjoint(self.members)


class Completion:
    """Proves of which parts of the field everybody can be paired.

    By the theorem of Posa: a graph whose sorted degrees exceed 1, 2, 3, ... up to half of its size
    has a Hamiltonian cycle, and so a matching of all, or of all but any one. The tests only ever
    err on the safe side: what they cannot prove is left to the exact matching.
    """

    def __init__(self, field: Field) -> None:
        self._field = field
        firsts = np.array(field.groups[:-1])
        self._degrees: NDArray[np.int32] = np.add.reduceat(
            field.allowed, firsts, axis=1, dtype=np.int32
        )
        self._group = {first: n for n, first in enumerate(field.groups[:-1])}

    def everybody_surely_pairs(self) -> bool:
        """True if the whole field can be paired, whoever rests."""
        return _is_hamiltonian(self._degrees.sum(axis=1))

    def next_surely_pairs(self, bracket: Bracket) -> bool:
        """True if the next bracket, and all below, pair as well as they can whoever floats."""
        if not bracket.next:
            return True
        group = self._group[bracket.next[0]]
        inside = self._degrees[list(bracket.next), group]
        from_above = self._degrees[list(bracket.members), group]
        if not (_is_hamiltonian(inside) and from_above.min(initial=SLACK) >= SLACK):
            return False
        if not bracket.rest:
            return True
        return self.rest_surely_pairs(bracket)

    def rest_surely_pairs(self, bracket: Bracket) -> bool:
        """True if everybody below the next bracket can be paired whoever floats there."""
        if not bracket.rest:
            return False
        group = self._group[bracket.rest[0]]
        inside = self._degrees[list(bracket.rest), group:].sum(axis=1)
        above = list(bracket.members + bracket.next)
        from_above = self._degrees[above, group:].sum(axis=1)
        return _is_hamiltonian(inside) and bool(from_above.min() >= SLACK)


def _is_hamiltonian(degrees: NDArray[np.int32]) -> bool:
    """Tests a graph's degrees, less some for whoever is taken away."""
    size = len(degrees)
    if size <= 2 * SLACK:
        return False
    lowest = np.sort(degrees)[: size // 2 + 1] - SLACK
    return bool((lowest > np.arange(1, len(lowest) + 1)).all())

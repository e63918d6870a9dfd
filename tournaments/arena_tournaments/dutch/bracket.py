"""One bracket and what lies below it; whether that can be completed, whoever floats down."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from arena_tournaments.dutch.field import Allowed, Field

SLACK = 4
"""Downfloaters, and others taken away, that the tests of completion allow for."""
_PAIRED = 1 << 30
"""Opponents left of whoever is paired: more than anybody else has."""
_TRIES = 4
"""Members who are tried as the one to float on, or to rest."""


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
    """Proves of which parts of the field everybody can be paired, whoever floats or after a choice.

    Whoever floats: by the theorem of Posa, a graph whose sorted degrees exceed 1, 2, 3, ... up to
    half of its size has a Hamiltonian cycle, and so a matching of all, or of all but any one. After
    a choice: by a matching, found quickly where there are many. The tests only ever err on the safe
    side: what they cannot prove is left to the exact matching.
    """

    def __init__(self, field: Field) -> None:
        self._field = field
        firsts = np.array(field.groups[:-1])
        self._degrees: NDArray[np.int32] = np.add.reduceat(
            field.allowed, firsts, axis=1, dtype=np.int32
        )
        self._group = {first: n for n, first in enumerate(field.groups[:-1])}
        self._allowed = field.allowed

    def everybody_pairs(self, candidates: Collection[int]) -> bool:
        """True if the whole field can surely be paired, one of the candidates resting if odd."""
        return _is_hamiltonian(self._degrees.sum(axis=1)) or self._all_found(
            range(len(self._allowed)), candidates
        )

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

    def next_pairs(self, bracket: Bracket, left: Sequence[int]) -> bool:
        """True if a pairing is found of the next bracket and of all below, with these downfloaters.

        In it all pair in the next bracket, or all but one of the score group, so that no others
        could have floated to more effect (C8).
        """
        below = (*left, *bracket.next)
        if bracket.may_rest:
            return False
        if len(below) % 2 == 0:
            return self._found(below) and self.rest_pairs(bracket, ())
        return any(
            self._found([each for each in below if each != one])
            and self.rest_pairs(bracket, (one,))
            for one in bracket.next[-_TRIES:]
        )

    def rest_pairs(self, bracket: Bracket, floating: Sequence[int]) -> bool:
        """True if a pairing is found of who floats there and all below the next bracket.

        One candidate rests if they are odd.
        """
        rest = (*floating, *bracket.rest)
        even = len(rest) % 2 == 0
        able_below = even or not bracket.candidates.isdisjoint(bracket.rest)
        if able_below and len(floating) < SLACK and self.rest_surely_pairs(bracket):
            return True
        return self._all_found(rest, bracket.candidates)

    def _all_found(self, indices: Sequence[int], candidates: Collection[int]) -> bool:
        if len(indices) % 2 == 0:
            return self._found(indices)
        able = [index for index in indices if index in candidates]
        return any(self._found([each for each in indices if each != one]) for one in able[-_TRIES:])

    def _found(self, indices: Sequence[int]) -> bool:
        """True if all are paired where whoever has the fewest opponents left comes first."""
        among = np.array(indices, dtype=np.intp)
        able = self._allowed[np.ix_(among, among)]
        left = able.sum(axis=1, dtype=np.int32)
        for _ in range(len(indices) // 2):
            one = int(left.argmin())
            other = int(np.where(able[one], left, _PAIRED).argmin())
            if not able[one, other] or left[other] >= _PAIRED // 2:
                return False
            left -= able[one]
            left -= able[other]
            left[[one, other]] = _PAIRED
        return True


def rows_of(allowed: Allowed) -> list[int]:
    """Returns a matrix by its rows, as sets: bit n is member n of the field."""
    packed = np.packbits(allowed, axis=1, bitorder="little")
    return [int.from_bytes(row.tobytes(), "little") for row in packed]


def bits_of(indices: Iterable[int]) -> int:
    """Returns a set of members of the field as bits."""
    bits = 0
    for index in indices:
        bits |= 1 << index
    return bits


def _is_hamiltonian(degrees: NDArray[np.int32]) -> bool:
    size = len(degrees)
    if size <= 2 * SLACK:
        return False
    lowest = np.sort(degrees)[: size // 2 + 1] - SLACK
    return bool((lowest > np.arange(1, len(lowest) + 1)).all())

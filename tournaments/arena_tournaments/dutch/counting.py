"""Pairs a bracket by counting, where that proves the result; large brackets are of this kind.

Colours: of players due White and players due Black, those who cannot have their colour are at
least half of the difference (C12), and of strong preferences at least what the mild ones of the
larger side do not cover (C13). A pair is offered while these bounds still hold after it, so a
candidate that pairs everybody by such pairs, without an exchange, a repeated float or a moved-down
player left over, is as good as any by all criteria, and found in the order of candidates it is
the first. Whatever cannot be proven so is left to ``matching``.

Sets of players are bits of an integer: bit n is member n of the field.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from arena_tournaments.dutch.bracket import Bracket
from arena_tournaments.dutch.field import DOWN, UP, Entry, Field

_MOST_STEPS = 20_000
"""Steps of one search; past it the bracket counts as undecided."""
_KINDS = "WwBbn"
"""Preferences: strong or absolute, mild, for either colour, and none."""


class Counting:
    """Pairs brackets of one field by counting."""

    def __init__(self, field: Field) -> None:
        self._field = field
        packed = np.packbits(field.plain, axis=1, bitorder="little")
        self._allowed = [int.from_bytes(row.tobytes(), "little") for row in packed]
        self._kinds = [_kind(entry) for entry in field.entries]
        self._of_kind = {
            kind: _bits(n for n, each in enumerate(self._kinds) if each == kind) for kind in _KINDS
        }
        self._floated_up = _bits(n for n, each in enumerate(field.entries) if UP in each.floats)

    def pairs(self, bracket: Bracket) -> tuple[list[tuple[int, int]], list[int]] | None:
        """Returns the pairs and who is left over, or ``None`` where counting does not decide.

        Everything below must surely pair, whoever floats there.
        """
        members = bracket.members
        odd = len(members) % 2 == 1
        good = self._may_float(bracket) if odd else 0
        if (odd and not good) or (not odd and bracket.may_rest):
            return None
        colours = _Colours(self._kinds[index] for index in members)
        free = _bits(bracket.residents)
        pairs: list[tuple[int, int]] = []
        for one in bracket.moved_down:
            offered = self._offered(one, free & ~self._floated_up, colours)
            if odd:
                offered &= ~_last_of(good & free)
            if not offered:
                return None
            other = (offered & -offered).bit_length() - 1
            colours.take(self._kinds[one], self._kinds[other])
            free &= ~(1 << other)
            pairs.append((one, other))
        remainder = [index for index in bracket.residents if free >> index & 1]
        found = self._transposed(remainder, good, colours)
        if found is None:
            return None
        paired = {index for pair in found for index in pair}
        return pairs + found, [index for index in remainder if index not in paired]

    def _may_float(self, bracket: Bracket) -> int:
        """Returns the residents who cost nothing as the only downfloater, or the bye's assignee."""
        entries = self._field.entries
        able: Iterable[int] = bracket.residents
        if bracket.may_rest:
            able = bracket.candidates & frozenset(bracket.residents)
            if bracket.candidates & frozenset(bracket.moved_down):
                return 0
            least = min((entries[index].unplayed for index in able), default=0)
            able = [index for index in able if entries[index].unplayed == least]
        return _bits(index for index in able if DOWN not in entries[index].floats)

    def _offered(self, one: int, free: int, colours: _Colours) -> int:
        """Returns those of the free whom one may meet within the bounds of the colours."""
        kind = self._kinds[one]
        kinds = sum(self._of_kind[each] for each in _KINDS if colours.allows(kind, each))
        return self._allowed[one] & free & kinds

    def _transposed(
        self, remainder: Sequence[int], good: int, colours: _Colours
    ) -> list[tuple[int, int]] | None:
        """Returns the first transposition of S2 that pairs all of S1 (4.2), by back-tracking."""
        half = len(remainder) // 2
        odd = len(remainder) % 2 == 1
        free = _bits(remainder[half:])
        if odd and not good & free:
            return None
        pairs: list[tuple[int, int]] = []
        tried = [0] * (half + 1)
        for _ in range(_MOST_STEPS + 2 * half):
            if len(pairs) == half:
                return pairs
            one = remainder[len(pairs)]
            offered = self._offered(one, free & ~tried[len(pairs)], colours)
            if odd:
                offered &= ~_last_of(good & free)
            if offered:
                other = (offered & -offered).bit_length() - 1
                colours.take(self._kinds[one], self._kinds[other])
                free &= ~(1 << other)
                pairs.append((one, other))
                tried[len(pairs)] = 0
                continue
            if not pairs:
                return None
            one, other = pairs.pop()
            colours.give_back(self._kinds[one], self._kinds[other])
            free |= 1 << other
            tried[len(pairs)] |= 1 << other
        return None


class _Colours:
    """The preferences of those who are still to be paired, and the bounds of C12 and C13."""

    def __init__(self, kinds: Iterable[str]) -> None:
        members = list(kinds)
        self._counts = {kind: members.count(kind) for kind in _KINDS}
        # Whoever is left over takes from the larger side, as a player without preference does.
        self._counts["n"] += len(members) % 2
        self._least = _least(self._counts)

    def allows(self, one: str, other: str) -> bool:
        """True if the bounds hold after a pair of these kinds, its own costs included."""
        if not self._counts[other] or (one == other and self._counts[one] < 2):
            return False
        counts = self._counts
        counts[one] -= 1
        counts[other] -= 1
        wishes, strong = _least(counts)
        counts[one] += 1
        counts[other] += 1
        same = one.lower() == other.lower() != "n"
        both_strong = same and one.isupper() and other.isupper()
        return wishes + same <= self._least[0] and strong + both_strong <= self._least[1]

    def take(self, one: str, other: str) -> None:
        """Takes a pair out."""
        self._counts[one] -= 1
        self._counts[other] -= 1
        self._least = _least(self._counts)

    def give_back(self, one: str, other: str) -> None:
        """Takes a pair in again."""
        self._counts[one] += 1
        self._counts[other] += 1
        self._least = _least(self._counts)


def _least(counts: Mapping[str, int]) -> tuple[int, int]:
    """Returns the least possible C12 and C13."""
    white, black = counts["W"] + counts["w"], counts["B"] + counts["b"]
    wishes = max(0, abs(white - black) - counts["n"]) // 2
    return wishes, max(0, wishes - counts["w" if white > black else "b"])


def _kind(entry: Entry) -> str:
    if not entry.preference:
        return "n"
    return entry.preference.upper() if entry.strength > 1 else entry.preference


def _last_of(bits: int) -> int:
    """Returns a set if it has one member alone: the last one who may float stays."""
    return 0 if bits & (bits - 1) else bits


def _bits(indices: Iterable[int]) -> int:
    bits = 0
    for index in indices:
        bits |= 1 << index
    return bits

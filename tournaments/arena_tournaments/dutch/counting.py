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

from arena_tournaments.dutch.bracket import Bracket, bits_of, rows_of
from arena_tournaments.dutch.field import DOWN, UP, Entry, Field

_MAX_STEPS = 2_000
"""Steps of one search besides one a pair; past it the bracket counts as undecided."""
_KINDS = "WwBbn"
"""Preferences: strong or absolute, mild, for either colour, and none."""


class Counting:
    """Pairs brackets of one field by counting."""

    def __init__(self, field: Field) -> None:
        self._field = field
        self._allowed = rows_of(field.plain)
        self._kinds = [_kind(entry) for entry in field.entries]
        self._of_kind = {
            kind: bits_of(n for n, each in enumerate(self._kinds) if each == kind)
            for kind in _KINDS
        }
        self._floated_up = bits_of(n for n, each in enumerate(field.entries) if UP in each.floats)

    def pairs(self, bracket: Bracket) -> tuple[list[tuple[int, int]], list[int]] | None:
        """Returns the pairs and who is left over, or ``None`` where counting does not decide.

        The result holds if what is below can be paired as well as it can with these downfloaters.
        """
        members = bracket.members
        odd = len(members) % 2 == 1
        good = self._may_float(bracket) if odd else 0
        if (odd and not good) or (not odd and bracket.may_rest):
            return None
        colours = _Colours(self._kinds[index] for index in members)
        free = bits_of(bracket.residents)
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
        entries = self._field.entries
        able: Iterable[int] = bracket.residents
        if bracket.may_rest:
            able = bracket.candidates & frozenset(bracket.residents)
            if bracket.candidates & frozenset(bracket.moved_down):
                return 0
            least = min((entries[index].unplayed for index in able), default=0)
            able = [index for index in able if entries[index].unplayed == least]
        return bits_of(index for index in able if DOWN not in entries[index].floats)

    def _offered(self, one: int, free: int, colours: _Colours) -> int:
        return self._allowed[one] & free & self._of_colours(self._kinds[one], colours)

    def _of_colours(self, kind: str, colours: _Colours) -> int:
        return sum(self._of_kind[each] for each in _KINDS if colours.allows(kind, each))

    def _transposed(
        self, remainder: Sequence[int], good: int, colours: _Colours
    ) -> list[tuple[int, int]] | None:
        """Returns the first transposition of S2 that pairs all of S1 (4.2).

        The search is short as a rule; where it is not, it begins again and looks ahead.
        """
        before = colours.copy()
        found, decided = self._searched(remainder, good, colours, None)
        if not decided:
            colours.reset(before)
            found, decided = self._searched(remainder, good, colours, _Outlook())
        return found

    def _searched(
        self, remainder: Sequence[int], good: int, colours: _Colours, outlook: _Outlook | None
    ) -> tuple[list[tuple[int, int]] | None, bool]:
        """Searches by back-tracking; returns what it found, and whether it came to an end."""
        half = len(remainder) // 2
        odd = len(remainder) % 2 == 1
        free = bits_of(remainder[half:])
        if odd and not good & free:
            return None, True
        pairs: list[tuple[int, int]] = []
        tried = [0] * (half + 1)
        for _ in range(_MAX_STEPS + 2 * half):
            if len(pairs) == half:
                return pairs, True
            if outlook is None or self._hopeful(
                outlook, remainder[len(pairs) : half], free, colours
            ):
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
                return None, True
            one, other = pairs.pop()
            colours.give_back(self._kinds[one], self._kinds[other])
            free |= 1 << other
            tried[len(pairs)] |= 1 << other
        return None, False

    def _hopeful(
        self, outlook: _Outlook, left: Sequence[int], free: int, colours: _Colours
    ) -> bool:
        """Returns whether those left of S1 could all be paired if no pair cost others theirs."""
        met = {kind: free & self._of_colours(kind, colours) for kind in _KINDS}
        return outlook.matches({one: self._allowed[one] & met[self._kinds[one]] for one in left})


class _Outlook:
    """Matches those left of S1 with the players of S2 whom they may meet.

    In a search pairs are only ever withdrawn, so that where there is no such matching there is no
    candidate. From step to step most of a matching holds.
    """

    def __init__(self) -> None:
        self._partner: dict[int, int] = {}

    def matches(self, offered: Mapping[int, int]) -> bool:
        """Returns whether all can be matched: sets of S2 by the member of S1."""
        self._partner = {
            one: other
            for one, other in self._partner.items()
            if one in offered and offered[one] >> other & 1
        }
        taken = {other: one for one, other in self._partner.items()}
        return all(one in self._partner or self._augmented(one, offered, taken) for one in offered)

    def _augmented(self, root: int, offered: Mapping[int, int], taken: dict[int, int]) -> bool:
        """Matches one more by an alternating path, the shortest, if there is one."""
        reached: dict[int, int] = {}
        seen = 0
        queue = [root]
        for one in queue:
            new = offered[one] & ~seen
            seen |= new
            while new:
                other = new.bit_length() - 1
                new ^= 1 << other
                reached[other] = one
                if other in taken:
                    queue.append(taken[other])
                    continue
                while True:
                    one = reached[other]
                    before = self._partner.get(one)
                    self._partner[one], taken[other] = other, one
                    if before is None:
                        return True
                    other = before
        return False


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

    def copy(self) -> dict[str, int]:
        return dict(self._counts)

    def reset(self, counts: Mapping[str, int]) -> None:
        self._counts = dict(counts)
        self._least = _least(self._counts)

    def take(self, one: str, other: str) -> None:
        self._counts[one] -= 1
        self._counts[other] -= 1
        self._least = _least(self._counts)

    def give_back(self, one: str, other: str) -> None:
        self._counts[one] += 1
        self._counts[other] += 1
        self._least = _least(self._counts)


def _least(counts: Mapping[str, int]) -> tuple[int, int]:
    white, black = counts["W"] + counts["w"], counts["B"] + counts["b"]
    wishes = max(0, abs(white - black) - counts["n"]) // 2
    return wishes, max(0, wishes - counts["w" if white > black else "b"])


def _kind(entry: Entry) -> str:
    if not entry.preference:
        return "n"
    return entry.preference.upper() if entry.strength > 1 else entry.preference


def _last_of(bits: int) -> int:
    """Returns a set if it has one member only: the last one who may float stays."""
    return 0 if bits & (bits - 1) else bits

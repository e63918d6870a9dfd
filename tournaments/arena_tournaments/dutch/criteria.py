"""The criteria of a bracket (C.04.3, section 2) as costs: one number a pair, the least is best.

A cost holds a count for each criterion, C6 in the highest bits, so that the sum over a bracket
compares as the rules do: a criterion counts only between candidates that are equal by all before
it. Criteria "taken in descending order" have a count for each score, the highest first. The
absolute criteria C1-C5 are no costs: pairs that break them are not offered.
"""

from __future__ import annotations

from collections.abc import Sequence

from arena_tournaments.dutch.field import DOWN, UP, Entry

_PLAIN = ("C9", "C10", "C11", "C12", "C13", "C14", "C15", "C16", "C17")
_BY_SCORE = ("C18", "C19", "C20", "C21")


class Criteria:
    """The costs of one bracket.

    Args:
        score: Score of the bracket's residents; who has more was moved down.
        scores: Scores of its members, each once.
        most: The highest count that a criterion can reach.
    """

    def __init__(self, score: int, scores: Sequence[int], most: int) -> None:
        self._score = score
        self._width = most.bit_length()
        higher = sorted((each for each in scores if each > score), reverse=True)
        fields: list[tuple[str, int]] = [("C6", 0), *(("C7", each) for each in higher), ("C8", 0)]
        fields += [("C8", each) for each in (*higher, score)]
        fields += [(name, 0) for name in _PLAIN]
        fields += [(name, each) for name in _BY_SCORE for each in higher]
        self._unit = {
            field: 1 << (self._width * place) for place, field in enumerate(reversed(fields))
        }
        self.widths = [self._width] * len(fields)
        """Bits of each count of a cost, from the highest."""

    def pair(self, higher: Entry, lower: Entry) -> int:
        """Returns the cost of a pair in the bracket."""
        cost = self._colours(higher, lower)
        if higher.score > lower.score:
            for float, count, by_score in ((0, "C15", "C19"), (1, "C17", "C21")):
                if lower.floats[float] == UP:
                    cost += self._unit[count, 0] + self._unit[by_score, higher.score]
        return cost

    def _colours(self, one: Entry, other: Entry) -> int:
        if not one.preference or one.preference != other.preference:
            return 0
        cost = self._unit["C12", 0]
        if one.strength == other.strength == 3:
            if min(one.imbalance, other.imbalance) > 1:
                cost += self._unit["C10", 0]
            if _third_time(one, other):
                cost += self._unit["C11", 0]
        elif min(one.strength, other.strength) == 2:
            cost += self._unit["C13", 0]
        return cost

    def downfloat(self, entry: Entry) -> int:
        """Returns the cost of a member that is not paired in the bracket."""
        cost = self._unit["C6", 0]
        moved_down = entry.score > self._score
        if moved_down:
            cost += self._unit["C7", entry.score]
        for float, resident, by_score in ((0, "C14", "C18"), (1, "C16", "C20")):
            if entry.floats[float] == DOWN:
                field = (by_score, entry.score) if moved_down else (resident, 0)
                cost += self._unit[field]
        return cost

    def beyond_next(self, entry: Entry) -> int:
        """Returns the cost of a member of the next bracket that is not paired there (C8)."""
        of_its_score = self._unit["C8", entry.score] if entry.score >= self._score else 0
        return self._unit["C8", 0] + of_its_score

    def bye(self, entry: Entry) -> int:
        """Returns the cost of the bye, where its assignee is the only downfloater (C9)."""
        return entry.unplayed * self._unit["C9", 0]


def _third_time(one: Entry, other: Entry) -> bool:
    """True if, of two absolute preferences, one player gets a colour for the third time (C11)."""
    if one.imbalance == other.imbalance:
        return bool(one.repeated) and one.repeated == other.repeated
    yielding = one if one.imbalance < other.imbalance else other
    return yielding.repeated not in ("", yielding.preference)

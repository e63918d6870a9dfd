"""Pairs a round: bracket by bracket from the highest score down (C.04.3, section 1.9)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from arena_tournaments.dutch.bracket import SLACK, Bracket, Completion
from arena_tournaments.dutch.colours import white_first
from arena_tournaments.dutch.counting import Counting
from arena_tournaments.dutch.field import Entry, Field, field_of
from arena_tournaments.dutch.matching import Matching, everybody_pairs
from arena_tournaments.trf.report import Report

Pairs: TypeAlias = tuple[tuple[int, int], ...]
"""Pairing numbers in board order, White first; a second 0 is the bye."""


def pair_next_round(report: Report, forgotten: int = 0) -> Pairs | None:
    """Pairs the round after those of a report; ``None`` where the rules allow no pairing (1.9.3).

    Who is absent, or has asked for a bye in that round, is not paired.

    Args:
        forgotten: First rounds, in which meetings and byes do not count (C1, C2): earlier cycles.
            Opponents who met there and are due a colour alike have their colours reversed.
    """
    return pair_field(field_of(report, forgotten))


def pair_field(field: Field) -> Pairs | None:
    """Pairs a field, as ``pair_next_round`` does."""
    if not field.entries:
        return ()
    completion = Completion(field)
    candidates = _candidates(field, completion)
    if candidates is None:
        return None
    counting = Counting(field)
    pairs: list[tuple[int, int]] = []
    left: list[int] = []
    groups = [tuple(range(*ends)) for ends in zip(field.groups, field.groups[1:], strict=False)]
    for number, residents in enumerate(groups):
        below = groups[number + 1 :]
        bracket = Bracket(
            moved_down=tuple(left),
            residents=residents,
            next=below[0] if below else (),
            rest=tuple(index for group in below[1:] for index in group),
            candidates=candidates,
        )
        found, left = _paired(field, bracket, completion, counting)
        pairs += found
    return _in_board_order(field, pairs, left)


def _candidates(field: Field, completion: Completion) -> frozenset[int] | None:
    """Returns who may have the bye by C2 and C5, nobody in an even field.

    ``None`` if the field cannot be paired, whoever rests.
    """
    entries = field.entries
    if len(entries) % 2 == 0:
        may_pair = completion.everybody_pairs(()) or everybody_pairs(field, ())
        return frozenset() if may_pair else None
    for score in sorted({entry.score for entry in entries if entry.bye}):
        able = frozenset(
            index for index, each in enumerate(entries) if each.bye and each.score == score
        )
        if completion.everybody_pairs(able) or everybody_pairs(field, able):
            return able
    return None


def _paired(
    field: Field, bracket: Bracket, completion: Completion, counting: Counting
) -> tuple[list[tuple[int, int]], list[int]]:
    """Returns the pairs of a bracket, and who floats down from it, or rests.

    The least of what is below takes part. What is best without the rest is best with it, if the
    rest can be completed after that choice.
    """
    surely = completion.next_surely_pairs(bracket)
    counted = counting.pairs(bracket)
    if counted and (surely or completion.next_pairs(bracket, counted[1])):
        return counted
    if surely or not bracket.may_rest:
        pairs, left, out = Matching(field, bracket, below=0).pairs()
        if (surely and len(out) < SLACK) or completion.next_pairs(bracket, left):
            return pairs, left
    pairs, left, out = Matching(field, bracket, below=1).pairs()
    surely = completion.rest_surely_pairs(bracket)
    if (surely and len(out) < SLACK) or completion.rest_pairs(bracket, out):
        return pairs, left
    pairs, left, _ = Matching(field, bracket, below=2).pairs()
    return pairs, left


def _in_board_order(field: Field, pairs: Sequence[tuple[int, int]], left: Sequence[int]) -> Pairs:
    """Seats the pairs, the highest points first (C.04.2, 3.6); the bye is last."""
    entries = field.entries
    seated: list[tuple[tuple[int, int, int], tuple[int, int]]] = []
    for one, other in pairs:
        white, black = white_first(entries[one], entries[other], field.initial_colour)
        seated.append((board_order(white, black), (white.number, black.number)))
    rest = [(entries[index].number, 0) for index in left]
    return (*(numbers for _, numbers in sorted(seated)), *rest)


def board_order(one: Entry, other: Entry) -> tuple[int, int, int]:
    """Returns what boards are ordered by, the first one least (C.04.2, 3.6)."""
    higher, lower = sorted((one, other), key=lambda entry: (-entry.points, entry.order))
    return -higher.points, -lower.points, higher.order

"""Sums over the matches of each pairing, from all matches at once."""

from __future__ import annotations

from collections.abc import Iterable

from arena_results.schema.rows import MatchRow, PairingSums
from arena_results.store.sums import add_up


def sums_of(matches: Iterable[MatchRow], mirrored: bool) -> dict[tuple[int, int], PairingSums]:
    """Returns the sums of matches."""
    found: dict[tuple[int, int], PairingSums] = {}
    add_up(found, matches, mirrored)
    return {board: found[board] for board in sorted(found)}

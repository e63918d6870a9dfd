"""Estimates and sequential tests from counts of results only, as values and documents."""

from __future__ import annotations

from collections.abc import Sequence
from operator import index
from typing import SupportsIndex

import msgspec
from arena_results.ratings.comparing.sequential import Evidence
from arena_results.ratings.intervals.statistics import Estimate

from arena.core.errors import BadInput
from arena.service.answers.rows import Document

MAX_COUNT = 10**12
"""The largest count that is read."""


def read_counts(
    wdl: Sequence[SupportsIndex] | None, pentanomial: Sequence[SupportsIndex] | None
) -> tuple[int, ...]:
    """Checks counts; one of both is given.

    Args:
        wdl: Matches won, drawn and lost.
        pentanomial: Mirrored pairs with 0, 1/2, 1, 3/2 and 2 points: LL, LD, MID, WD, WW.

    Returns:
        The counts by points, the fewest points first: lost, drawn, won; or those of pairs.

    Raises:
        BadInput: There are none or both, or they are no counts.
    """
    if wdl is not None and pentanomial is None:
        won, drawn, lost = _checked("wdl", ("W", "D", "L"), wdl)
        return (lost, drawn, won)
    if pentanomial is not None and wdl is None:
        return _checked("pentanomial", ("LL", "LD", "MID", "WD", "WW"), pentanomial)
    given = "not both" if wdl is not None else "but none is given"
    raise BadInput(f"counts are either wdl (W D L) or pentanomial (LL LD MID WD WW), {given}")


def _checked(name: str, cells: Sequence[str], counts: Sequence[SupportsIndex]) -> tuple[int, ...]:
    if not isinstance(counts, Sequence) or len(counts) != len(cells):
        raise BadInput(f"{name}: expected {len(cells)} counts ({' '.join(cells)}), not {counts!r}")
    for cell, count in zip(cells, counts, strict=True):
        if not isinstance(count, SupportsIndex) or not 0 <= index(count) <= MAX_COUNT:
            raise BadInput(
                f"{name}: {cell} must be a whole number from 0 to {MAX_COUNT:,}, not {count!r}"
            )
    if not any(counts):
        raise BadInput(f"{name}: all counts are 0; at least one result is needed")
    return tuple(map(index, counts))


def elo_document(estimate: Estimate) -> Document:
    """The JSON document of ``arena elo``."""
    return msgspec.structs.asdict(estimate)


def sprt_document(evidence: Evidence) -> Document:
    """The JSON document of ``arena sprt``."""
    return {
        "llr": evidence.llr,
        "lower": evidence.lower,
        "upper": evidence.upper,
        "decision": evidence.decision.value,
    }

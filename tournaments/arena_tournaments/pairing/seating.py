"""Counts bots of one author who have to sit at one table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence


def crowded_authors(authors: Sequence[str], sizes: Sequence[int]) -> dict[str, int]:
    """Returns the authors with more bots than there are tables, and how many bots each has.

    Args:
        authors: The author of each entrant; empty where none is known.
        sizes: The sizes of a round's tables.
    """
    counts = Counter(author for author in authors if author)
    return {author: count for author, count in counts.items() if count > len(sizes)}

"""The rank of a hand as a value; it stands apart from what ranks hands, which is compiled."""

from __future__ import annotations

import msgspec


class Value(msgspec.Struct, frozen=True, gc=False):
    """The rank of a hand.

    Attributes:
        key: Higher is better, equal is tied, within one ruleset and variant; before the upsets
            of I5 that depend on the other hands (``tied_pure`` and ``two_idiots``).
        category: One of ``CATEGORIES`` (``ranking``).
        total: The total with the fives at their best; ``None`` for a combination.
        strength: 0..22 for points, 23 for everything better, 0 for a bomb.
    """

    key: tuple[int, ...]
    category: str
    total: int | None
    strength: int

    @property
    def bomb(self) -> bool:
        """True if the hand loses whatever the others hold (004:132-136)."""
        return self.category == "bomb"

"""Odds of a position, as games compute them."""

from __future__ import annotations

import msgspec


class Odds(msgspec.Struct, frozen=True):
    """The odds of one outcome.

    Attributes:
        event: The event that is asked about, such as ``"next card"`` or an action.
        outcome: One of its outcomes.
        odds: The probability of that, 0..1.
        approximate: Whether it is not exact.
    """

    event: str
    outcome: str
    odds: float
    approximate: bool = False

"""Collects the matches of a run that are void, while the others are played."""

from __future__ import annotations

from arena.core.errors import HarnessFault

MAX_VOID = 20
"""Void matches after which no other is tried."""


class VoidMatches:
    """Collects a line for each match of a run that is void.

    Attributes:
        lines: The lines.
    """

    def __init__(self) -> None:
        self.lines: list[str] = []

    def add(self, match: str, tries: int, reason: str) -> None:
        """Adds a match that was void at each of its tries, with the last reason."""
        self.lines.append(f"{match} was void {tries} times: {reason}")

    @property
    def full(self) -> bool:
        """True if so few matches count that none is tried any more."""
        return len(self.lines) >= MAX_VOID

    def check(self) -> None:
        """Checks that no match is void.

        Raises:
            HarnessFault: One is; its line is shown with the number of the others.
        """
        if self.lines:
            others = len(self.lines) - 1
            more = f"; so were {others} others" if others else ""
            raise HarnessFault(f"{self.lines[0]}{more}")

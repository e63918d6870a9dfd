"""Where played matches go."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from arena.core.record import PlayedMatch


class RecordSink(Protocol):
    """Takes played matches; a match counts only when ``write`` has returned."""

    async def write(self, matches: Sequence[PlayedMatch]) -> None:
        """Keeps them for good, each exactly once."""

"""The interface to which played matches are delivered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from arena.core.record import PlayedMatch


class RecordSink(Protocol):
    """Takes played matches; a match counts only when ``write`` has returned."""

    async def write(self, matches: Sequence[PlayedMatch]) -> None:
        """Stores them permanently, each exactly once."""

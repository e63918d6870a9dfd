"""Feeds hand matches to a host, and take what has become of each."""

from __future__ import annotations

import math
from collections.abc import Sequence
from time import perf_counter
from typing import Protocol

from arena.core.errors import HarnessFault
from arena.core.record import PlayedMatch
from arena.core.tournaments.format import Job

FIRST_WINDOW = 8
"""Matches in progress at first, until it is known how fast they go."""
DRAIN_SECONDS = 0.5
"""About how long it may take to finish what is in progress once the time is up."""


class Feed(Protocol):
    """Hands out the matches that a host plays.

    Attributes:
        look_seconds: Seconds after which the host asks again when nothing has happened.
    """

    look_seconds: float

    @property
    def over(self) -> bool:
        """True if no further match will begin."""

    @property
    def stopped(self) -> bool:
        """True if the matches in progress have to end at once."""

    def take(self, running: int) -> tuple[int, Job] | None:
        """Returns the next match with a number for it; ``None`` if none is to begin now.

        Args:
            running: Number of matches in progress.
        """

    def played(self, number: int, match: PlayedMatch) -> None:
        """Takes a match that was played to its end."""

    def failed(self, number: int, fault: HarnessFault) -> None:
        """Takes a match that does not count; may raise the fault to give up all the others."""


class ChunkFeed:
    """Hands out the matches of a chunk, until its time is up; a fault ends it.

    Args:
        jobs: The matches.
        seconds: Seconds in which matches begin.
        most: Most matches in progress.
        window: How many of them at first.
        scheduled: Whether they are played in the order of the jobs, and not turn by turn: so half
            of the processes, or a third at tables of three, share all matches in progress, in
            larger batches.

    Attributes:
        window: Matches in progress at present: as many as ``DRAIN_SECONDS`` are enough for.
    """

    look_seconds = math.inf
    stopped = False

    def __init__(
        self, jobs: Sequence[Job], seconds: float, most: int, window: int, *, scheduled: bool
    ) -> None:
        self._jobs, self._most, self.window = jobs, most, window
        self._began = perf_counter()
        self._ends = self._began + seconds
        places = range(len(jobs))
        self._order: Sequence[int] = places
        if not scheduled:
            self._order = sorted(places, key=lambda place: turn_of(jobs[place]))
        self._begun = 0
        self._played: dict[int, PlayedMatch] = {}

    @property
    def over(self) -> bool:
        """True if none is in progress: the first begin at once, and more while they are played."""
        return True

    def take(self, running: int) -> tuple[int, Job] | None:
        """Returns the next match; see ``Feed``."""
        if self._begun == len(self._order):
            return None
        if done := len(self._played):
            rate = done / (perf_counter() - self._began)
            self.window = max(FIRST_WINDOW, min(self._most, int(rate * DRAIN_SECONDS)))
        if running >= self.window or (self._begun and perf_counter() > self._ends):
            return None
        place = self._order[self._begun]
        self._begun += 1
        return place, self._jobs[place]

    def played(self, number: int, match: PlayedMatch) -> None:
        """Keeps a match."""
        self._played[number] = match

    def failed(self, number: int, fault: HarnessFault) -> None:
        """Raises the fault."""
        raise fault

    def in_order(self) -> list[PlayedMatch]:
        """Returns the matches that were played, in the order of the jobs."""
        return [self._played[place] for place in sorted(self._played)]


def turn_of(job: Job) -> int:
    """Returns the turn of a match in its mirrored set, from 0: it decides the seating."""
    return (job.key.leg - 1) % len(job.seats)

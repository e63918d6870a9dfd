"""The contract of executors: where the matches of a tournament are played."""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Protocol, TypeAlias

import msgspec

from arena.core.record import PlayedMatch
from arena.core.tournaments.format import Job

if TYPE_CHECKING:
    import trio


class Executor(Protocol):
    """Plays jobs, in any order and at any place."""

    async def play(
        self, jobs: Sequence[Job], deliver: trio.MemorySendChannel[list[PlayedMatch]]
    ) -> None:
        """Plays every job and delivers each match once, before it returns."""


class Pace(msgspec.Struct):
    """The pace of a running tournament; its organiser may change it while it runs.

    Attributes:
        concurrency: Chunks of matches to play at a time.
        pausing: Whether no further match is to begin. An executor that does not look plays on to
            the end of the round.
        recalled: Whether an organiser's decision was made: the matches in progress are the last
            until the field is read again.
        deciding: Whether no further match is to begin for a moment, while it is decided who plays.
        waiting: Whether it pauses because an open-ended format has nothing to pair.
        last_round: The tournament pauses when a round of this number or a higher is finished: 0
            stands for the running one.
        sent: Number of matches that an executor has sent out and not got back, at most.
        stored: Number of matches that were stored in this run.
        seconds: Time of each entry of the field in a match, as an executor notes it: that of its
            last match, or half of what was noted before if that is more.
    """

    concurrency: int = 1
    pausing: bool = False
    waiting: bool = False
    recalled: bool = False
    deciding: bool = False
    last_round: int | None = None
    sent: int = 0
    stored: int = 0
    seconds: dict[int, float] = {}

    @property
    def holding(self) -> bool:
        """True if no further match is to begin now, for whatever reason."""
        return self.pausing or self.recalled

    def request(self, pause: str, concurrency: int | None) -> None:
        """Takes a stored request: a pause after the ``match`` or ``round``, another concurrency."""
        self.pausing = self.pausing or pause == "match"
        if pause == "round" and self.last_round is None:
            self.last_round = 0
        self.concurrency = concurrency or self.concurrency

    def pauses_after(self, round: int) -> bool:
        """True if no round is to follow that of this number."""
        return self.pausing or (self.last_round is not None and round >= self.last_round)


ReportVoid: TypeAlias = Callable[[Sequence[Job], str], Awaitable[object]]
"""Takes matches that the harness failed, and the reason in one line."""


async def unreported(jobs: Sequence[Job], reason: str) -> None:
    """Reports void matches to nobody."""


class Work(msgspec.Struct, frozen=True, kw_only=True):
    """All that an executor needs to play the matches of one tournament.

    Attributes:
        play: Plays jobs under a setup until that many seconds are over: a top-level function that
            other processes can import. Jobs and matches are bytes: ``arena.core.tournaments.wire``.
        setup: The first argument of ``play``: what the tournament's matches have in common.
        pace: Changes while the tournament runs; to be checked before a chunk is sent.
        start_worker: Readies a new worker process, before it plays.
        describe: The name of a match in errors.
        patience: Seconds after which a worker that has not answered has failed: more than it may
            take to start and to play one match.
        report_void: Awaited with matches that the harness failed, before they are played again.
    """

    play: Callable[[bytes, bytes, float], bytes]
    setup: bytes
    pace: Pace
    start_worker: Callable[[], bool]
    describe: Callable[[Job], str] = lambda job: f"match {job.key}"
    patience: float = math.inf
    report_void: ReportVoid = unreported

    @property
    def concurrency(self) -> int:
        """Number of chunks of matches to play at a time, at present."""
        return self.pace.concurrency


class ExecutorKind(Protocol):
    """A kind of executor, by name. Which one plays can never change a result.

    Attributes:
        name: What people type, e.g. ``"local"``.
        summary: One line for lists.
    """

    name: str
    summary: str

    def open(self, work: Work) -> AbstractAsyncContextManager[Executor]:
        """Opens an executor for one tournament; the end of the context ends its processes."""

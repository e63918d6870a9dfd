"""The contract of executors: where the matches of a tournament are played."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Protocol

import msgspec

from arena.core.record import PlayedMatch
from arena.core.tournament import Job

if TYPE_CHECKING:
    import trio


class Executor(Protocol):
    """Plays jobs, in any order and at any place."""

    async def play(
        self, jobs: Sequence[Job], deliver: trio.MemorySendChannel[list[PlayedMatch]]
    ) -> None:
        """Plays every job and delivers each match once, before it returns."""


class Work(msgspec.Struct, frozen=True, kw_only=True):
    """All that an executor needs to play the matches of one tournament.

    Attributes:
        play: Plays jobs under a setup until so many seconds are over: a top-level function that
            other processes can import. Jobs and matches are bytes (``arena.core.wire``).
        setup: The first argument of ``play``: what the tournament's matches have in common.
        concurrency: Chunks of matches to play at a time.
        start_worker: Readies a new worker process, before it plays.
        describe: The name of a match in errors.
        patience: Seconds after which a worker that has not answered has failed: more than it may
            take to start and to play one match.
    """

    play: Callable[[bytes, bytes, float], bytes]
    setup: bytes
    concurrency: int
    start_worker: Callable[[], bool]
    describe: Callable[[Job], str] = lambda job: f"match {job.key}"
    patience: float = math.inf


class ExecutorKind(Protocol):
    """A kind of executor, by name. Which one plays can never change a result.

    Attributes:
        name: What people type, e.g. ``"local"``.
        summary: One line for lists.
    """

    name: str
    summary: str

    def open(self, work: Work) -> AbstractAsyncContextManager[Executor]:
        """Opens an executor for one tournament; leaving the context ends all that it started."""

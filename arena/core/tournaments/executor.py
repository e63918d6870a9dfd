"""The contract of executors: where the matches of a tournament are played."""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Protocol, TypeAlias, TypeVar

import msgspec

from arena.core.errors import HarnessFault
from arena.core.record import PlayedMatch
from arena.core.tournaments.format import Job

if TYPE_CHECKING:
    import trio

OptionsT = TypeVar("OptionsT", bound=msgspec.Struct)
"""The options of a kind of executor."""


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
        forced: Whether it pauses because it cannot go on now: nobody has asked for it.
        enough: A limit of cost with which it continues, if it pauses because of its cost; else 0.
        waiting: Whether it pauses because an open-ended format has nothing to pair.
        last_round: The tournament pauses when a round of this number or a higher is finished: 0
            stands for the running one.
        sent: Number of matches that an executor has sent out and not got back, at most.
        stored: Number of matches that were stored in this run.
        seconds: Time of each entry of the field in a match, as an executor notes it: the
            time of its last match, or half of the time noted before if this is more.
        places: Where an executor plays, in a few words for people; empty for this machine.
        barred: Names of places that sent wrong records: no further chunk is sent there.
        notice: Takes a line about a place, such as why it cannot play, while others play on.
    """

    concurrency: int = 1
    pausing: bool = False
    forced: bool = False
    enough: float = 0.0
    waiting: bool = False
    recalled: bool = False
    deciding: bool = False
    last_round: int | None = None
    sent: int = 0
    stored: int = 0
    seconds: dict[int, float] = {}
    places: str = ""
    barred: set[str] = set()
    notice: Callable[[str], object] = lambda line: None

    @property
    def holding(self) -> bool:
        """True if no further match is to begin now, for whatever reason."""
        return self.pausing or self.recalled

    def note(self, seats: Sequence[int], match: PlayedMatch) -> None:
        """Notes the time of each entry in a match, by its seats."""
        known = self.seconds
        for entry, time in zip(seats, match.measurement.nanoseconds, strict=True):
            known[entry] = max(time / 1e9, known.get(entry, 0.0) / 2)

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


def _no_cargo() -> bytes:
    raise HarnessFault("these matches cannot be played on another machine")


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
        longest: Seconds that a match can take at most, by the limits of its bots.
        report_void: Awaited with matches that the harness failed, before they are played again.
        cargo: Packs the setup for other machines: without a path of this one, with the archives of
            its bots by content hash, the identity of the engine and the isolation level. A place
            unpacks and checks it: ``arena.host.place``.
    """

    play: Callable[[bytes, bytes, float], bytes]
    setup: bytes
    pace: Pace
    start_worker: Callable[[], bool]
    describe: Callable[[Job], str] = lambda job: f"match {job.key}"
    patience: float = math.inf
    longest: float = math.inf
    report_void: ReportVoid = unreported
    cargo: Callable[[], bytes] = _no_cargo

    @property
    def concurrency(self) -> int:
        """Number of chunks of matches to play at a time, at present."""
        return self.pace.concurrency


class NoOptions(msgspec.Struct, frozen=True):
    """The options of an executor that has none."""


class PlaceReport(msgspec.Struct, frozen=True, kw_only=True):
    """One place of an executor, such as a worker of a cluster, as ``arena doctor`` shows it.

    Attributes:
        name: Its name, e.g. the worker's address.
        version: Version of the engine that is installed there; empty if it is not known.
        level: The highest isolation level that holds there.
        slots: Chunks of matches that it plays at a time.
        speed: Its speed, as a share of the reference's; 0 if it was not measured.
        refused: Why it can play nothing, in one line; empty if it can.
    """

    name: str
    version: str = ""
    level: str = ""
    slots: int = 0
    speed: float = 0.0
    refused: str = ""


class ExecutorKind(Protocol[OptionsT]):
    """A kind of executor, by name. Which one plays can never change a result.

    It may also have ``async def places(self, options) -> Sequence[PlaceReport]``, which
    ``arena doctor --executor`` shows.

    Attributes:
        name: What people type, e.g. ``"local"``.
        summary: One line for lists.
        options: Its options: fields annotated with an ``arena.core.options.Option``. People write
            them in brackets: ``"dask(address=tls://host:8786)"``.
    """

    name: str
    summary: str
    options: type[OptionsT]

    def open(self, work: Work, options: OptionsT) -> AbstractAsyncContextManager[Executor]:
        """Opens an executor for one tournament; the end of the context ends its processes."""

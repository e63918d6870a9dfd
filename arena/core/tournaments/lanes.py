"""Sends the matches of a tournament in chunks to the places that play them.

Any executor can be built on it: of worker processes, or of a cluster's workers. The executor has a
chunk played somewhere; which matches, how many at a time and what is played again is decided here.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet

import msgspec
import trio

from arena.core.errors import HarnessFault, PlaceFailed
from arena.core.record import MatchKey, PlayedMatch
from arena.core.tournaments.executor import Work
from arena.core.tournaments.format import Job
from arena.core.tournaments.voids import VoidMatches
from arena.core.tournaments.wire import PlayedChunk, decode_matches, encode

CHUNK_SECONDS = 0.2
"""Seconds that a worker plays on: far more than it costs to send, far less than a person waits."""
FIRST_CHUNK = 1
"""Matches of a first chunk, and of one with a bot that is slow or of which nothing is known."""
DECIDING_SECONDS = 0.01
"""Seconds between two looks at places that are not decided yet."""
TRIES = 3
"""Tries of a match that the harness failed, or by which places failed, before it is void."""
SLOW_SECONDS = 1.0
"""Time of a bot in a match from which on matches of quicker bots come first."""
PAUSE_SECONDS = 0.3
"""Time that a lane waits before a slow chunk, so that the last matches can change the pace."""
NAME_SECONDS = 1.0
"""Seconds that an executor has, after a deadline, to report the place by its name."""
LATE_SECONDS = 10.0
"""Seconds that a worker process may take longer than its matches: it starts, or is busy.

An answer has twice that long, so that the place can say which process failed.
"""
PLACE_TRIES = 8
"""Failures of places in a row, a lane, after which no place is left to play."""
MAX_WAIT_SECONDS = 5.0
"""Most seconds that a lane waits after a place failed; the first wait is a fiftieth of them."""
MAX_AVOID_SECONDS = 60.0
"""Most seconds for which a place that failed is avoided: twice as long each time, from one on."""


class Chunk(msgspec.Struct, frozen=True):
    """Matches that one place plays, one after the other.

    Attributes:
        jobs: The jobs, packed.
        seconds: Seconds in which matches begin; the first one is played in any case.
        patience: Seconds within which the place has to answer. A place that watches its worker
            processes ends one that takes longer.
        deadline: Seconds after which the place itself has failed: it is frozen, or cut off.
        avoid: Names of places that failed lately, or by these matches, or are barred: to be used
            only if there is no other place.
    """

    jobs: bytes
    seconds: float
    patience: float
    deadline: float
    avoid: frozenset[str]


PlayChunk = Callable[[Chunk], Awaitable[PlayedChunk]]
"""Has a chunk played at some place; returns the matches, at least one of them.

Raises:
    PlaceFailed: The place failed, with its name: the matches are played again, elsewhere.
    HarnessFault: The harness failed: the matches are void, and are played again one by one.
    BadPlugin: A bot cannot be loaded: the tournament stops.
"""


class Lanes:
    """Plays jobs chunk by chunk, in as many lanes as there are slots: an ``Executor``.

    A lane sends one chunk and waits for its answer. An executor that knows the place raises
    ``PlaceFailed`` with its name when ``Chunk.deadline`` is over; a second later the lane gives up
    the chunk in any case.

    Args:
        work: The tournament: its pace, the names of its matches, the longest match.
        play_chunk: Has a chunk played.
        slots: Returns the number of chunks that can be played at a time; it may change. By default
            as many as the pace says.
        chunk_seconds: Seconds that a place plays on.
        late_seconds: Seconds that an answer may take longer than its matches; infinite where a
            place always answers, or its end is noticed.
    """

    def __init__(
        self,
        work: Work,
        play_chunk: PlayChunk,
        slots: Callable[[], int] | None = None,
        chunk_seconds: float | None = None,
        late_seconds: float = 2 * LATE_SECONDS,
    ) -> None:
        self._work, self._play_chunk = work, play_chunk
        self._slots = slots or (lambda: work.concurrency)
        self._seconds = CHUNK_SECONDS if chunk_seconds is None else chunk_seconds
        self._late_seconds = late_seconds
        self._pace = work.pace
        self._lanes = 0
        self._slow = self._slow_entries()
        self._tried = set[int]()
        """Entries that are playing a match, and have not finished any."""
        self._failures = _PlaceFailures()
        self._changed = trio.Event()
        """Is set, and replaced, when a lane has put jobs back or has finished a chunk."""
        self._void = VoidMatches()

    async def play(
        self, jobs: Sequence[Job], deliver: trio.MemorySendChannel[list[PlayedMatch]]
    ) -> None:
        """Plays every job exactly once and delivers the matches in chunks, in no fixed order.

        During a pause it returns when the chunks under way are delivered.

        Raises:
            HarnessFault: A match was void again and again; the others' results stand. Or no place
                is left to play.
        """
        waiting = _Waiting(self._quick_first(jobs))
        self._void = VoidMatches()
        async with deliver, trio.open_nursery() as nursery:
            self._pace.sent = self._lanes = 0
            self._open_lanes(nursery, waiting, deliver)
        self._void.check()

    @property
    def _concurrency(self) -> int:
        return max(1, self._slots())

    def _open_lanes(
        self,
        nursery: trio.Nursery,
        waiting: _Waiting,
        deliver: trio.MemorySendChannel[list[PlayedMatch]],
    ) -> None:
        while self._lanes < self._concurrency:
            self._lanes += 1
            nursery.start_soon(self._lane, nursery, waiting, deliver.clone())

    async def _lane(
        self,
        nursery: trio.Nursery,
        waiting: _Waiting,
        deliver: trio.MemorySendChannel[list[PlayedMatch]],
    ) -> None:
        """Sends chunks twice as long as the last played, and returns jobs that had no time.

        Slow ones are sent one by one: nobody can pause in the middle of a chunk.
        """
        size, pace, paused = FIRST_CHUNK, self._pace, False
        async with deliver:
            while (waiting or pace.sent) and not pace.holding and self._lanes <= self._concurrency:
                self._open_lanes(nursery, waiting, deliver)
                if pace.deciding:
                    await trio.sleep(DECIDING_SECONDS)
                    continue
                if not waiting:
                    await self._changed.wait()
                    continue
                if self._is_slow(waiting.first(self._tried)) and not paused:
                    paused = True
                    await trio.sleep(PAUSE_SECONDS)
                    continue
                share = math.ceil(len(waiting) / self._concurrency)
                chunk = self._next_chunk(waiting, min(size, share))
                tried, paused = self._unknown(chunk[0]), False
                self._tried |= tried
                pace.sent += len(chunk)
                size = await self._play(chunk, waiting, deliver)
                if tried:
                    self._tried -= tried
                    waiting.join_again()
                pace.sent -= len(chunk)
                self._wake_others()
            self._lanes -= 1

    def _wake_others(self) -> None:
        """Wakes lanes that have nothing to play: there may be something, or it is the end."""
        self._changed.set()
        self._changed = trio.Event()

    async def _play(
        self,
        chunk: list[Job],
        waiting: _Waiting,
        deliver: trio.MemorySendChannel[list[PlayedMatch]],
    ) -> int:
        """Plays a chunk, and returns jobs that are left; returns the size of the next chunk."""
        slow = self._slow
        try:
            played = await self._send(chunk)
        except PlaceFailed as failed:
            await self._put_back(chunk, failed, waiting)
            return FIRST_CHUNK
        except HarnessFault as fault:
            await self._work.report_void(chunk, str(fault))
            await self._one_by_one(chunk, waiting, deliver)
            return FIRST_CHUNK
        done = {match.key for match in played}
        left = [job for job in chunk if job.key not in done]
        waiting.put_first(left)
        if self._slow - slow or (left and self._slow):
            waiting.reorder(self._quick_first)
        self._wake_others()
        size = FIRST_CHUNK if self._is_slow(chunk[0]) else 2 * len(played)
        await deliver.send(played)
        return size

    async def _put_back(self, chunk: list[Job], failed: PlaceFailed, waiting: _Waiting) -> None:
        """Returns the jobs of a place that failed, but for one that has failed too many places."""
        if self._pace.holding:  # nobody waited for the place: it may not have failed at all
            waiting.put_last(chunk)
            return
        self._failures.add(chunk, failed, self._concurrency)
        if self._failures.single[chunk[0].key] < TRIES:
            waiting.put_last(chunk)
            self._wake_others()
        else:
            await self._work.report_void(chunk, str(failed))
            name = self._work.describe(chunk[0])
            self._void.lines.append(
                f"{name} was void: {TRIES} places failed with it; the last: {failed}"
            )
        await trio.sleep(self._failures.wait_seconds(self._concurrency))

    def _quick_first(self, jobs: Iterable[Job]) -> list[Job]:
        """Returns jobs with slow bots at the end: nobody else waits for them."""
        return sorted(jobs, key=self._is_slow)

    def _is_slow(self, job: Job) -> bool:
        return not self._slow.isdisjoint(job.seats)

    def _unknown(self, job: Job) -> set[int]:
        return {entry for entry in job.seats if entry not in self._pace.seconds}

    def _goes_alone(self, job: Job) -> bool:
        return self._is_slow(job) or job.key in self._failures.single or bool(self._unknown(job))

    def _next_chunk(self, waiting: _Waiting, size: int) -> list[Job]:
        """Takes the next jobs: that many of quick bots, or one of a slow or unknown bot."""
        chunk = [waiting.take(self._tried)]
        if self._goes_alone(chunk[0]):
            return chunk
        while waiting and len(chunk) < size:
            if self._goes_alone(waiting.first(self._tried)):
                break
            chunk.append(waiting.take(self._tried))
        return chunk

    def _note_times(self, chunk: Sequence[Job], played: Sequence[PlayedMatch]) -> None:
        seats = {job.key: job.seats for job in chunk}
        for match in played:
            self._pace.note(seats[match.key], match)
        self._slow = self._slow_entries()

    def _slow_entries(self) -> frozenset[int]:
        known = self._pace.seconds.items()
        return frozenset([entry for entry, seconds in known if seconds >= SLOW_SECONDS])

    def _patience(self, chunk: Sequence[Job]) -> float:
        """Returns the seconds within which a chunk must be answered.

        Those are its seconds and its longest match, as far as its bots are known. A match by which
        a place failed has all the time that the limits of its bots give it.
        """
        known = self._pace.seconds
        if any(job.key in self._failures.single or self._unknown(job) for job in chunk):
            return self._seconds + self._work.longest
        longest = max(sum(known[entry] for entry in job.seats) for job in chunk)
        return self._seconds + min(longest, self._work.longest)

    async def _one_by_one(
        self,
        chunk: list[Job],
        waiting: _Waiting,
        deliver: trio.MemorySendChannel[list[PlayedMatch]],
    ) -> None:
        """Plays each match of a chunk by itself, so that only the guilty one fails again."""
        for number, job in enumerate(chunk, 1):
            try:
                if alone := await self._alone(job):
                    await deliver.send(alone)
            except PlaceFailed as failed:
                waiting.put_last(chunk[number:])
                await self._put_back([job], failed, waiting)
                return

    async def _alone(self, job: Job) -> list[PlayedMatch]:
        """Plays one match; returns none if it is void, while the others go on.

        Raises:
            HarnessFault: Too many are void.
        """
        reason = ""
        for _ in range(TRIES):
            try:
                return await self._send([job])
            except PlaceFailed:
                raise
            except HarnessFault as fault:
                reason = str(fault)
                await self._work.report_void([job], reason)
        self._void.add(self._work.describe(job), TRIES, reason)
        if self._void.full:
            self._void.check()
        return []

    async def _send(self, chunk: list[Job]) -> list[PlayedMatch]:
        patience = self._patience(chunk)
        deadline = patience + self._late_seconds
        avoid = self._failures.to_avoid(chunk, trio.current_time()) | self._pace.barred
        sent = Chunk(encode(chunk), self._seconds, patience, deadline, avoid)
        with trio.move_on_after(deadline + NAME_SECONDS):
            played = _checked(await self._play_chunk(sent), chunk)
            self._note_times(chunk, played)
            self._failures.in_a_row = 0
            return played
        raise PlaceFailed("", f"no answer for {deadline:.3g} s")


class _Waiting:
    """The jobs that are still to play, in order.

    Matches of an entry that another lane tries stand aside while there are others, so that a slow
    one keeps one lane.
    """

    def __init__(self, jobs: Iterable[Job]) -> None:
        self._jobs, self._aside = deque(jobs), deque[Job]()

    def __len__(self) -> int:
        return len(self._jobs) + len(self._aside)

    def first(self, tried: AbstractSet[int]) -> Job:
        """Returns the next job while lanes try these entries."""
        return self._next(tried)[0]

    def take(self, tried: AbstractSet[int]) -> Job:
        """Takes the next job."""
        return self._next(tried).popleft()

    def _next(self, tried: AbstractSet[int]) -> deque[Job]:
        jobs = self._jobs
        while tried and jobs and not tried.isdisjoint(jobs[0].seats):
            self._aside.append(jobs.popleft())
        return jobs or self._aside

    def join_again(self) -> None:
        """Returns the jobs that stood aside to the order."""
        self._jobs.extendleft(reversed(self._aside))
        self._aside.clear()

    def put_first(self, jobs: Sequence[Job]) -> None:
        """Returns jobs that had no time."""
        self._jobs.extendleft(reversed(jobs))

    def put_last(self, jobs: Sequence[Job]) -> None:
        """Returns jobs to the end of the order."""
        self._jobs.extend(jobs)

    def reorder(self, ordered: Callable[[Iterable[Job]], Iterable[Job]]) -> None:
        """Changes the order."""
        self.join_again()
        self._jobs = deque(ordered(self._jobs))


def _checked(answer: PlayedChunk, chunk: Sequence[Job]) -> list[PlayedMatch]:
    """Returns the matches of an answer, which may come from another machine, with their place.

    Raises:
        PlaceFailed: They are not some of the chunk's, each of them once.
    """
    place = answer.place
    try:
        played = decode_matches(answer.matches)
    except msgspec.MsgspecError:
        raise PlaceFailed(place, "sent matches that cannot be read") from None
    seats = {job.key: len(job.seats) for job in chunk}
    for match in played:
        if seats.pop(match.key, None) != len(match.measurement.nanoseconds):
            raise PlaceFailed(place, f"sent match {match.key}, which it was not to play")
    if not played:
        raise PlaceFailed(place, "sent no match")
    if place:
        return [msgspec.structs.replace(match, place=place) for match in played]
    return played


class _PlaceFailures:
    """Counts failures of places, by place and by match.

    Attributes:
        single: Number of places that failed with only that match, by match; 0 where others were
            with it. Such a match is always sent as the only one of its chunk.
        in_a_row: Failures since the last chunk that was played.
    """

    def __init__(self) -> None:
        self.single: dict[MatchKey, int] = {}
        self.in_a_row = 0
        self._of_match: dict[MatchKey, set[str]] = {}
        self._avoided: dict[str, tuple[float, float]] = {}
        """The time until which a place is avoided, and for how many seconds it was, by name."""
        self._reasons: dict[str, str] = {}

    def add(self, chunk: Sequence[Job], failed: PlaceFailed, lanes: int) -> None:
        """Notes a failure.

        Raises:
            HarnessFault: Places have failed so often that none is left to play.
        """
        now = trio.current_time()
        self.in_a_row += 1
        self._reasons[failed.place] = str(failed)
        if self.in_a_row >= PLACE_TRIES * lanes:
            raise HarnessFault(f"no place can play: {'; '.join(self._reasons.values())}")
        for job in chunk:
            self.single[job.key] = self.single.get(job.key, 0) + (len(chunk) == 1)
            self._of_match.setdefault(job.key, set()).add(failed.place)
        until, seconds = self._avoided.get(failed.place, (-math.inf, 0.0))
        if now > until + MAX_AVOID_SECONDS:
            seconds = 0.0  # it has played since
        seconds = min(2 * seconds or 1.0, MAX_AVOID_SECONDS)
        self._avoided[failed.place] = (now + seconds, seconds)

    def to_avoid(self, chunk: Sequence[Job], now: float) -> frozenset[str]:
        """Returns the places that should not play a chunk now."""
        lately = {place for place, (until, _) in self._avoided.items() if now < until}
        return frozenset(lately.union(*(self._of_match.get(job.key, ()) for job in chunk)) - {""})

    def wait_seconds(self, lanes: int) -> float:
        """Returns the seconds that a lane waits until it sends the next chunk."""
        return min(MAX_WAIT_SECONDS * 2.0 ** (self.in_a_row // lanes) / 100, MAX_WAIT_SECONDS)

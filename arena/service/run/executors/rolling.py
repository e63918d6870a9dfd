"""Plays the matches of fields with endpoints: each for itself, many at a time, in this process."""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from functools import partial
from time import monotonic
from typing import TypeAlias

import trio

from arena.core.errors import CostLimit, EndpointFailed, HarnessFault
from arena.core.record import MatchKey, PlayedMatch
from arena.core.tournaments.executor import Work
from arena.core.tournaments.format import Job
from arena.core.tournaments.lanes import TRIES
from arena.core.tournaments.voids import VoidMatches
from arena.host.play.confined import ConfinedHost
from arena.host.play.endpoints import EndpointAccess
from arena.host.play.hosts import open_confined
from arena.plugins.entries import BotSource
from arena.service.setup.resolve import ResolvedTournament

MAX_MATCHES = 1024
"""Most matches in progress: each keeps its state in memory."""
LOOK_SECONDS = 0.05
"""Seconds between two looks at what may have changed: the pace, or the time to try again."""
RETRY_SECONDS = 0.25
"""Seconds until a match is tried again that an endpoint failed, where this names no time."""

MAX_NOTICES = 20
"""Most different lines about failures of endpoints in a run."""
NOTICE_SECONDS = 60.0
"""Seconds after which the same line is said again."""

Tell: TypeAlias = Callable[[Callable[[], Awaitable[object]]], object]
"""Has something awaited in the loop of the runner, in order."""
Deliver: TypeAlias = trio.MemorySendChannel[list[PlayedMatch]]


@asynccontextmanager
async def open_rolling_executor(
    resolved: ResolvedTournament, work: Work
) -> AsyncIterator[RollingExecutor]:
    """Opens an executor that has as many matches in progress as questions may be asked at a time.

    Raises:
        BadPlugin: A trusted bot cannot be loaded, a bot has changed since it was entered, or
            endpoints cannot be asked.
    """
    access = resolved.access
    host = open_confined(resolved.settings(), resolved.bots, resolved.load, access)
    assert access is not None  # the host has refused a field with endpoints without it
    # One thread to the end: processes of bots end with the thread that started them.
    with ThreadPoolExecutor(1) as thread:
        try:
            yield RollingExecutor(host, thread, work, window_of(resolved.bots), access)
        finally:
            thread.submit(host.close).result()


def window_of(bots: Sequence[BotSource]) -> int:
    """Returns how many matches of a field are in progress; a person plays one by one."""
    if any(bot.answered_by == "person" for bot in bots):
        return 1
    return min(MAX_MATCHES, sum(bot.endpoint.parallel for bot in bots if bot.endpoint))


class RollingExecutor:
    """Plays jobs in one host, in a thread of its own: an ``Executor``.

    A match is delivered when it ends, and the next one begins. One that an endpoint failed is set
    aside, and begins again later.
    """

    def __init__(
        self,
        host: ConfinedHost,
        thread: ThreadPoolExecutor,
        work: Work,
        window: int,
        access: EndpointAccess,
    ) -> None:
        self._host, self._thread, self._work = host, thread, work
        self._window, self._access = window, access
        self._noticed = dict[str, float]()

    async def play(self, jobs: Sequence[Job], deliver: Deliver) -> None:
        """Plays every job and delivers each match once.

        During a pause it returns when the matches in progress have ended. If it is cancelled, these
        are given up.

        Raises:
            HarnessFault: Matches were void again and again; the others' results stand.
        """
        token = trio.lowlevel.current_trio_token()
        send, receive = trio.open_memory_channel[Callable[[], Awaitable[object]]](math.inf)
        feed = RollingFeed(
            jobs,
            self._work,
            deliver,
            lambda act: token.run_sync_soon(send.send_nowait, act),
            self._window,
            self._access,
            self._noticed,
        )
        async with deliver, receive, trio.open_nursery() as nursery:
            nursery.start_soon(self._play, feed, send)
            try:
                async for act in receive:
                    await act()
            finally:
                feed.stopped = True  # by now it is over, unless this was cancelled
        feed.void.check()

    async def _play(
        self, feed: RollingFeed, send: trio.MemorySendChannel[Callable[[], Awaitable[object]]]
    ) -> None:
        # It ends by itself, soon after it is stopped.
        with send, trio.CancelScope(shield=True):
            playing = self._thread.submit(self._play_all, feed)
            await trio.to_thread.run_sync(playing.result)

    def _play_all(self, feed: RollingFeed) -> None:
        """Plays on after a failure of the host: its matches begin again."""
        while not (feed.over or feed.stopped):
            try:
                self._host.play_from(feed)
            except HarnessFault as fault:
                feed.lost(fault)


class RollingFeed:
    """Hands out matches as others end; see ``arena.host.play.feeds.Feed``.

    It lives in the thread of the host.

    Args:
        jobs: The matches.
        work: The tournament.
        deliver: Takes the matches that were played, in the loop of the runner.
        tell: Has that done.
        window: Matches in progress.
        access: Asked whether a match may begin, and told when it has ended.
        noticed: The lines that were reported to people, with the time of each.

    Attributes:
        stopped: Whether the matches in progress have to end; set by another thread.
        void: The matches that are void, while the others are played.
    """

    look_seconds = LOOK_SECONDS

    def __init__(
        self,
        jobs: Sequence[Job],
        work: Work,
        deliver: Deliver,
        tell: Tell,
        window: int,
        access: EndpointAccess,
        noticed: dict[str, float],
    ) -> None:
        # Leg by leg: so all pairings, and all endpoints, have something to do.
        self._waiting = deque(sorted(jobs, key=lambda job: job.key.leg))
        self._work, self._pace = work, work.pace
        self._deliver, self._tell, self._window, self._access = deliver, tell, window, access
        self._noticed = noticed
        self._aside: list[tuple[float, Job]] = []
        self._in_progress: dict[int, Job] = {}
        self._begun = 0
        self._voids = Counter[MatchKey]()
        self._losses = 0
        self.stopped = False
        self.void = VoidMatches()
        self._pace.sent = 0

    @property
    def over(self) -> bool:
        """True if nothing is in progress and nothing more will begin."""
        left = self._waiting or self._aside
        return not self._in_progress and (self._pace.holding or not left)

    def take(self, running: int) -> tuple[int, Job] | None:
        """Returns the next match; see ``Feed``."""
        pace = self._pace
        while self._access.notices:
            self._notice(self._access.notices.popleft())
        if pace.pausing:
            self._access.leave()
        if running >= self._window or pace.holding or pace.deciding:
            return None
        self._take_back()
        if not self._waiting:
            return None
        if too_dear := self._access.may_begin(self._waiting[0].key):
            if not self._in_progress:  # else there may be room when one has ended
                self._pause(too_dear)
            return None
        self._begun += 1
        job = self._in_progress[self._begun] = self._waiting.popleft()
        pace.sent += 1
        return self._begun, job

    def played(self, number: int, match: PlayedMatch) -> None:
        """Has a match delivered."""
        job = self._in_progress.pop(number)
        self._access.ended(job.key, True)
        self._losses = 0

        async def deliver() -> None:
            self._pace.note(job.seats, match)
            await self._deliver.send([match])
            self._pace.sent -= 1

        self._tell(deliver)

    def failed(self, number: int, fault: HarnessFault) -> None:
        """Sets a match aside that an endpoint failed, until later; any other one is void."""
        job = self._in_progress.pop(number)
        self._access.ended(job.key, False)
        self._pace.sent -= 1
        if isinstance(fault, EndpointFailed):
            self._set_aside(job, fault)
        else:
            self._tell(partial(self._work.report_void, [job], str(fault)))
            self._play_again(job, str(fault))

    def lost(self, fault: HarnessFault) -> None:
        """Takes back all matches in progress: the host has failed, and none is to blame.

        Raises:
            HarnessFault: It failed again and again, and nothing was played; or endpoints cannot be
                asked at all.
        """
        self._losses += 1
        if self._losses >= TRIES or isinstance(fault, EndpointFailed):
            raise fault
        jobs = [*self._in_progress.values()]
        for job in jobs:
            self._access.ended(job.key, False)
        self._tell(partial(self._work.report_void, jobs, str(fault)))
        self._waiting.extendleft(reversed(jobs))
        self._pace.sent -= len(jobs)
        self._in_progress.clear()

    def _set_aside(self, job: Job, failed: EndpointFailed) -> None:
        wait = RETRY_SECONDS if failed.wait_seconds is None else failed.wait_seconds
        self._aside.append((monotonic() + wait, job))
        if not failed.retry:
            self._pause(failed)
        else:
            self._notice(f"{failed.reason}; a match is set aside, and goes on later")

    def _take_back(self) -> None:
        now = monotonic()
        self._waiting.extend(job for ready, job in self._aside if ready <= now)
        self._aside = [each for each in self._aside if each[0] > now]

    def _play_again(self, job: Job, reason: str) -> None:
        tries = self._voids[job.key] = self._voids[job.key] + 1
        if tries < TRIES:
            self._waiting.append(job)
            return
        self.void.add(self._work.describe(job), TRIES, reason)
        self.stopped = self.stopped or self.void.full

    def _pause(self, failed: EndpointFailed) -> None:
        if not self._pace.pausing:
            self._pace.pausing = self._pace.forced = True
            self._pace.enough = failed.enough if isinstance(failed, CostLimit) else 0.0
            self._notice(f"pausing: {failed.reason}")

    def _notice(self, line: str) -> None:
        """Reports a line to people, and once a minute again."""
        now, last = monotonic(), self._noticed.get(line)
        if last is None:
            quiet = len(self._noticed) >= MAX_NOTICES and not self._pace.pausing
        else:
            quiet = now < last + NOTICE_SECONDS
        if quiet:
            return
        self._noticed[line] = now

        async def notice() -> None:
            self._pace.notice(line)

        self._tell(notice)

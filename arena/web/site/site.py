"""Shares the database, the plugins, and cached answers among all requests."""

from __future__ import annotations

import ctypes
import gc
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager, suppress
from functools import cache, partial
from pathlib import Path
from threading import Lock
from typing import Generic, TypeAlias, TypeVar, cast

import msgspec
import trio
from arena_results.file.changes import Changes
from arena_results.file.database import Database

from arena.plugins.registry import Registry
from arena.service.league.league_queue import Clock, now
from arena.service.league.league_time import SeasonTime
from arena.service.storage.databases import open_database
from arena.web.site.apart import Apart
from arena.web.site.boards import KeptBoards
from arena.web.site.event.event_folder import EventFolder
from arena.web.site.event.events import Events
from arena.web.site.guard.limits import Allowance, SentFiles, Streams
from arena.web.site.guard.pace import Pace
from arena.web.site.guard.settings import Settings

T = TypeVar("T")
Key: TypeAlias = tuple[Callable[..., object], tuple[object, ...]]
"""A function of the site, and its arguments."""
Stamp: TypeAlias = Callable[["Site"], object]
"""Returns the inputs of an answer, as a value that can be compared."""
THREADS = 4
"""Threads that read the database and draw pages at once."""
MAX_KEPT = 128
"""Most cached answers."""
MAX_MADE = 128
"""Most values that are stored with their inputs."""
LARGE_SECONDS = 0.2
"""An answer that took longer to compute has left memory behind that nobody needs."""
PATIENCE = 4.0
"""Age in seconds that an answer may have, per second that it took to compute."""
OUTDATED = 8.0
"""Seconds by which an answer that is computed ahead may be out of date."""
OUTDATED_SECONDS = 10.0
"""Seconds that it may be out of date at most, unless it says so."""
LONG_SECONDS = 0.1
"""Visitors do not wait for an answer that took longer, if an older one can be shown meanwhile."""


class Kept(msgspec.Struct, Generic[T]):
    """A cached answer.

    Attributes:
        version: That of the database before it was computed.
        made: Time at which it was computed.
        took: Seconds that took; half of the time before, if that is more.
        current: When it last matched the database, if it is computed ahead.
        asked: When a visitor last asked for it.
        failed: Whether the last computation failed.
        stamp: Its inputs, where they were asked for.
        lock: Held during the computation, so that others wait for it.
    """

    value: T | None = None
    version: int = -1
    made: float = -1e9
    took: float = 0.0
    current: float = -1e9
    asked: float = -1e9
    failed: bool = False
    stamp: object = None
    lock: trio.Lock = msgspec.field(default_factory=trio.Lock)


class Site:
    """An open database with everything for its pages; ``opened`` makes it.

    Args:
        registry: The plugins, found before threads ask for them.

    Attributes:
        boards: The leaderboards, for threads.
        season: The time of the league's bots, if it runs one.
        events: What organisers have, if the site has any.
        clock: Gives the time, by which a league closes.
        closing: Set when the server ends: streams end then.
    """

    def __init__(
        self,
        settings: Settings,
        registry: Registry,
        database: Database,
        changes: Changes,
        apart: Apart | None,
    ) -> None:
        self.settings, self.registry, self.database = settings, registry, database
        self._changes, self._apart = changes, apart
        self.boards = KeptBoards(registry, database, changes.version, apart)
        self._kept: OrderedDict[Key, Kept[object]] = OrderedDict()
        self._threads = trio.CapacityLimiter(THREADS)
        limits = settings.limits
        self.allowance, self.unsafe, self.answers = (
            Allowance(most) for most in (limits.requests, limits.unsafe, limits.answers)
        )
        self.streams = Streams(settings.limits)
        self.sent = SentFiles(settings.league.limits) if settings.league else None
        self.season = SeasonTime(settings.league.limits.bot_seconds) if settings.league else None
        self.events = _events(settings)
        self.pace = Pace()
        self.clock: Clock = now
        self.closing = trio.Event()
        self._made: OrderedDict[Hashable, object] = OrderedDict()
        self._lock = Lock()

    def version(self) -> int:
        """Returns a number that is another one after every change of what pages show."""
        league, season = self.settings.league, self.season
        changes = self._changes.version() + (season.changes if season else 0)
        if league is None or league.final is None:
            return changes
        shown = league.final.at - league.final.left(self.clock())  # grows as the time goes on
        return changes + max(0, int(shown.timestamp() // 60)) + league.final.is_due(self.clock())

    def keep(self, key: Hashable, make: Callable[[], T]) -> T:
        """Returns a value that follows from its key and its maker, made once; for threads."""
        with self._lock:
            if key in self._made:
                self._made.move_to_end(key)
                return cast("T", self._made[key])
        found = make()
        with self._lock:
            self._made[key] = found
            while len(self._made) > MAX_MADE:
                self._made.popitem(last=False)
        return found

    async def work(self, function: Callable[..., T], *args: object) -> T:
        """Runs a function in a thread, which continues if its request is cancelled."""
        return await trio.to_thread.run_sync(
            partial(function, *args), limiter=self._threads, abandon_on_cancel=True
        )

    def compute(self, function: Callable[..., T], *args: object) -> T:
        """Returns the result of a module's function of plugins, which may take much memory; for
        threads.

        All arguments can be pickled.
        """
        if self._apart is None:
            return function(self.registry, *args)
        return cast("T", self._apart.run(_compute_apart, function, *args))

    def run(self, function: Callable[..., T], *args: object) -> T:
        """Returns what a function of plugins and database gives, as ``compute`` does."""
        if self._apart is None:
            return function(self.registry, self.database, *args)
        return cast("T", self._apart.run(_run_apart, self.database.url, function, *args))

    async def ask(self, function: Callable[..., T], *args: object, stamp: Stamp | None = None) -> T:
        """Returns the result of a function of the site and hashable arguments, perhaps from the
        cache.

        A cached answer serves until the database changes, and a slow one for some time after that.
        So computing never takes most of the machine's time. Visitors get the last answer while the
        next is computed ahead of them.

        Args:
            stamp: Quickly returns the inputs of the answer, which is only computed if they differ.
        """
        kept = self._asked((function, args))
        if self._may_be_outdated(kept):
            await self._compute(kept, function, args, stamp)
        return cast("T", kept.value)

    async def ask_at_once(self, function: Callable[..., T], *args: object) -> tuple[T, bool]:
        """Returns the answer of ``ask`` or, if that would take long, an older one; and which it is.

        The caller makes ``keep_current`` compute the answer soon.
        """
        kept = self._asked((function, args))
        if (
            kept.value is not None
            and kept.took > LONG_SECONDS
            and not kept.failed
            and kept.version != self.version()
            and self._may_be_outdated(kept)
        ):
            return cast("T", kept.value), True
        return await self.ask(function, *args), False

    def _asked(self, key: Key) -> Kept[object]:
        kept = self._entry(key)
        kept.asked = trio.current_time()
        return kept

    def _may_be_outdated(self, kept: Kept[object]) -> bool:
        """Returns whether an answer was not known as current for some time."""
        allowed = min(OUTDATED * kept.took, OUTDATED_SECONDS)
        return trio.current_time() >= kept.current + allowed

    async def prepare(
        self, function: Callable[..., object], *args: object, stamp: Stamp | None = None
    ) -> bool:
        """Computes an answer ahead of visitors, and returns whether it is current.

        A slow one that was computed just before the change is not. The stamp is as for ``ask``.
        """
        kept = self._entry((function, args))
        await self._compute(kept, function, args, stamp)
        return kept.version == self.version()

    def _entry(self, key: Key) -> Kept[object]:
        kept = self._kept.setdefault(key, Kept())
        self._kept.move_to_end(key)
        while len(self._kept) > MAX_KEPT:
            self._kept.popitem(last=False)
        return kept

    async def keep_current(self, wanted: Callable[..., bool], since: float) -> None:
        """Computes cached answers again, once the database has changed, before visitors ask.

        Args:
            wanted: Whether an answer is computed so, by the function and its arguments.
            since: Time of the last request before which an answer is left alone.
        """
        version = self.version()
        for (function, args), kept in [*self._kept.items()]:
            if not wanted(function, *args):
                continue
            if kept.version == version:
                kept.current = trio.current_time()
            elif kept.asked >= since:
                await self._compute(kept, function, args)

    async def _compute(
        self,
        kept: Kept[object],
        function: Callable[..., object],
        args: tuple[object, ...],
        stamp: Stamp | None = None,
    ) -> None:
        """Computes an answer, unless it is current, or slow and not old."""
        async with kept.lock:
            version, begun = self.version(), trio.current_time()
            if kept.version != version and begun >= kept.made + PATIENCE * kept.took:
                found = await self.work(stamp, self) if stamp else None
                if found is not None and found == kept.stamp:
                    kept.version = version
                    return
                kept.failed = True
                kept.value = await self.work(function, self, *args)
                kept.failed, kept.stamp = False, found
                kept.version, kept.made = version, trio.current_time()
                kept.took = max(kept.made - begun, kept.took / 2)
                if kept.current >= 0:
                    kept.current = begun
                if kept.took > LARGE_SECONDS:
                    await self.work(give_back)


def _events(settings: Settings) -> Events | None:
    if settings.organise is None:
        return None
    return Events(EventFolder(Path(settings.organise)), settings.db)


def _compute_apart(function: Callable[..., T], *args: object) -> T:
    return function(_plugins(), *args)


@cache
def _plugins() -> Registry:
    return Registry()


def _run_apart(url: str, function: Callable[..., T], *args: object) -> T:
    with open_database(url) as database:
        return function(_plugins(), database, *args)


def load_apart() -> None:
    """Loads numpy, the plugins, and values of positions once for other processes.

    Values of some games take 0.1 s to compute, and 6 MB.
    """
    import arena_results.ratings.systems.joint_board  # noqa: F401  # numpy

    for game in _plugins().games():
        with suppress(Exception):  # what fails is left to whoever asks for it
            rules = game.ruleset()
            game.luck.value_function(rules)
            game.luck.decision_values(rules)


def give_back() -> None:
    """Gives memory that is free back to the system, where the C library does so when asked."""
    gc.collect()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


@contextmanager
def opened(settings: Settings, apart: Apart | None = None) -> Iterator[Site]:
    """Opens the database of a site, which is made if it is missing.

    Args:
        apart: Runs tasks in other processes; without it they run here.

    Raises:
        BadStore: It cannot be used as it is: the message says what to do.
    """
    registry = Registry()
    registry.games(), registry.formats(), registry.bots()
    registry.rating_system("joint")
    with open_database(settings.db, create=True) as database, Changes(database) as changes:
        yield Site(settings, registry, database, changes, apart)

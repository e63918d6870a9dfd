"""Measures how fast tournaments are played, while somebody looks, and how much time is left."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable
from threading import Lock
from time import monotonic

import msgspec

MEMORY = 60.0
"""Seconds over which a rate is the mean."""
MIN_SECONDS = 3.0
"""Seconds that a rate needs at least."""
MAX_SEEN = 100
"""Tournaments that are remembered."""
MAX_PARTS = 4
"""Parts of a tournament of which ends are remembered."""
SHARE, LEAST = 0.5, 20.0
"""By what share of itself, and how many seconds, an estimate differs before it replaces the time
that is counted down: smaller changes would only make it jump."""
DRIFT = 0.4
"""Share by which a countdown runs faster or slower than a clock, to meet estimates."""


class Speed(msgspec.Struct, frozen=True):
    """The speed of a tournament.

    Attributes:
        rate: Matches per second; ``None`` while it is being measured.
        left: Seconds that are left; ``None`` while that is not known.
    """

    rate: float | None = None
    left: float | None = None


class Counted(msgspec.Struct, frozen=True):
    """A time that is counted down: when it ends, and when it was shown last."""

    end: float
    shown: float


class _Seen:
    """The counts of a tournament's stored matches with their times, and when its parts end."""

    def __init__(self) -> None:
        self.stored: deque[tuple[float, int]] = deque()
        self.ends: dict[object, Counted] = {}


class Pace:
    """Remembers how many matches of a tournament were stored when.

    Args:
        clock: Gives the time in seconds.
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._seen: OrderedDict[int, _Seen] = OrderedDict()
        self._lock = Lock()

    def of(self, tournament: int, matches: int, left: int, part: object = None) -> Speed:
        """Returns the speed of a tournament, and the time left of it or of a part of it.

        The time runs down like a clock; another estimate replaces it only if it differs a lot.

        Args:
            matches: Number of stored matches.
            left: Number of matches that are left, of the part.
            part: Identifies the part, such as a round.
        """
        now = self._clock()
        with self._lock:
            seen = self._seen.setdefault(tournament, _Seen())
            self._seen.move_to_end(tournament)
            if len(self._seen) > MAX_SEEN:
                self._seen.popitem(last=False)
            rate = _rate(seen.stored, now, matches)
            if rate is None:
                return Speed()
            return Speed(rate, _left(seen.ends, part, now, left / rate))


def _rate(stored: deque[tuple[float, int]], now: float, matches: int) -> float | None:
    stored.append((now, matches))
    while stored[0][0] < now - MEMORY:
        stored.popleft()
    begun, before = stored[0]
    if now - begun < MIN_SECONDS or matches <= before:
        return None
    return (matches - before) / (now - begun)


def _left(ends: dict[object, Counted], part: object, now: float, estimate: float) -> float:
    """Returns the time that is counted down, which begins again where the estimate is far off."""
    known = ends.pop(part, None)
    left = estimate
    if known:
        counted, most = known.end - now, DRIFT * (now - known.shown)
        off = estimate - counted
        if abs(off) <= max(SHARE * max(counted, estimate), LEAST):
            left = max(0.0, counted + min(max(off, -most), most))
    ends[part] = Counted(now + left, now)
    if len(ends) > MAX_PARTS:
        del ends[next(iter(ends))]
    return left


def clock(seconds: float) -> str:
    """Returns a time as a clock shows it: ``6:40``, or ``1:06:40``."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"

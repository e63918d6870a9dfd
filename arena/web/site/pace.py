"""Measures how fast tournaments are played, while somebody looks."""

from __future__ import annotations

from collections import OrderedDict, deque
from threading import Lock
from time import monotonic

MEMORY = 60.0
"""Seconds over which a rate is the mean."""
MIN_SECONDS = 1.0
"""Seconds that a rate needs at least."""
MAX_SEEN = 100
"""Tournaments that are remembered."""


class Pace:
    """Remembers how many matches of a tournament were stored when."""

    def __init__(self) -> None:
        self._seen: OrderedDict[int, deque[tuple[float, int]]] = OrderedDict()
        self._lock = Lock()

    def of(self, tournament: int, matches: int, total: int) -> tuple[str, str]:
        """Returns the rate and the remaining time in words, by stored and expected matches."""
        rate = self.rate(tournament, matches)
        if not rate:
            return "being measured", "being measured"
        shown = f"{rate:.0f} matches a second" if rate >= 10 else f"{rate:.2g} matches a second"
        return shown, duration((total - matches) / rate)

    def rate(self, tournament: int, matches: int) -> float:
        """Returns the matches a second, by the stored ones; 0 as long as nobody knows it."""
        now = monotonic()
        with self._lock:
            seen = self._seen.setdefault(tournament, deque())
            self._seen.move_to_end(tournament)
            if len(self._seen) > MAX_SEEN:
                self._seen.popitem(last=False)
            seen.append((now, matches))
            while seen[0][0] < now - MEMORY:
                seen.popleft()
            begun, before = seen[0]
        return (matches - before) / (now - begun) if now - begun >= MIN_SECONDS else 0.0


def clock(seconds: float) -> str:
    """Returns a time as a clock shows it: ``6:40``, or ``1:06:40``."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def duration(seconds: float) -> str:
    """Returns a time in words, in its largest two units."""
    whole = round(seconds)
    if whole < 60:
        return f"about {whole} s"
    if whole < 3600:
        return f"about {whole // 60} min {whole % 60} s"
    return f"about {whole // 3600} h {whole % 3600 // 60} min"

"""Ends a check of a game after some processor time, and says what it was at most of the time."""

from __future__ import annotations

import signal
from collections import Counter
from types import CodeType, FrameType

from arena.testing.check_game import OutOfTime
from arena_openspiel.game import SpielGame
from arena_openspiel.state import SpielState

_TICK = 0.05
"""Seconds of processor time between two looks."""
_WORK: dict[CodeType, str] = {
    SpielGame.resample.__code__: "the drawing of worlds that fit what a seat saw",
    SpielState.known.__code__: "the comparison of what seats see of each action",
    SpielState.legal_actions.__code__: "the texts of legal actions",
    SpielState.apply_action.__code__: "the moves themselves",
}
"""Names of work, by the function that does it."""
_REST = "other tests"


class Watch:
    """Looks at the main thread again and again, and raises ``OutOfTime`` in it at the end.

    Args:
        seconds: Processor time until then.

    Attributes:
        over: Whether the time was up.
    """

    def __init__(self, seconds: float) -> None:
        self.over = False
        self._left = round(seconds / _TICK)
        self._looks: Counter[str] = Counter()
        signal.signal(signal.SIGPROF, self._look)
        signal.setitimer(signal.ITIMER_PROF, _TICK, _TICK)

    def stop(self) -> None:
        """Lets the process go on without it."""
        signal.setitimer(signal.ITIMER_PROF, 0)

    def most(self) -> str:
        """Returns what most of the looks saw, with its share in percent."""
        [(work, looks)] = self._looks.most_common(1)
        return f"{100 * looks // self._looks.total()} % of the time went into {work}"

    def _look(self, number: int, frame: FrameType | None) -> None:
        work = _REST
        while frame:  # the outermost one counts: what is done to draw a world is part of that
            work = _WORK.get(frame.f_code, work)
            frame = frame.f_back
        self._looks[work] += 1
        self._left -= 1
        if self._left <= 0:
            self.stop()
            self.over = True
            raise OutOfTime

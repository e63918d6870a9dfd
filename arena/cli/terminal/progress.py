"""Draws the progress of a run: live on a terminal, plain lines elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import trio

from arena.cli.terminal.output import say, stderr, table
from arena.core.table import Column, fitted
from arena.service.run.watching.progress import Progress

if TYPE_CHECKING:
    from rich.console import RenderableType

REFRESH_SECONDS = 0.25
"""Interval between two drawings of a live display."""
LINE_SECONDS = 5.0
"""Interval between two plain lines."""
COLUMNS = (
    Column("rank", "#", True),
    Column("name", "bot", drop=0),
    Column("score", "score", True, drop=0),
    Column("match_points", "match points", True),
)


class Display:
    """Draws a run's progress until it is cancelled.

    Args:
        lines: Further lines above the progress; on a terminal they stand for the standings.
        places: Returns where the matches are played, in a few words; empty for this machine.
    """

    def __init__(
        self,
        progress: Progress,
        lines: Callable[[], Sequence[str]] | None = None,
        places: Callable[[], str] = str,
    ) -> None:
        self._progress, self._lines, self._places = progress, lines, places
        self._began = 0.0
        self._note = ""

    async def show(self) -> None:
        """Draws until it is cancelled; the rate counts from here."""
        self._began = trio.current_time()
        if stderr().is_terminal:
            await self._show_live()
        while True:
            await trio.sleep(LINE_SECONDS)
            say("\n".join([*(self._lines() if self._lines else ()), self.line()]))

    async def _show_live(self) -> None:
        from rich.live import Live

        # Drawn by this task alone: rich's own refresh thread would not stop with the nursery.
        with Live(console=stderr(), auto_refresh=False, transient=True) as live:
            while True:
                live.update(self.picture(), refresh=True)
                await trio.sleep(REFRESH_SECONDS)

    def note(self, text: str) -> None:
        """Shows a line below the progress from now on; without a terminal, once."""
        self._note = text
        if not stderr().is_terminal:
            say(text)

    def line(self) -> str:
        """The progress in one line."""
        progress = self._progress
        seconds = trio.current_time() - self._began
        rate = progress.now / seconds if seconds > 0 else 0.0
        done, total = progress.done, progress.total
        left = f"{span_text((total - done) / rate)} left" if rate else "starting"
        losses = ", ".join(f"{cause} {count}" for cause, count in sorted(progress.losses.items()))
        share, places = done / total if total else 1.0, self._places()
        return (
            f"round {progress.round}/{progress.rounds}  matches {done}/{total} ({share:.0%})  "
            f"{_rate(rate)}{f' on {places}' if places else ''}  {left}"
            + (f"  losses: {losses}" if losses else "")
        )

    def picture(self) -> RenderableType:
        """The standings so far over the line, as much as fits the terminal."""
        from msgspec.structs import asdict
        from rich.console import Group
        from rich.text import Text

        if self._lines:
            return Text("\n".join([*self._lines(), self.line(), self._note]).rstrip("\n"))
        fits = max(3, stderr().height - 9 - bool(self._note))
        standings = self._progress.standings()
        rows = [asdict(line) for line in standings[:fits]]
        kept, _ = fitted(COLUMNS, rows, stderr().width)
        rest = [Text(f"   +{len(standings) - fits} more")] if len(standings) > fits else []
        lines = [Text(line) for line in (self.line(), self._note) if line]
        return Group(table(kept, rows), *rest, *lines)


def _rate(a_second: float) -> str:
    """A number of matches per second, or of a longer time in which there is one at least."""
    for seconds, unit in ((1, "s"), (60, "min")):
        if a_second * seconds >= 1 or not a_second:
            return f"{a_second * seconds:.0f}/{unit}"
    return f"{a_second * 3600:.0f}/h"


def span_text(seconds: float) -> str:
    """A length of time for people."""
    whole = max(0, round(seconds))
    hours, minutes = whole // 3600, whole // 60 % 60
    return f"{hours}:{minutes:02}:{whole % 60:02}" if hours else f"{minutes}:{whole % 60:02}"

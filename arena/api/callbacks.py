"""The keys, bots and callbacks that a Python program gives to a tournament."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from pathlib import Path

from arena_tournaments.spec.keys import load_keys, overrule

from arena.api.calls import warn
from arena.api.keys import TournamentKeys
from arena.service.answers.arguments import text
from arena.service.lookup.python_bots import AnyBot, LocalBot, named_bots
from arena.service.run.events import OnEvent
from arena.service.run.progress import OnProgress
from arena.service.run.verbs import Announcement, Attendance, Began, Resumed


def chosen_keys(
    bots: Sequence[AnyBot], file: str | PathLike[str] | None, keys: TournamentKeys
) -> tuple[dict[str, object], list[LocalBot], str]:
    """The keys of a new tournament, its bots of this program, and what to call it in errors."""
    names, local = named_bots(bots)
    where = text("file", file) if file else ""
    given = {**keys, "bots": names} if names else dict(keys)
    return overrule(load_keys(Path(where)) if where else {}, given), local, where or "arguments"


class Callbacks(Attendance):
    """Calls the functions of a Python program while a tournament is played.

    Args:
        on_progress: Called after every event.
        on_event: Called with every event.
    """

    def __init__(
        self, on_progress: OnProgress | None = None, on_event: OnEvent | None = None
    ) -> None:
        self.on_progress, self.on_event = on_progress, on_event

    def warn(self, line: str) -> None:
        warn(line)

    def announce(self, announcement: Announcement) -> None:
        if isinstance(announcement, Began | Resumed):
            resolved = announcement.run.resolved
            if resolved.seeds_warning:
                warn(resolved.seeds_warning)

"""Messages of a match to the screen on which a person plays it."""

from __future__ import annotations

from textual.message import Message

from arena.service.match.person import Request
from arena.service.match.replays import Match
from arena.service.run.run import Run


class Began(Message):
    """The match is stored, and begins."""

    def __init__(self, run: Run) -> None:
        super().__init__()
        self.run = run


class Asked(Message):
    """The match asks the person."""

    def __init__(self, request: Request) -> None:
        super().__init__()
        self.request = request


class Ended(Message):
    """The match is over, or failed."""

    def __init__(self, match: Match | None, error: BaseException | None = None) -> None:
        super().__init__()
        self.match, self.error = match, error

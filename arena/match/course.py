"""The course of one match so far: its answers, and the time that its seats took for them."""

from __future__ import annotations

from typing import Any

from arena.match.clock import Clock
from arena.match.limits import Limits


class Course:
    """The answers of a match, by which another referee arrives at the same request.

    Attributes:
        clock: The time that each seat took, and its number of requests.
        answers: The answer to each request, in order. An answer that broke the rules or a limit is
            replaced by its ``Failure``, so that no times need to be stored.
    """

    __slots__ = ("answers", "clock")

    def __init__(self, limits: Limits, seats: int) -> None:
        self.clock = Clock(limits, seats)
        self.answers: list[Any] = []  # compiled, a list of a type would have each checked

"""The course of one match so far: its answers, and the time that its seats took for them."""

from __future__ import annotations

from typing import Any

from arena.match.clock import Clock
from arena.match.limits import Limits


class Course:
    """All that a referee was answered; answered the same again, another one asks the same again.

    Args:
        limits: The limits of each seat.
        seats: Their number.

    Attributes:
        clock: The time that each seat took, and its number of requests.
        answers: The answer to each request, in order. In place of one that broke the rules or a
            limit, where the match goes on after it, stands the ``Failure`` that it counts as: so
            no times have to be kept.
    """

    __slots__ = ("answers", "clock")

    def __init__(self, limits: Limits, seats: int) -> None:
        self.clock = Clock(limits, seats)
        self.answers: list[Any] = []  # compiled, a list of a type would have each checked

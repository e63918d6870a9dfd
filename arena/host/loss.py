"""How a bot's process was lost: the cause, and one line of why."""

from __future__ import annotations

import signal
from collections.abc import Sequence

from arena.core.outcome import Termination
from arena.host.messages import Answer

LAST_WORDS_SECONDS = 0.05
"""How long a process that hung up may take to end by itself, so that one can say how."""
UNASKED = "it answered something that it was not asked"


class ProcessLost(Exception):
    """A bot's process was lost while it was asked; it was killed, if it had not ended.

    Args:
        cause: What it did: an adjudicated termination.
        reason: One line for the record: free of paths, times and addresses.
        error: What it left in its log, or its traceback.
        killed: Whether somebody else killed it: the system, short of memory, or its operator.

    Attributes:
        idle: Whether it was lost while nothing was asked of it: then no match is to blame.
    """

    idle = False

    def __init__(
        self, cause: Termination, reason: str, error: str = "", *, killed: bool = False
    ) -> None:
        super().__init__(f"{cause}: {reason}")
        self.killed = killed
        self.cause, self.reason, self.error = cause, reason, error


def ended_by(status: int) -> str:
    """How a process ended: by an exit code, or by a signal (negative)."""
    if status >= 0:
        return f"its process ended with exit code {status}"
    try:
        return f"its process was killed by {signal.Signals(-status).name}"
    except ValueError:
        return f"its process was killed by signal {-status}"


def mismatch(answers: Sequence[Answer], wanted: Sequence[int]) -> str:
    """What is wrong with answers to requests of these ids."""
    if len(answers) != len(wanted):
        return f"{len(answers)} answers to {len(wanted)} requests"
    return UNASKED

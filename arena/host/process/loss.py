"""Losses of bots' processes, with the cause and the reason in one line."""

from __future__ import annotations

import signal

from arena.core.outcome import Termination

EXIT_SECONDS = 0.05
"""Time for the processes of a host that closes to end by themselves."""
HUNG_UP_SECONDS = 0.5
"""Time for a process that hung up to end, so that its exit can be reported. On a busy machine this
may take a tenth of a second; a bot gains nothing by delaying it."""


class ProcessLost(Exception):
    """Raised for a process that was lost during a request; it was killed, if it still ran.

    Args:
        cause: An adjudicated termination.
        reason: One line for the record: free of paths, times and addresses.
        error: The end of its log, or its traceback.
        killed: Whether a third party killed it: the system, short of memory, or its operator.

    Attributes:
        idle: Whether it was lost without an open request: then no match is to blame.
        hint: Advice for its author, in one line; it ends ``error``.
    """

    idle = False
    hint = ""

    def __init__(
        self, cause: Termination, reason: str, error: str = "", *, killed: bool = False
    ) -> None:
        super().__init__(f"{cause}: {reason}")
        self.killed = killed
        self.cause, self.reason, self.error = cause, reason, error


def ended_by(status: int) -> str:
    """Describes the end of a process by its exit code, or by a signal (negative)."""
    if status >= 0:
        return f"its process ended with exit code {status}"
    try:
        return f"its process was killed by {signal.Signals(-status).name}"
    except ValueError:
        return f"its process was killed by signal {-status}"


def plain(text: str, most: int = 200) -> str:
    """Reduces what a bot sent to one printable line, for a record or a terminal."""
    return "".join(sign if sign.isprintable() else "?" for sign in text)[:most]

"""Exit codes of every verb, as ``arena --help`` and the README list them, and lines of errors."""

from __future__ import annotations

from arena.core.errors import ArenaError, BadInput, BadSpec
from arena.core.text.printable import printable_line

DONE = 0
FAILED = CHECK_FAILED = 1
"""A check failed, or the machine did: no memory, no files, a full disk."""
BAD_INPUT = 2
PAUSED = 3
"""A run could not go on, as its money is spent or an endpoint fails: it can be resumed."""
STOPPED = 128
"""Plus the number of the signal that stopped it, as shells report it: 130 after Ctrl-C."""

IN_WORDS = "Exit codes: 0 done, 1 failed, 2 bad input, 3 paused, 128 + N ended by signal"
MAX_LENGTH = 4_000
"""Characters of an error: the longest lists of choices fit."""


def error_lines(error: ArenaError) -> list[str]:
    """The lines that people are shown of an error: one printable line a problem of ``BadSpec``."""
    if isinstance(error, BadSpec):
        where = f"{error.where}: " if error.where else ""
        messages = [f"{where}{problem}" for problem in error.problems]
    else:
        messages = [str(error)]
    return [f"arena: {printable_line(message, MAX_LENGTH)}" for message in messages]


def error_code(error: ArenaError) -> int:
    """The exit code of a command that ended with an error."""
    return BAD_INPUT if isinstance(error, BadInput) else FAILED

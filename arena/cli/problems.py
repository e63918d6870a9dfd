"""Errors as the lines that the command line prints, and their exit codes."""

from __future__ import annotations

from arena.cli.exits import BAD_INPUT, FAILED
from arena.core.errors import ArenaError, BadInput, BadSpec
from arena.core.printable import printable_line

LONGEST = 4_000
"""Characters of an error: the longest lists of choices fit."""


def error_lines(error: ArenaError) -> list[str]:
    """The lines that people are shown of an error: one printable line a problem of ``BadSpec``."""
    if isinstance(error, BadSpec):
        messages = [f"{error.where}: {problem}" for problem in error.problems]
    else:
        messages = [str(error)]
    return [f"arena: {printable_line(message, LONGEST)}" for message in messages]


def error_code(error: ArenaError) -> int:
    """The exit code of a command that ended with an error."""
    return BAD_INPUT if isinstance(error, BadInput) else FAILED

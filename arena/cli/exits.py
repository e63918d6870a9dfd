"""Exit codes of every verb; they are one paragraph of ``arena --help`` and of the README."""

from __future__ import annotations

DONE = 0
FAILED = CHECK_FAILED = 1
"""A check failed, or the machine did: no memory, no files, a full disk."""
BAD_INPUT = 2
STOPPED = 128
"""Plus the number of the signal that stopped it, as shells report it: 130 after Ctrl-C."""

IN_WORDS = (
    "Exit codes: 0 done, 1 a check or the machine failed, 2 bad input, "
    "128 + N stopped by signal N (130: Ctrl-C)."
)

"""Exit codes of every verb."""

from __future__ import annotations

DONE = 0
CHECK_FAILED = 1
BAD_INPUT = 2
INTERRUPTED = 130
"""As a shell reports a program that Ctrl-C ended: 128 + SIGINT."""

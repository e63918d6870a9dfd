"""Checks before an application that fills the screen is started."""

from __future__ import annotations

import sys
from importlib.util import find_spec

from arena.core.errors import BadInput


def check_screen(verb: str) -> None:
    """Raises ``BadInput`` where there is no terminal, or no library for it (the extra ``tui``)."""
    if not _on_terminal():
        raise BadInput(f"arena {verb} needs a terminal; from a program: docs/api.md")
    if find_spec("textual") is None:
        raise BadInput(
            f"arena {verb} needs textual, which is not installed: pip install 'arena-harness[tui]'"
        )


def _on_terminal() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()

"""Checks before an application that fills the screen starts, and a person's time in it."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from typing import Annotated

import typer

from arena.core.errors import BadInput
from arena.service.answers.defaults import DECISION_SECONDS

MinutesOption = Annotated[
    float, typer.Option(metavar="N", min=0.1, help="Your time per decision, in minutes.")
]
USUAL_MINUTES = DECISION_SECONDS / 60


def check_screen(verb: str) -> None:
    """Raises ``BadInput`` where there is no terminal, or no library for it (the extra ``tui``)."""
    if not _on_terminal():
        raise BadInput(f"arena {verb} needs a terminal; from a program: docs/howto/python.md")
    if find_spec("textual") is None:
        raise BadInput(
            f"arena {verb} needs textual, which is not installed: pip install 'arena-harness[tui]'"
        )


def _on_terminal() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()

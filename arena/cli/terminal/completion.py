"""Completes names for the shell (``arena --install-completion``); loads no database.

Submitted bots are not among them: reading their names takes longer than a person waits for a key.
Where no name fits, shells complete the paths of files.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol

from arena.cli.terminal.wiring import registry


class Named(Protocol):
    """The part of a game, a bot or a format that is completed, and what it is."""

    @property
    def name(self) -> str: ...
    @property
    def summary(self) -> str: ...


def complete_bot(incomplete: str) -> Iterator[tuple[str, str]]:
    """Yields built-in bots and installed ones."""
    return _beginning(incomplete, registry().bots())


def complete_game(incomplete: str) -> Iterator[tuple[str, str]]:
    """Yields the games."""
    return _beginning(incomplete, registry().games())


def complete_format(incomplete: str) -> Iterator[tuple[str, str]]:
    """Yields the formats of tournaments."""
    return _beginning(incomplete, registry().formats())


def _beginning(incomplete: str, named: Iterable[Named]) -> Iterator[tuple[str, str]]:
    return ((each.name, each.summary) for each in named if each.name.startswith(incomplete))

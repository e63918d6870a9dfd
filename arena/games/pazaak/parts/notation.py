"""Writes actions and events of Pazaak as text, and reads actions."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from arena.core.notation import ActionT, ListedNotation
from arena.games.pazaak.engine.history import events_of

EXAMPLES = "e.g. 'stand', 'end turn', 'play ±4 as -4'"
_line = cache(str)


class PazaakNotation(ListedNotation[ActionT]):
    """A fixed list of actions, where +/- may stand for ±."""

    def action(self, text: str) -> ActionT:
        return super().action(text.replace("+/-", "±"))


def lines_of(history: bytes) -> Iterable[str]:
    """Returns the lines of a history."""
    return map(_line, events_of(history))

"""Writes actions and events of Pazaak as text, and reads actions."""

from __future__ import annotations

from functools import cache

from arena.core.errors import ParseError
from arena.games.pazaak.actions import SEAT_ACTIONS, PazaakAction
from arena.games.pazaak.history import events_of

_line = cache(str)


class PazaakNotation:
    """The game's notation, as the core contract wants it."""

    _by_text = {action.text: action for action in SEAT_ACTIONS}

    def action(self, text: str) -> PazaakAction:
        found = self._by_text.get(text.strip().replace("+/-", "±"))
        if found is None:
            raise ParseError(
                f"no action {text[:40]!r}; write e.g. 'stand', 'end turn', 'play ±4 as -4'"
            )
        return found

    def action_of(self, id: int) -> PazaakAction:
        if not 0 <= id < len(SEAT_ACTIONS):
            raise ParseError(f"no action has id {id}; ids are 0..{len(SEAT_ACTIONS) - 1}")
        return SEAT_ACTIONS[id]

    def events(self, history: bytes) -> tuple[str, ...]:
        return tuple(map(_line, events_of(history)))

"""Notation: actions and events of a game as text, and back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from arena.core.actions import Action
from arena.core.errors import ParseError


class Notation(Protocol):
    """Writes actions and events of a game as text, and reads actions."""

    def action(self, text: str) -> Action:
        """Returns the action that ``Action.text`` names; raises ``ParseError``."""

    def action_of(self, id: int) -> Action:
        """Returns the action with that id; raises ``ParseError``."""

    def events(self, history: bytes) -> tuple[str, ...]:
        """Returns the public events of a history, or of a later part of one, a line of text each.

        A replay asks for the events since the last decision alone.
        """


class ListedNotation:
    """The notation of a game whose seats have a fixed list of actions.

    Args:
        actions: All actions of the seats.
        events: Gives the events of a history, a line of text each.
    """

    def __init__(self, actions: Sequence[Action], events: Callable[[bytes], Iterable[str]]) -> None:
        self._by_text = {action.text: action for action in actions}
        self._by_id = {action.id: action for action in actions}
        self._events = events

    def action(self, text: str) -> Action:
        found = self._by_text.get(text.strip())
        if found is None:
            choices = " or ".join(map(repr, self._by_text))
            raise ParseError(f"no action {text[:40]!r}; write {choices}")
        return found

    def action_of(self, id: int) -> Action:
        found = self._by_id.get(id)
        if found is None:
            known = ", ".join(map(str, self._by_id))
            raise ParseError(f"no action has id {id}; ids are {known}")
        return found

    def events(self, history: bytes) -> tuple[str, ...]:
        return tuple(self._events(history))

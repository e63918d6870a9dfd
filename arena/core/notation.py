"""Notation: actions and events of a game as text, and back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Generic, Protocol, TypeVar

from arena.core.actions import Action
from arena.core.errors import ParseError

ActionT = TypeVar("ActionT", bound=Action)


class Notation(Protocol):
    """Writes actions and events of a game as text, and reads actions."""

    def action(self, text: str) -> Action:
        """Returns the action that ``Action.text`` names; raises ``ParseError``."""

    def action_of(self, id: int) -> Action:
        """Returns the action with that id; raises ``ParseError``."""

    def events(self, history: bytes) -> tuple[str, ...]:
        """Returns the public events of a history, or of a later part of one, a line of text each.

        A replay asks for the events since the last decision only.
        """


class ListedNotation(Generic[ActionT]):
    """The notation of a game whose seats have a fixed list of actions.

    Args:
        actions: All actions of the seats.
        events: Gives the events of a history, a line of text each.
        examples: What may be written, for errors; by default all actions.
    """

    def __init__(
        self,
        actions: Sequence[ActionT],
        events: Callable[[bytes], Iterable[str]],
        examples: str = "",
    ) -> None:
        self._by_text = {action.text: action for action in actions}
        self._by_id = {action.id: action for action in actions}
        self._events = events
        self._examples = examples or " or ".join(map(repr, self._by_text))

    def action(self, text: str) -> ActionT:
        found = self._by_text.get(text.strip())
        if found is None:
            raise ParseError(f"no action {text[:40]!r}; write {self._examples}")
        return found

    def action_of(self, id: int) -> ActionT:
        found = self._by_id.get(id)
        if found is None:
            raise ParseError(f"no action has id {id}")
        return found

    def events(self, history: bytes) -> tuple[str, ...]:
        return tuple(self._events(history))

"""Actions of OpenSpiel's games and of its chance, and events as text."""

from __future__ import annotations

from functools import cache

from arena.core.actions import Action
from arena.core.notation import ListedNotation
from arena_openspiel.catalogue import Entry

CHANCE_IDS = 1 << 20
"""The ids of chance's actions begin here: no seat has so many."""
_EXAMPLES = 8


class SpielNotation(ListedNotation[Action]):
    """The notation of one game. An event of a history is its text, and ends with a line break.

    Args:
        entry: The game.

    Attributes:
        listed: All actions by their text.
        numbered: Whether the actions have numbers instead of OpenSpiel's texts.
    """

    def __init__(self, entry: Entry) -> None:
        texts = entry.texts or [f"action {id}" for id in range(entry.count)]
        actions = tuple([Action(id, text) for id, text in enumerate(texts)])
        self.listed = {action.text: action for action in actions}
        few = [repr(action.text) for action in actions[:_EXAMPLES]]
        more = "" if len(texts) <= _EXAMPLES else ", ... as the choices of a decision name them"
        super().__init__(actions, read_events, " or ".join(few) + more)
        self.numbered = not entry.texts


def read_events(history: bytes) -> list[str]:
    """Returns the events of a history, a line each."""
    return history.decode().splitlines()


def write_event(text: str) -> bytes:
    """Returns the bytes of one event."""
    return f"{text}\n".encode()


@cache
def chance_action(id: int, text: str) -> Action:
    """Returns the action by which chance decides something: one object for each.

    Args:
        id: OpenSpiel's number of it.
        text: OpenSpiel's text, in plain words.
    """
    return Action(CHANCE_IDS + id, text)

"""Moves: the legal actions as a person takes them, with the cards that they use."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic

import msgspec

from arena.core.actions import Action
from arena.core.parts.part import ObservationT, Part


class Move(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """One legal action as a person takes it.

    Attributes:
        words: The text of its button, e.g. ``"Stand at 18"``.
        cards: The places, from 0, of the cards that it uses, in the zone ``Moves.zone`` of the
            seat's scene; a person takes the action by choosing them. Cards that look alike stand
            for each other.
    """

    words: str
    cards: tuple[int, ...] = ()


class Moves(Part, Generic[ObservationT]):
    """Says how a person takes actions; unless a game has its own, each is a button by itself.

    Attributes:
        zone: Label of the seat's zone from which cards are chosen.
    """

    zone: str = "hand"

    def of(self, observation: ObservationT) -> Sequence[Move]:
        """Returns a move for each of the observation's legal actions, in their order."""
        return [Move(in_words(action)) for action in observation.legal_actions]


def in_words(action: Action) -> str:
    """Returns the text of an action as a button has it: a capital, and minus as it is printed."""
    text = action.text.replace(" -", " \u2212")
    return text[:1].upper() + text[1:]

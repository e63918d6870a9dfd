"""The actions of Pazaak as a person takes them: a card of the hand is chosen and played."""

from __future__ import annotations

from collections.abc import Sequence

from arena.core.parts.moves import Move, Moves, in_words
from arena.games.pazaak.engine.actions import STAND, PazaakAction
from arena.games.pazaak.engine.cards import Card
from arena.games.pazaak.engine.observation import PazaakObservation


class PazaakMoves(Moves[PazaakObservation]):
    """Plays use their card; standing says the total."""

    def of(self, observation: PazaakObservation) -> Sequence[Move]:
        o = observation
        return [move_of(action, o.hand, o.total) for action in o.legal_actions]


def move_of(action: PazaakAction, hand: Sequence[Card], total: int) -> Move:
    """Returns how an action is taken with that hand and total."""
    card = action.card
    if card is None:
        return Move(f"Stand at {total}" if action is STAND else in_words(action))
    laid = f"{action.value:+d}" if card.values else "Double" if card.doubles else card.name
    words = f"Play {laid}".replace("-", "\u2212")
    return Move(words, (hand.index(card),))

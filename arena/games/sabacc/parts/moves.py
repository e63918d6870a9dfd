"""The actions of Sabacc as a person takes them: cards to exchange or to show are chosen."""

from __future__ import annotations

from collections.abc import Sequence

from arena.core.parts.moves import Move, Moves, in_words
from arena.games.sabacc.engine.actions import CALL, DRAW, EXCHANGE_, KEEP, RAISE_, SabaccAction
from arena.games.sabacc.engine.observation import SabaccObservation


class SabaccMoves(Moves[SabaccObservation]):
    """Exchanges use the cards that are given away, and so does a card that is shown."""

    def of(self, observation: SabaccObservation) -> Sequence[Move]:
        return [_move(action, observation) for action in observation.legal_actions]


def _move(action: SabaccAction, o: SabaccObservation) -> Move:
    if action.kind == EXCHANGE_ and action is not KEEP:
        places = tuple(place for place in range(len(o.hand)) if action.value >> place & 1)
        count = len(places)
        return Move(f"Exchange {count} card{'s' if count > 1 else ''}", places)
    if action.card is not None:
        return Move(in_words(action), (o.hand.index(action.card),))
    return Move(_words(action, o))


def _words(action: SabaccAction, o: SabaccObservation) -> str:
    if action is KEEP:
        return "Keep all"
    if action is DRAW:
        return "Draw a card"
    if action is CALL:
        return f"Call {o.to_call - o.round_put[o.seat]}"
    return f"Raise by {action.value}" if action.kind == RAISE_ else in_words(action)

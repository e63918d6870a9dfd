"""Patterns of decisions in Sabacc that give a hand away in plain sight."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.core.parts.luck import Pattern
from arena.games.sabacc.cards.ranking import ranker
from arena.games.sabacc.cards.showdown import leaders
from arena.games.sabacc.engine.actions import CALL_, EXCHANGE_, FOLD_, SabaccAction
from arena.games.sabacc.engine.stages import EXCHANGE

if TYPE_CHECKING:
    from arena.games.sabacc.engine.state import SabaccState


def pattern(state: SabaccState, action: SabaccAction) -> Pattern | None:
    """Returns the pattern of a fold of the best hand, or of holding on to one that cannot win."""
    if action.kind not in (FOLD_, EXCHANGE_, CALL_):
        return None
    hand = state.hand
    seat, match, cards = hand.player, hand.match, hand.deck.hands
    ranks = ranker(match.rules, match.variant)
    if action.kind == FOLD_:
        active = {each: cards[each] for each, there in enumerate(match.active) if there}
        best, _ = leaders(ranks, active)
        return Pattern("folded the best hand at the table") if best == (seat,) else None
    if not ranks.rank(cards[seat]).bomb:
        return None
    if action.kind == EXCHANGE_:
        kept = not action.value and not hand.swapping and any(each.value for each in hand.legal)
        return Pattern("kept a hand that loses to every other") if kept else None
    last = EXCHANGE not in hand.plan[hand.step :]
    return Pattern("called with a hand that loses to every other") if last else None

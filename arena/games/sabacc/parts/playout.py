"""Quick play of Sabacc for search bots: its playout policy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from arena.games.sabacc.cards.cards import Card
from arena.games.sabacc.cards.ranking import PURE, Ranker
from arena.games.sabacc.engine import actions
from arena.games.sabacc.engine.actions import SabaccAction
from arena.games.sabacc.engine.stages import DRAWS, EXCHANGE

if TYPE_CHECKING:
    from arena.games.sabacc.engine.state import SabaccState

CONTENT: Final = 18
"""The strength from which it takes no more cards."""
AVERAGE: Final = 7
"""Mean value of a card of the deck: 540 / 76 (section 1)."""
_STAYS = (actions.CHECK_, actions.PUT_, actions.CALL_, actions.ALL_IN_)


def playout_action(state: SabaccState) -> SabaccAction:
    """Draws and exchanges below a strength of 18, bets the least, never folds.

    It looks at the own hand only.
    """
    now, match = state.hand, state.hand.match
    stage, legal, hand = now.stage, now.legal, now.deck.hands[now.player]
    if stage not in DRAWS and stage != EXCHANGE and not now.swapping:
        # Stakes are listed from the least up.
        return next((action for action in legal if action.kind in _STAYS), legal[0])
    ranks = match.ranks
    content = ranks.rank(hand).strength >= CONTENT
    if stage in DRAWS and not now.swapping:
        return actions.PASS if content or actions.DRAW not in legal else actions.DRAW
    choices = [action for action in legal if action.kind == actions.EXCHANGE_]
    if content and not choices[0].value:
        return choices[0]
    return nearest_exchange(ranks, hand, choices)


def nearest_exchange(
    ranks: Ranker, hand: Sequence[Card], choices: Sequence[SabaccAction]
) -> SabaccAction:
    """The exchange that brings the hand nearest to 23 if average cards come."""
    values = [ranks.values[card.id] for card in hand]
    missing = [PURE - sum(values)]  # by the exchange's bits
    for value in values:
        gain = value - AVERAGE
        missing += [other + gain for other in missing]
    best = choices[0]
    least = abs(missing[best.value])
    for action in choices:
        distance = abs(missing[action.value])
        if distance < least:
            best, least = action, distance
    return best

"""Patterns of decisions in Pazaak that give a set away in plain sight."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.core.parts.luck import Pattern
from arena.games.pazaak.engine.actions import PLAY_, STAND_, PazaakAction
from arena.games.pazaak.engine.rulesets import LIMIT, SETS_TO_WIN

if TYPE_CHECKING:
    from arena.games.pazaak.engine.state import PazaakState

GOOD = 3
"""Most points below the limit of a total that is worth a card while the rival draws."""


def pattern(state: PazaakState, action: PazaakAction) -> Pattern | None:
    """Returns the pattern of the end of a turn that loses the set, or does not take it."""
    if action.kind == PLAY_:
        return None
    seat = state.turn
    total, rival, stood = state.totals[seat], state.totals[1 - seat], state.standing[1 - seat]
    if total > LIMIT:
        return _not_saved(state, total)
    if not stood or rival > LIMIT:
        return None
    if action.kind == STAND_ and total < rival:
        return Pattern("stood below a standing rival", f"at {total} against {rival}")
    if action.kind != STAND_ and total > rival:
        return Pattern("did not stand above a standing rival", f"at {total} against {rival}")
    return None


def _not_saved(state: PazaakState, total: int) -> Pattern | None:
    """Returns the pattern of a set that is lost though a card of the hand could well win it."""
    rival = 1 - state.turn
    saved = [
        (total + each.value, each.card.name)
        for each in state.legal
        if each.kind == PLAY_ and each.card and each.value and total + each.value <= LIMIT
    ]
    reached, card = max(saved, default=(0, ""))
    last = state.sets[rival] == SETS_TO_WIN - 1  # the card is of no use later
    against = state.totals[rival] if state.standing[rival] else LIMIT - GOOD
    if not saved or not (last or reached > against):
        return None
    text = f"ended a turn above {LIMIT} with a card in hand that saves it"
    return Pattern(text, f"at {total}, {card} makes {reached}")

"""A player for golden playthroughs of Pazaak: sensible, sometimes bold, the same for ever."""

from __future__ import annotations

from random import Random

from arena.games.pazaak.engine.actions import END_TURN, PLAY_, STAND, PazaakAction
from arena.games.pazaak.engine.observation import PazaakObservation


def choose(observation: PazaakObservation, rng: Random) -> PazaakAction:
    """Makes 20 where it can, comes back from above it, stands at about 17, and likes odd cards."""
    o = observation
    plays = [action for action in o.legal_actions if action.kind == PLAY_]
    odd = [action for action in plays if action.card.special]
    for action in plays:
        if not action.card.special and o.total + action.value == 20:
            return action
    if odd and rng.random() < 0.4:
        return rng.choice(odd)
    back = [action for action in plays if o.total > 20 >= o.total + action.value > 14]
    if back:
        return max(back, key=lambda action: action.value)
    behind = o.rival_standing and o.total < o.rival_total
    return END_TURN if o.total < 16 + rng.randrange(3) or behind else STAND

"""A player for golden playthroughs: sensible, sometimes bold, the same for ever."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from arena.games.sabacc.cards.cards import DECK, Card
from arena.games.sabacc.cards.ranking import ranker
from arena.games.sabacc.engine.actions import (
    ALL_IN_,
    BET_,
    DEMAND_,
    DRAW,
    EXCHANGE_,
    FOLD,
    PASS,
    PUT_,
    RAISE_,
    SHOW_,
    SabaccAction,
)
from arena.games.sabacc.engine.observation import SabaccObservation
from arena.games.sabacc.engine.stages import DRAWS, EXCHANGE

SAMPLES = 12
WORTH = {"pure": 60, "idiot": 55, "combo": 50, "double": 45, "sabacc": 40, "bomb": -10}


def choose(observation: SabaccObservation, rng: Random) -> SabaccAction:
    """A legal action: cards by a look ahead, stakes by strength, now and then a bluff."""
    o = observation
    if o.stage in DRAWS and not o.swapping:
        better = _after(o, o.hand, 1, rng) > _worth(o, o.hand) - rng.random()
        return DRAW if better and DRAW in o.legal_actions else PASS
    if o.stage == EXCHANGE or o.swapping:
        return _exchange(o, rng)
    return _stake(o, rng)


def _worth(o: SabaccObservation, hand: Sequence[Card]) -> float:
    value = ranker(o.rules, o.variant).rank(hand)
    return WORTH.get(value.category, value.strength)


def _after(o: SabaccObservation, hand: Sequence[Card], cards: int, rng: Random) -> float:
    """The average worth of the hand with so many cards more."""
    drawn = [rng.sample(DECK, cards) for _ in range(SAMPLES)]
    return sum(_worth(o, (*hand, *more)) for more in drawn) / SAMPLES


def _exchange(o: SabaccObservation, rng: Random) -> SabaccAction:
    shows = [action for action in o.legal_actions if action.kind == SHOW_]
    if shows and _worth(o, o.hand) < 18:
        return shows[0]

    def hope(action: SabaccAction) -> float:
        kept = [card for place, card in enumerate(o.hand) if not action.value >> place & 1]
        return _after(o, kept, action.count, rng) if action.count else _worth(o, o.hand)

    return max((act for act in o.legal_actions if act.kind == EXCHANGE_), key=hope)


def _stake(o: SabaccObservation, rng: Random) -> SabaccAction:
    strength = _worth(o, o.hand) + rng.choice((0, 0, 0, 0, 25))
    stack = o.amounts[o.seat]
    if strength < 4 + min(o.owed, 6) and o.owed > 1:
        return FOLD
    more = rng.randint(1, 5) if strength > 18 else 0
    if strength < 15:
        more = -1
    stakes = [action for action in o.legal_actions if action.kind in (PUT_, BET_, RAISE_, DEMAND_)]
    demands = [action for action in stakes if action.kind == DEMAND_]
    if demands and strength < 20:
        stakes = demands
    else:
        stakes = [action for action in stakes if action.kind != DEMAND_]
    wanted = o.last_stake + max(more, 0)
    if more >= 0 or o.rules.betting != "poker":
        fit = [action for action in stakes if action.value <= max(wanted, stakes[0].value)]
        if fit and stack:
            return fit[-1]
    rest = [action for action in o.legal_actions if action not in (*stakes, *demands, FOLD)]
    if not rest or (rest[0].kind == ALL_IN_ and strength < 12):
        return FOLD
    return rest[0]

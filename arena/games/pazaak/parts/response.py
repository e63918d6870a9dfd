"""This module solves sets against a rival by the rival's decisions in other matches.

The odds of a rival's turn are counted from these decisions, by the total after the draw, the other
seat's total and whether the other seat stands, and whether the rival has a hand card left. Turns at
other totals of the other seat count less, the further away they are. Against these odds each set is
solved as in ``decisions``. That is a best response to the odds, not to everything the rival does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

import numpy as np

from arena.games.pazaak.engine.actions import STAND_, PazaakAction
from arena.games.pazaak.engine.rulesets import LIMIT, PazaakRules
from arena.games.pazaak.engine.stages import ACT, PLAYED
from arena.games.pazaak.engine.state import PazaakState
from arena.games.pazaak.parts.decisions import OwnHand, Score
from arena.games.pazaak.parts.rivals import BUST, LAYS, STANDS, TOTALS, Array, ObservedRival, Rival

NEAR = 0.25
"""The weight of a turn at a total of the other seat that is one away; squared for two."""
_UNSEEN = 1e-4
"""The weight of an assumed turn, for totals without any turn."""
_OTHER_HAND = 0.02
"""The weight of a turn with hand cards for turns without, and the other way round."""
_TURN_STANDS = 17
"""The total from which an assumed turn stands."""


class Response(OwnHand):
    """Values the actions of a seat against a rival that decides as was seen.

    Args:
        ruleset: The rules in force.
        seen: Decisions of rivals, in their order: the state before, and the action.
    """

    name = "pazaak-response 1"
    assumption = "did the rival decide as was seen"

    def __init__(
        self, ruleset: PazaakRules, seen: Iterable[tuple[PazaakState, PazaakAction]]
    ) -> None:
        super().__init__(ruleset)
        turns = np.zeros((2, 2, LIMIT + 1, TOTALS, BUST + 1))
        for turn in _turns(seen):
            turns[turn] += 1
        away = np.abs(np.arange(LIMIT + 1)[:, None] - np.arange(LIMIT + 1))
        near = np.einsum("st,hatrx->hasrx", NEAR ** away.astype(float), turns)
        near = near + _OTHER_HAND * near[::-1] + _UNSEEN * _assumed()
        self._rivals = [ObservedRival(each) for each in near]

    def _rival(self, state: PazaakState, seat: int) -> Rival:
        return self._rivals[bool(state.hands[1 - seat])]

    def _last(self, state: PazaakState, seat: int) -> Score | None:
        if state.set_number != self._rules.max_sets:
            return None
        follows = self._rules.next_set in ("alternate", "fixed")
        return state.sets[seat], state.sets[1 - seat], state.starter if follows else 0

    def _evaluates(self, state: PazaakState, seat: int) -> bool:
        return all(card.values for card in state.dealt[seat][-1]) and not any(state.marks.negated)


def _turns(
    seen: Iterable[tuple[PazaakState, PazaakAction]],
) -> Iterator[tuple[int, int, int, int, int]]:
    """Yields each turn as an index: hand or none, the other stands, both totals, and the end."""
    begun, lays = (0, 0, 0, 0), False
    for state, action in seen:
        seat = state.player
        total = state.totals[seat]
        if state.phase == ACT:
            other = 1 - seat
            alone, against = int(state.standing[other]), state.totals[other]
            lays = False
            begun = (
                int(bool(state.hands[seat])),
                alone,
                _within(against),
                min(max(total, 0), TOTALS - 1),
            )
        stands = action.kind == STAND_
        if action.card is not None:
            lays = action.card.breaks_ties
            after = state.clone()
            after.apply_action(action)
            if after.phase == PLAYED and after.player == seat:
                continue  # its end is the next decision
            total, stands = after.totals[seat], True
        end = BUST if total > LIMIT else _within(total) + STANDS * stands + LAYS * lays
        yield *begun, end


def _within(total: int) -> int:
    return min(max(total, 0), LIMIT)


@cache
def _assumed() -> Array:
    """The turns of a rival that draws up to a fixed total, or to one that stands."""
    turns = np.zeros((2, LIMIT + 1, TOTALS, BUST + 1))
    for alone in (0, 1):
        for other in range(LIMIT + 1):
            for total in range(TOTALS):
                stands = total >= (other if alone else _TURN_STANDS) or total == LIMIT
                end = BUST if total > LIMIT else total + STANDS * stands
                turns[alone, other, total, end] = 1
    return turns

"""The facts of positions of Pazaak, from which a value function is learned.

All of them are of the side of the seat whose turn it is: both totals with whether the rival stands,
the squares filled, the sets won with who started and whose Tiebreaker lies, the low and the high
cards left in the deck, and the cards of both hands.
"""

from __future__ import annotations

from collections.abc import Sequence

from arena.core.parts.full_state_facts import FullStateFacts, Outcomes, Rows
from arena.games.pazaak.engine.cards import CATALOGUE, TEN
from arena.games.pazaak.engine.chance import cards_left
from arena.games.pazaak.engine.rulesets import LIMIT, SQUARES
from arena.games.pazaak.engine.stages import DRAW, PLAYED
from arena.games.pazaak.engine.state import PazaakState

_MAX_TOTAL = 30  # higher totals are taken for this one
_LOW, _HIGH = 3, 8  # cards up to the one are low, cards from the other on are high
_EACH = 13  # 0..12 low cards, and high ones
_TOTALS = 0
_SQUARES = _TOTALS + (_MAX_TOTAL + 1) * (LIMIT + 1) * 2
_SETS = _SQUARES + (SQUARES + 1) ** 2
_DECK = _SETS + 4 * 4 * 2 * 4
_OWN = _DECK + _EACH**2
_RIVAL = _OWN + len(CATALOGUE)
_PLAYED = _RIVAL + len(CATALOGUE)


class PazaakFullStateFacts(FullStateFacts[PazaakState]):
    """Gives the facts of a table of Pazaak to the seat whose turn it is."""

    name = "pazaak-positions 1"
    size = _PLAYED + 1

    def viewer(self, state: PazaakState) -> int:
        return state.turn

    def of(self, state: PazaakState, seat: int) -> Rows:
        rival, left = 1 - seat, cards_left(state)
        filled = _squares(len(state.tables[seat]), len(state.tables[rival]))
        rows = _lasting(state, seat)
        rows += filled, _totals(state, seat, state.totals[seat]), _deck(_low(left), _high(left))
        return [*rows, _PLAYED] if state.phase == PLAYED else rows

    def after(
        self, node: PazaakState, outcomes: Outcomes, seat: int
    ) -> tuple[Rows, Sequence[Rows]] | None:
        """Returns the facts after each card of the deck; hands and starters are no luck here.

        They are the same in both matches of a mirrored pair, which lose and win it again.
        """
        if node.phase != DRAW:
            return None
        left = cards_left(node)
        low, high = _low(left), _high(left)
        # An unbound deck has one card of each value, and keeps it.
        taken = int(node.rules.main_deck != "infinite")
        rows = _lasting(node, seat)
        rows.append(_squares(len(node.tables[seat]) + 1, len(node.tables[1 - seat])))
        totals = [_totals(node, seat, node.totals[seat] + value) for value in TEN]
        decks = _deck(low - taken, high), _deck(low, high), _deck(low, high - taken)
        return rows, [
            (totals[value - 1], decks[(value > _LOW) + (value >= _HIGH)])
            for value in TEN
            if left[value - 1]
        ]


def _lasting(state: PazaakState, seat: int) -> list[int]:
    rival, laid = 1 - seat, state.marks.laid
    sets = (state.sets[seat] * 4 + state.sets[rival]) * 2 + (state.starter == seat)
    ties = (laid[seat] > 0) * 2 + (laid[rival] > 0)
    rows = [_OWN + card.id for card in state.hands[seat]]
    rows += [_RIVAL + card.id for card in state.hands[rival]]
    rows.append(_SETS + sets * 4 + ties)
    return rows


def _totals(state: PazaakState, seat: int, total: int) -> int:
    rival = 1 - seat
    against = min(max(state.totals[rival], 0), LIMIT)
    pair = min(max(total, 0), _MAX_TOTAL) * (LIMIT + 1) + against
    return _TOTALS + pair * 2 + state.standing[rival]


def _squares(own: int, rival: int) -> int:
    return _SQUARES + min(own, SQUARES) * (SQUARES + 1) + min(rival, SQUARES)


def _low(left: Sequence[int]) -> int:
    return sum(left[:_LOW])


def _high(left: Sequence[int]) -> int:
    return sum(left[_HIGH - 1 :])


def _deck(low: int, high: int) -> int:
    return _DECK + low * _EACH + high

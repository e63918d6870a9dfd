"""The view of Pazaak: the knowledge of a seat as numbers.

Left out are lasting flips, and cards that were played in earlier sets.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.core.parts.view import Piece, View, Views
from arena.games.pazaak.engine.actions import SEAT_ACTIONS
from arena.games.pazaak.engine.cards import CATALOGUE
from arena.games.pazaak.engine.observation import PazaakObservation
from arena.games.pazaak.engine.rulesets import HAND_SIZE, SETS_TO_WIN, SQUARES, PazaakRules
from arena.games.pazaak.engine.stages import PLAYED

if TYPE_CHECKING:
    from arena.core.parts.view import Numbers

_MOST = 40  # totals are 0.._MOST; those beyond count as these
_TOTALS = _MOST + 1
_ROOM = SQUARES + 1
_TURNS = SQUARES + 1
_DECK = 10
_FACTS = 11
_PER_CARD = 1 / HAND_SIZE
_PER_DRAW = 1 / 8
_RIVAL = _TOTALS
_HAND = 2 * _TOTALS
_DRAWN = _HAND + len(CATALOGUE)
_STANDING = _DRAWN + _DECK


class PazaakView(View[PazaakObservation]):
    """Totals, hand, cards of the deck on both tables, and the public facts."""

    name = "pazaak-view 1"
    pieces = (
        Piece("total", (_TOTALS,), 0, 1),
        Piece("rival total", (_TOTALS,), 0, 1),
        Piece("hand", (len(CATALOGUE),), 0, 1),
        Piece("deck cards on the tables", (_DECK,), 0, 2 * _ROOM * _PER_DRAW),
        Piece("facts", (_FACTS,), 0, 1),
    )

    def write(self, observation: PazaakObservation, out: Numbers) -> None:
        seen = observation
        out.fill(0)
        total, rival = seen.total, seen.rival_total
        out[0 if total < 0 else total if total < _MOST else _MOST] = 1
        out[_RIVAL + (0 if rival < 0 else rival if rival < _MOST else _MOST)] = 1
        for card in seen.hand:
            out[_HAND + card.id] += _PER_CARD
        for table in (seen.table, seen.rival_table):
            for square in table:
                kind = square.face.id
                if kind > 100:  # 100 + value: a card of the deck
                    out[_DRAWN + kind - 101] += _PER_DRAW
        seat, marks = seen.seat, seen.marks
        out[_STANDING:] = (
            seen.standing,
            seen.rival_standing,
            seen.sets / SETS_TO_WIN,
            seen.rival_sets / SETS_TO_WIN,
            seen.rival_cards / HAND_SIZE,
            len(seen.table) / _ROOM,
            len(seen.rival_table) / _ROOM,
            seen.phase == PLAYED,
            seen.starter == seat,
            marks.laid[seat] > 0,
            marks.laid[1 - seat] > 0,
        )


class PazaakViews(Views[PazaakRules, PazaakObservation]):
    """The view of Pazaak, which is the same under all rulesets."""

    def of(self, ruleset: PazaakRules) -> PazaakView:
        return PazaakView()

    def action_count(self, ruleset: PazaakRules) -> int:
        return len(SEAT_ACTIONS)

    def max_decisions(self, ruleset: PazaakRules) -> int | None:
        """Returns one decision a turn and one a hand card, in each set; without a cap, no bound."""
        sets = ruleset.max_sets
        if not sets:
            return None
        hands = sets if ruleset.hand_scope == "set" else 1
        return 2 * (_TURNS * sets + HAND_SIZE * hands)

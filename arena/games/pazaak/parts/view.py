"""The view of Pazaak: the knowledge of a seat as numbers.

Left out are lasting flips, and cards that were played in earlier sets.
"""

from __future__ import annotations

from struct import Struct
from typing import TYPE_CHECKING

from arena.core.parts.view import Piece, View, Views
from arena.games.pazaak.engine.actions import SEAT_ACTIONS
from arena.games.pazaak.engine.cards import CATALOGUE, Card
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
_MAX_HANDS = 4096
_PER_DRAW = 1 / 8
_HAND = Struct(f"={len(CATALOGUE)}f")
_ONE_HOT = Struct(f"={_TOTALS}f")
_TOTAL = tuple(
    _ONE_HOT.pack(*[each == total for each in range(_TOTALS)]) for total in range(_TOTALS)
)
_WHOLE = Struct(f"={_ONE_HOT.size}s{_ONE_HOT.size}s{_HAND.size}s{_DECK + _FACTS}f")
"""All numbers. numpy takes ten times as long to set them one by one."""


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

    def __init__(self) -> None:
        self._hands: dict[tuple[Card, ...], bytes] = {}

    def write(self, observation: PazaakObservation, out: Numbers) -> None:
        seen = observation
        hand = self._hands.get(seen.hand)
        if hand is None:
            hand = self._new_hand(seen.hand)
        drawn = [0.0] * _DECK
        for table in (seen.table, seen.rival_table):
            for square in table:
                kind = square.face.id
                if kind > 100:  # 100 + value: a card of the deck
                    drawn[kind - 101] += _PER_DRAW
        total, rival, seat = seen.total, seen.rival_total, seen.seat
        laid = seen.marks.laid
        _WHOLE.pack_into(
            out,  # type: ignore[arg-type, unused-ignore] # an array is a buffer
            0,
            _TOTAL[0 if total < 0 else total if total < _MOST else _MOST],
            _TOTAL[0 if rival < 0 else rival if rival < _MOST else _MOST],
            hand,
            *drawn,
            seen.standing,
            seen.rival_standing,
            seen.sets / SETS_TO_WIN,
            seen.rival_sets / SETS_TO_WIN,
            seen.rival_cards / HAND_SIZE,
            len(seen.table) / _ROOM,
            len(seen.rival_table) / _ROOM,
            seen.phase == PLAYED,
            seen.starter == seat,
            laid[seat] > 0,
            laid[1 - seat] > 0,
        )

    def _new_hand(self, hand: tuple[Card, ...]) -> bytes:
        """Returns the numbers of a hand, and stores them, as there are few hands."""
        if len(self._hands) >= _MAX_HANDS:
            self._hands.clear()
        counts = [hand.count(card) / HAND_SIZE for card in CATALOGUE]
        numbers = self._hands[hand] = _HAND.pack(*counts)
        return numbers


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

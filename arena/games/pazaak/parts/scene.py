"""The table of Pazaak as data: nine squares a side, totals, lights of those who stand, hands."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from arena.core.scene import BACK, Fact, Scene, Zone
from arena.core.state import TERMINAL
from arena.games.pazaak.engine.rulesets import SETS_TO_WIN, SQUARES
from arena.games.pazaak.parts.looks import FACE_DOWN, card_face, laid

if TYPE_CHECKING:
    from arena.games.pazaak.engine.state import PazaakState


def scene(state: PazaakState, open_seats: Collection[int]) -> Scene:
    """The table as an onlooker sees it.

    Args:
        state: The state; the deck's order and the side decks are not shown.
        open_seats: Seats whose hand cards lie open for the onlooker.
    """
    return Scene(
        title=f"Set {state.set_number}",
        turn=state.turn if state.player != TERMINAL else None,
        zones=tuple(_zones(state, open_seats)),
        facts=(
            Fact("set", state.set_number),
            Fact("started", seat=state.starter),
            *(
                Fact("sets won", won, seat, "dots", SETS_TO_WIN)
                for seat, won in enumerate(state.sets)
            ),
            *(Fact("total", total, seat, "large") for seat, total in enumerate(state.totals)),
            *(Fact("stands", seat=seat, role="stands") for seat in (0, 1) if state.standing[seat]),
        ),
        back=FACE_DOWN,
    )


def _zones(state: PazaakState, open_seats: Collection[int]) -> Iterator[Zone]:
    for seat in (0, 1):
        yield Zone("table", laid(state.tables[seat]), seat, places=SQUARES)
        hand = state.hands[seat]
        open_cards = list(map(card_face, hand))
        cards = open_cards if seat in open_seats else [BACK] * len(hand)
        yield Zone("hand", tuple(cards), seat)

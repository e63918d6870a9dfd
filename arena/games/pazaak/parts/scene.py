"""The table of Pazaak as data: nine squares a side, totals, lights of those who stand, hands."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from arena.core.scene import BACK, Colour, Face, Fact, Scene, Zone
from arena.core.state import TERMINAL
from arena.games.pazaak.engine.cards import Card, Square
from arena.games.pazaak.engine.rulesets import SQUARES

if TYPE_CHECKING:
    from arena.games.pazaak.engine.state import PazaakState

LOOKS: Mapping[str, tuple[Colour, str]] = {
    "deck": ("", ""),
    "plus": ("blue", "M32 9l12 20h-24z"),
    "minus": ("red", "M32 31l12-20h-24z"),
    "plus-minus": ("violet", "M32 5l10 14h-20zM32 36l10-14h-20z"),
    "flip": ("gold", "M20 10h15v-5l10 8-10 8v-5h-15zM44 25h-15v-5l-10 8 10 8v-5h15z"),
    "double": ("gold", "M19 8h17v17h-17zM22 11v11h11v-11zM28 17h17v17h-17z"),
    "tiebreaker": ("gold", "M32 5l4 10 11 .7-8.500 7 2.800 10.600-9.300-5.900-9.300 5.900"
                           " 2.800-10.600-8.500-7 11-.7z"),
}  # fmt: skip
"""Colour and sign by the kind of a card."""


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
            *(Fact("sets won", won, seat, "dots") for seat, won in enumerate(state.sets)),
            *(Fact("total", total, seat, "large") for seat, total in enumerate(state.totals)),
            *(Fact("stands", seat=seat, role="stands") for seat in (0, 1) if state.standing[seat]),
        ),
    )


def _zones(state: PazaakState, open_seats: Collection[int]) -> Iterator[Zone]:
    for seat in (0, 1):
        yield Zone("table", laid(state.tables[seat]), seat, places=SQUARES)
        hand = state.hands[seat]
        open_cards = list(map(card_face, hand))
        cards = open_cards if seat in open_seats else [BACK] * len(hand)
        yield Zone("hand", tuple(cards), seat)


def card_face(card: Card) -> Face:
    """The face of a side card that lies open, not yet on a table."""
    return _face(card.name, _kind(card))


def laid(table: Sequence[Square]) -> tuple[Face, ...]:
    """The cards of one table: a deck card by its value, a side card also by what it counts."""
    return tuple(_laid(square) for square in table)


def _laid(square: Square) -> Face:
    name, value = square.face.name, str(square.value)
    if square.face.from_deck:
        return _face(value, "deck")
    counts = "" if name.lstrip("+") == value else value
    return _face(name, _kind(square.face), counts)


def _face(name: str, kind: str, counts: str = "") -> Face:
    colour, sign = LOOKS[kind]
    return Face(name, kind, counts, colour=colour, sign=sign, large=counts)


def _kind(card: Card) -> str:
    """The family of a side card, by its look (rule book 1.2): sign, flip, Double, Tiebreaker."""
    if card.special:
        return "flip" if card.flips else "double" if card.doubles else "tiebreaker"
    if len(card.values) > 1:
        return "plus-minus"
    return "plus" if card.values[0] > 0 else "minus"

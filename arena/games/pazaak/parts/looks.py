"""The looks of the cards of Pazaak: coloured panels with a sign, and corners of played cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import structs

from arena.core.scene import Face, Print
from arena.games.pazaak.engine.cards import Card, Square

UP, DOWN = "M24 17 32 10 40 17", "M24 75 32 82 40 75"
TOP, BOTTOM = "M13 16H51", "M13 76H51"
_FACETS = "M5 24 24 5M40 87 59 68M5 33 33 5M31 87 59 59"
_TURNS = "M34 27H44V41M40 37 44 41 48 37M30 65H20V51M24 55 20 51 16 55"
_STAR = (
    "M32 65.5 34.6 71.2 40.8 71.9 36.2 76.1 37.5 82.2 32 79.1 26.5 82.2 27.8 76.1 23.2 71.9"
    " 29.4 71.2z"
)
LOOKS: Mapping[str, Face] = {
    "deck": Face(colour="green", panel=True, hairs=TOP + BOTTOM),
    "plus": Face(colour="blue", panel=True, hairs=BOTTOM, marks=UP),
    "minus": Face(colour="red", panel=True, hairs=TOP, marks=DOWN),
    "plus-minus": Face(colour="red", second="blue", panel=True, marks=UP + DOWN),
    "fraction": Face(colour="gold", panel=True, hairs=_FACETS, marks="M14 46H50"),
    "flip": Face(colour="gold", panel=True, hairs=_FACETS, marks=_TURNS),
    "double": Face(colour="gold", panel=True, hairs=_FACETS, large="×2"),
    "tiebreaker": Face(colour="gold", panel=True, hairs=_FACETS, fills=_STAR),
}
"""The look of a card by its kind."""
FACE_DOWN = Face(
    hidden=True,
    hairs="M32 38 39 42.2V49.8L32 54 25 49.8V42.2zM32 30 46 38.3V53.7L32 62 18 53.7V38.3z"
    "M32 21.9 53 34.5V57.5L32 70.1 11 57.5V34.5zM5 24 24 5M5 34 34 5M59 24 40 5M59 34 30 5"
    "M5 68 24 87M5 58 34 87M59 68 40 87M59 58 30 87",
)
"""The look of every card that lies face down."""


def card_face(card: Card) -> Face:
    """The face of a side card that lies open, not yet on a table."""
    return _face(card.name, card)


def laid(table: Sequence[Square]) -> tuple[Face, ...]:
    """The cards of one table: a deck card by its value, a side card also by its value."""
    return tuple(_laid(square) for square in table)


def _laid(square: Square) -> Face:
    name, value = square.face.name, str(square.value)
    if square.face.from_deck:
        return structs.replace(LOOKS["deck"], name=value, kind="deck")
    counts = "" if name.lstrip("+") == value else value
    face = _face(name, square.face, counts)
    if not counts or not square.value:
        return face
    # It has the look of what it counts as, and a corner of what else it could be.
    plus = square.value > 0
    return structs.replace(
        face,
        colour="blue" if plus else "red",
        second="",
        corner="gold" if square.face.gold else "red" if plus else "blue",
        hairs=BOTTOM if plus else TOP,
        marks=UP if plus else DOWN,
        fills="",
        prints=(),
        large=f"{square.value:+d}",
    )


def _face(name: str, card: Card, counts: str = "") -> Face:
    kind = _kind(card)
    look = LOOKS["fraction" if card.gold and kind == "plus-minus" else kind]
    prints: tuple[Print, ...] = ()
    if card.flips:
        first, second = map(str, card.flips)
        prints = Print(first, 20, 33, 28), Print(second, 44, 59, 28)
    elif look is LOOKS["fraction"]:
        prints = Print("±1", 31, 28, 22), Print("±2", 31, 64, 22)
    elif card.breaks_ties:
        prints = (Print("±1", 31, 38, 27),)
    return structs.replace(look, name=name, kind=kind, counts=counts, prints=prints)


def _kind(card: Card) -> str:
    """The family of a side card, by its look (rule book 1.2): sign, flip, Double, Tiebreaker."""
    if card.special:
        return "flip" if card.flips else "double" if card.doubles else "tiebreaker"
    if len(card.values) > 1:
        return "plus-minus"
    return "plus" if card.values[0] > 0 else "minus"

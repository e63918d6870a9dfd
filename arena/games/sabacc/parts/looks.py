"""The looks of the cards of Sabacc: suits, ranks and characters as paths, 64 wide and 92 high."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import structs

from arena.core.scene import Face
from arena.games.sabacc.cards.cards import Card

SUITS: Mapping[str, Face] = {
    "Staves": Face(
        colour="blue",
        index=True,
        marks="M23.4 82.6 47 47.9M50.6 82.6 27 47.9",
        fills="M43.6 45.4a5.2 5.2 0 1 0 10.4 0a5.2 5.2 0 1 0-10.4 0z"
        "M20 45.4a5.2 5.2 0 1 0 10.4 0a5.2 5.2 0 1 0-10.4 0z"
        "M30.8 62.8A2.5 2.5 0 0 1 33.3 60.3H40.7A2.5 2.5 0 0 1 43.2 62.8V66.5"
        "A2.5 2.5 0 0 1 40.7 69H33.3A2.5 2.5 0 0 1 30.8 66.5z",
    ),
    "Sabers": Face(
        colour="red",
        index=True,
        marks="M24.6 61.5 39.5 76.4M28.3 73.9 19.6 83.8",
        fills="M53.1 41.7 56.8 45.4 35.8 72.7 29.6 66.5z",
    ),
    "Flasks": Face(
        colour="green",
        index=True,
        fills="M30.8 42.9H43.2V46.6H41.3V57.8L53.1 78.9A4.3 4.3 0 0 1 49.4 85.1H24.6"
        "A4.3 4.3 0 0 1 20.9 78.9L32.7 57.8V46.6H30.8zM28.3 71.4 25.2 77.6H48.8L45.7 71.4z",
    ),
    "Coins": Face(
        colour="gold",
        index=True,
        fills="M37 44.2A19.8 19.8 0 1 1 37 83.8A19.8 19.8 0 1 1 37 44.2z"
        "M30.2 57.2V70.8H43.8V57.2zM21.7 64a15.3 15.3 0 1 0 30.6 0a15.3 15.3 0 1 0-30.6 0z"
        "M23.7 64a13.3 13.3 0 1 0 26.6 0a13.3 13.3 0 1 0-26.6 0z",
    ),
}
"""The look of a card by its suit."""
RANKS: Mapping[str, Face] = {
    "Commander": Face(marks="M45 9 51 14 57 9"),
    "Mistress": Face(marks="M45 9 51 14 57 9M45 15 51 20 57 15"),
    "Master": Face(marks="M45 9 51 14 57 9M45 15 51 20 57 15M45 21 51 26 57 21"),
    "Ace": Face(
        fills="M51 6 53.4 11.5 59.3 12 54.8 16 56.2 21.8 51 18.7 45.8 21.8 47.2 16 42.7 12"
        " 48.6 11.5z"
    ),
}
"""The marks of a rank, as well as the suit's."""
_BLADE = "M29.7 44.6 32 41.8 34.3 44.6V70.4H29.7z"
_HILT = "M23.7 71.3H40.3M32 71.3V81.4"
_RING = "M20 63a12 12 0 1 0 24 0a12 12 0 1 0-24 0z"
_EMBLEMS = {
    "Idiot": (
        _RING + "M20 63C20 39.1 9.9 44.6 11.8 53.8M44 63C44 39.1 54.1 44.6 52.2 53.8"
        "M27.4 67.6C30.2 70.4 33.8 70.4 36.6 67.6",
        "",
    ),
    "Rancor": (
        "",
        "M18.2 48.3C20 61.2 21 70.4 16.4 79.6C24.6 72.2 25.6 59.3 22.8 47.4z"
        "M29.2 46.4C31.1 61.2 32 72.2 27.4 81.4C36.6 72.2 37.5 59.3 34.8 45.5z"
        "M41.2 47.4C43 61.2 44 70.4 40.3 79.6C48.6 72.2 49.5 59.3 46.7 48.3z",
    ),
    "Jedi Knight": (_HILT, _BLADE),
    "Jedi Master": (
        _HILT + "M22.8 52A12.9 12.9 0 0 0 22.8 66.7M41.2 52A12.9 12.9 0 0 1 41.2 66.7"
        "M17.3 49.2A18.4 18.4 0 0 0 17.3 67.6M46.7 49.2A18.4 18.4 0 0 1 46.7 67.6",
        _BLADE,
    ),
    "Dark Jedi": (
        "M32 41.8V45.5M32 80.5V84.2M10.8 63H14.5M49.5 63H53.2",
        "M16.4 63a15.6 15.6 0 1 0 31.2 0a15.6 15.6 0 1 0-31.2 0z"
        "M20.5 63a11.5 11.5 0 1 0 23 0a11.5 11.5 0 1 0-23 0z",
    ),
    "Lord of the Sith": (
        "",
        "M32 44.6 46.7 54.7V74L38.4 81.4 32 74 25.6 81.4 17.3 74V54.7z"
        "M21.9 62.1 29.2 65.8V69.4L21.9 66.7zM42.1 62.1 34.8 65.8V69.4L42.1 66.7z",
    ),
    "Smuggler": (
        "",
        "M32 44.6 37.5 61.2 50.4 72.2V76.8L36.6 73.1 34.8 79.6H29.2L27.4 73.1 13.6 76.8V72.2"
        "L26.5 61.2z",
    ),
    "Bounty Hunter": (
        _RING + "M32 43.7V56.6M32 69.4V82.3M12.7 63H25.6M38.4 63H51.3",
        "M29.7 63a2.3 2.3 0 1 0 4.6 0a2.3 2.3 0 1 0-4.6 0z",
    ),
}
"""The emblem of a character: its lines and its shapes."""
CHARACTERS: Mapping[str, Face] = {
    name: Face(colour="dark", panel=True, index=True, hairs="M9 38H55", marks=marks, fills=fills)
    for name, (marks, fills) in _EMBLEMS.items()
}
"""The look of a character by its name."""
LOOKS: Mapping[str, Face] = {**SUITS, **CHARACTERS}
"""Every look that a card can have, but for its rank."""
FACE_DOWN = Face(
    hidden=True,
    colour="violet",
    hairs="M27 46a5 5 0 1 0 10 0a5 5 0 1 0-10 0zM40 46H51M39.4 49.1 56 56M37.7 51.7 45.4 59.4"
    "M35.1 53.4 42 70M32 54V65M28.9 53.4 22 70M26.3 51.7 18.6 59.4M24.6 49.1 8 56M24 46H13"
    "M24.6 42.9 8 36M26.3 40.3 18.6 32.6M28.9 38.6 22 22M32 38V27M35.1 38.6 42 22"
    "M37.7 40.3 45.4 32.6M39.4 42.9 56 36M11 11H20M11 11V20M53 11H44M53 11V20M11 81H20"
    "M11 81V72M53 81H44M53 81V72",
)
"""The look of every card that lies face down."""


def look_of(card: Card) -> Face:
    """Returns the look of a card, by its suit and its rank, or by its character."""
    if card.character:
        return CHARACTERS[card.name]
    suit, rank = SUITS[card.suit], RANKS.get(card.rank, Face())
    return structs.replace(suit, marks=suit.marks + rank.marks, fills=suit.fills + rank.fills)

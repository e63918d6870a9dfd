"""Draws the cards of any game, by their looks, and the chips.

Digits and signs are strokes of our own, the same on every machine; other characters are text.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256
from textwrap import wrap

import msgspec

from arena.core.scene import Face, Print

GLYPHS = {
    "0": "M5 1a4 4 0 0 1 4 4v6a4 4 0 0 1-8 0V5a4 4 0 0 1 4-4z",
    "1": "M2 4.2 5.6 1V15",
    "2": "M1.2 5A3.9 3.9 0 0 1 9 5.2C9 8 5 10.6 1.2 15H9.2",
    "3": "M1.3 1H8.7L4.9 6.3A4.3 4.35 0 1 1 .9 12.4",
    "4": "M6.8 15V1L.8 10.9H9.4",
    "5": "M8.5 1H2.5L1.8 7.2A4.2 4.4 0 1 1 1 12.8",
    "6": "M7.4 1C4 3.2 1 6.6 1 10.7A4.05 4.3 0 1 0 1.6 8.6",
    "7": "M1 1H9L4 15",
    "8": "M5 1A3.3 3.2 0 1 1 5 7.4A3.3 3.2 0 1 1 5 1zM5 7.4A4.05 3.8 0 1 1 5 15"
         "A4.05 3.8 0 1 1 5 7.4z",
    "9": "M2.6 15C6 12.8 9 9.4 9 5.3A4.05 4.3 0 1 0 8.4 7.4",
    "+": "M5 4.3V11.7M1.3 8H8.7",
    "-": "M1.3 8H8.7",
    "±": "M5 2.5V9.1M1.7 5.8H8.3M1.7 13H8.3",
    "×": "M2 5 8 11M8 5 2 11",
    "/": "M8.3 1 1.7 15",
}  # fmt: skip
"""Characters as paths, 10 wide; digits are 14 high."""
_NARROW = {"1": (7, 1.0), "/": (9, 0.5)}
"""Width and shift to the left of characters that are not 8 wide."""
LONG = 4
"""Characters that fit on a card in large letters."""
LINE = 10
"""Characters of a line of small letters on a card."""
REMEMBERED = 1024
"""Cards that are not laid out again when they come again."""
STEPS = 3, 10, 40, 100
"""Amounts from which on a stack has a chip more than one."""


class Stroke(msgspec.Struct, frozen=True):
    """One glyph at its place."""

    place: str
    path: str


class Letters(msgspec.Struct, frozen=True):
    """A text at its place, where it is not all of glyphs."""

    text: str
    x: float
    y: float
    size: float
    small: bool = False


class Card(msgspec.Struct, frozen=True, kw_only=True):
    """A card as it is drawn.

    Attributes:
        id: Its name on the page, the same for all like it.
        face: What the game says about it.
        strokes: Its glyphs.
        width: The width of their lines.
        letters: Its strings of other characters.
    """

    id: str
    face: Face
    strokes: tuple[Stroke, ...] = ()
    width: float = 2.7
    letters: tuple[Letters, ...] = ()

    @property
    def panel(self) -> str:
        """The colour of its panel; empty for a card of paper."""
        if self.face.hidden:
            return self.face.colour or "back"
        return (self.face.colour or "dark") if self.face.panel else ""

    @property
    def ink(self) -> str:
        """The class of its letters."""
        if self.panel:
            return "on-gold" if self.panel == "gold" else "on-panel"
        return f"ink-{self.face.colour or 'plain'}"


@lru_cache(REMEMBERED)
def card(face: Face) -> Card:
    """Lays out a card."""
    if face.hidden:
        return Card(id=card_id(face), face=face)
    strokes, letters = list[Stroke](), list[Letters]()
    for each in face.prints or _prints(face):
        if each.text and all(char in GLYPHS for char in each.text):
            strokes += _strokes(each)
        elif each.text:
            letters.append(Letters(each.text, each.x, each.y + each.height * 0.36, each.height))
    if not (face.panel or face.index or face.prints):
        letters += _small(face)
    return Card(id=card_id(face), face=face, strokes=tuple(strokes), letters=tuple(letters))


@lru_cache(REMEMBERED)
def card_id(face: Face) -> str:
    """Returns the name of a card's drawing on a page."""
    return f"c{sha256(msgspec.json.encode(face)).hexdigest()[:7]}"


def chips(amount: int) -> int:
    """Returns how many chips the stack of an amount has: one to five."""
    return 1 + sum(amount >= step for step in STEPS)


def _large(face: Face) -> str:
    return face.large or (face.name if len(face.name) <= LONG else "")


def _prints(face: Face) -> tuple[Print, ...]:
    """The large text at its place: in the middle, or at the upper left."""
    text = _large(face)
    width = _width(text, 2.0)
    if face.index:
        height = (21 if face.panel else 26) * min(1, 24 / width)
        left, top = (10 if len(text) > 1 else 11, 22) if face.panel else (8, 23)
        return (Print(text, left + width * height / 28, top, height),)
    if face.panel:
        most = 28 if face.marks or face.fills else 38 if len(text) < 2 else 33
        return (Print(text, 32, 46, min(most, 46 * 14 / width)),)
    middle = 66 if face.sign else 40 if _small(face) else 46
    return (Print(text, 32, middle, min(32, 46 * 14 / width)),)


def _width(text: str, gap: float) -> float:
    widths = [_NARROW.get(char, (8, 1.0))[0] for char in text]
    return max(sum(widths) + gap * (len(widths) - 1), 1)


def _strokes(each: Print, gap: float = 2.0) -> list[Stroke]:
    scale = each.height / 14
    x = each.x - _width(each.text, gap) * scale / 2
    found = []
    for char in each.text:
        width, shift = _NARROW.get(char, (8, 1.0))
        place = f"translate({_short(x - shift * scale)} {_short(each.y - 8 * scale)})"
        found.append(Stroke(f"{place} scale({_short(scale)})", GLYPHS[char]))
        x += (width + gap) * scale
    return found


def _small(face: Face) -> list[Letters]:
    large = _large(face)
    rest = [text for text in (face.name, face.counts) if text not in ("", large)]
    lines = [line for text in ([face.small] if face.small else rest) for line in wrap(text, LINE)]
    lines = lines[: 2 if large else 5]
    top = 86 - 10 * (len(lines) - 1) if large else 50 - 5 * (len(lines) - 1)
    return [Letters(line, 32, top + 10 * at, 9, True) for at, line in enumerate(lines)]


def _short(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")

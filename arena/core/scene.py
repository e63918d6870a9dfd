"""Scenes: an onlooker's view of a match, as data from which any board is drawn.

A game's ``Board.scene`` makes it; text, pictures and documents are drawn from it without knowing
the game. It holds nothing that its onlooker may not know: ``arena check game`` deals the hidden
cards again and compares scenes byte for byte.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from textwrap import fill, wrap
from typing import Literal, TypeAlias, TypeVar

import msgspec

COLUMNS = 80
"""Width of a text board."""
_FIRM = "\u00a0"  # lines do not break here

T = TypeVar("T")
Amount: TypeAlias = bool | int | str
"""The value of a fact."""
Colour: TypeAlias = Literal["", "blue", "red", "green", "gold", "violet", "dark"]
"""The colour of a card, which each board mixes for itself; empty for none."""
Role: TypeAlias = Literal[
    "", "lit", "dealer", "warning", "out", "stands", "folded", "won", "lost",
    "large", "dots", "chips", "stake", "word",
]  # fmt: skip
"""The look of a fact: a lamp that is on, the dealer's disc, a warning; the state of a seat: it
takes no more part, stands, has folded, has won or lost what is over; or of its amount: in large
letters, as dots, as the chips that a seat has or has put in, or as a word that needs no label."""
MATCH = "match"
"""The ``over`` of a verdict on the whole match."""


class Print(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """A text at a place of a card, which is 64 wide and 92 high.

    Attributes:
        text: Digits, signs and letters; a few of them.
        x: Its middle from the left.
        y: Its middle from the top.
        height: The height of a digit.
    """

    text: str
    x: float
    y: float
    height: float


class Face(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """One card, face up or down; its looks may say only what its onlooker may know.

    Attributes:
        name: Its name; empty for a back.
        kind: The family of cards it belongs to, as the game names it (Pazaak: ``plus``; Sabacc:
            the suit).
        counts: The value it counts now, where the name does not say it.
        hidden: Whether it lies face down for this onlooker.
        colour: The colour of its letters and signs; of the whole card, where it has a panel.
        panel: Whether its colour fills it within a frame of paper, with letters in white.
        second: A second colour of the panel, above its diagonal.
        corner: The colour of a corner at the lower right: what else the card could be.
        index: Whether the large text stands at the upper left, so that a fan of cards shows it.
        dashed: Whether the index has a dashed frame: the card may count something else.
        sign: Its sign, as the path of an SVG that is filled, 64 wide and 40 high.
        hairs: Thin pale lines anywhere on it, as a path that is stroked, 64 wide and 92 high.
        marks: Lines anywhere on it, as a path that is stroked, 64 wide and 92 high.
        fills: Shapes anywhere on it, as a path that is filled, 64 wide and 92 high.
        prints: Strings at places of their own, instead of the large and the small text.
        large: The text in large letters; a short name, unless the game says otherwise.
        small: The text in small letters; the name and ``counts``, where they are not the large
            text, unless the game says otherwise. A card with a panel or an index has none.
    """

    name: str = ""
    kind: str = ""
    counts: str = ""
    hidden: bool = False
    colour: Colour = ""
    panel: bool = False
    second: Colour = ""
    corner: Colour = ""
    index: bool = False
    dashed: bool = False
    sign: str = ""
    hairs: str = ""
    marks: str = ""
    fills: str = ""
    prints: tuple[Print, ...] = ()
    large: str = ""
    small: str = ""

    def __str__(self) -> str:
        if self.hidden:
            return "?"
        return f"{self.name}:{self.counts}" if self.counts else self.name


BACK = Face(hidden=True)
"""A card that lies face down; one is like another."""


class Zone(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """A place on the table where cards lie.

    Attributes:
        label: Its name for people, e.g. ``"hand"``; with ``seat`` unique in a scene.
        cards: The cards in order; ``BACK`` for those that this onlooker may not see.
        seat: Whose it is; ``None`` for a place that all share.
        places: The squares that there are for cards, free ones included; 0 where no squares are.
        worth: The cards' common value in words, as far as they are seen.
    """

    label: str
    cards: tuple[Face, ...] = ()
    seat: int | None = None
    places: int = 0
    worth: str = ""


class Fact(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """One thing to know next to the cards.

    Attributes:
        label: Its name for people, e.g. ``"pot"``; with ``seat`` unique in a scene.
        value: Its value; ``True`` where the label is enough, like a light that is on.
        seat: The seat that it is about; ``None`` for the whole table.
        role: Its look.
        most: The most that its value can be, where dots show it; 0 where that is not known.
    """

    label: str
    value: Amount = True
    seat: int | None = None
    role: Role = ""
    most: int = 0

    def __str__(self) -> str:
        return self.label if self.value is True else f"{self.label} {self.value}"


class Verdict(msgspec.Struct, frozen=True, omit_defaults=True):
    """The end of a set, a hand or a match, and its winners; seats are ``seat N`` in its strings.

    Attributes:
        over: What is over: ``"set 1"``, ``"hand 2"``, ``"match"``.
        winners: The seats that won it; several share it; none if nobody did.
        reason: Why, for people: ``"seat 1 drew 10 and stood at 24, above 20"``.
        score: What each seat has, seat after seat: ``"20 : 24"``.
        events: Number of events from the position before to this end; ``None`` for all of them.
    """

    over: str
    winners: tuple[int, ...] = ()
    reason: str = ""
    score: str = ""
    events: int | None = None

    @property
    def headline(self) -> str:
        """The winners and the thing won: ``"seat 0 wins set 1"``; equal scores are a draw."""
        what = f"the {self.over}" if self.over == MATCH else self.over
        names = [f"seat {seat}" for seat in self.winners]
        if not names:
            drawn = len({*self.score.split(" : ")}) == 1 and self.score
            return f"{what} is drawn" if drawn else f"nobody wins {what}"
        if len(names) == 1:
            return f"{names[0]} wins {what}"
        return f"{', '.join(names[:-1])} and {names[-1]} share {what}"

    def __str__(self) -> str:
        score = f", {self.score}" if self.score else ""
        return f"{self.headline}{score}{': ' if self.reason else ''}{self.reason}"


class Scene(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The view of an onlooker at one position of a match.

    Attributes:
        title: One line for people, e.g. ``"Set 2"``.
        turn: The seat that is to act; ``None`` at the end. Before chance acts it is either the seat
            that has the turn or ``None``.
        zones: The cards, place by place.
        facts: Everything else, the most important first.
        notes: Lines of text for what has no place on a board.
        back: How a card looks face down, by its colour and hairs.
        verdict: The end that it shows, and its winners; ``None`` at a decision.
    """

    title: str = ""
    turn: int | None = None
    zones: tuple[Zone, ...] = ()
    facts: tuple[Fact, ...] = ()
    notes: tuple[str, ...] = ()
    back: Face = BACK
    verdict: Verdict | None = None

    @property
    def seats(self) -> tuple[int, ...]:
        """Every seat that a zone or a fact is about, ascending."""
        about = {zone.seat for zone in self.zones} | {fact.seat for fact in self.facts}
        return tuple(sorted(seat for seat in about if seat is not None))

    def value(self, label: str, seat: int | None = None) -> Amount | None:
        """Returns the value of a fact; ``None`` when the scene has no such fact."""
        found = (fact.value for fact in self.facts if fact.label == label and fact.seat == seat)
        return next(found, None)

    def zone(self, label: str, seat: int | None = None) -> Zone:
        """Returns the place of that label; an empty one when the scene has none."""
        found = (zone for zone in self.zones if zone.label == label and zone.seat == seat)
        return next(found, Zone(label, seat=seat))


def split_events(events: Sequence[T], held: Sequence[Scene]) -> list[Sequence[T]]:
    """Splits the events between two positions by the ends among them.

    Args:
        events: The events, in order.
        held: The scene of each end, in order.

    Returns:
        The events before each end, since the end before it; last those after all ends.
    """
    found, last = [], 0
    for scene in held:
        number = scene.verdict.events if scene.verdict else None
        until = len(events) if number is None else min(max(number, last), len(events))
        found.append(events[last:until])
        last = until
    return [*found, events[last:]]


def draw_text(scene: Scene) -> str:
    """Returns a scene of any game as plain text, in at most 80 columns but for its notes."""
    lines = wrap(scene.title, COLUMNS)
    if scene.verdict:
        lines.append(verdict_text(scene.verdict))
    for seat in (None, *scene.seats):
        lines += _draw_part(scene, seat)
    return "\n".join([*lines, *scene.notes])


def verdict_text(verdict: Verdict) -> str:
    """Returns a verdict as one line of plain text, or some."""
    return fill(f"* {verdict}", COLUMNS, subsequent_indent="  ")


def _draw_part(scene: Scene, seat: int | None) -> Iterator[str]:
    facts = ", ".join([str(fact) for fact in scene.facts if fact.seat == seat])
    if seat is not None:
        facts = f"{'>' if scene.turn == seat else ' '} seat {seat}{facts and '  '}{facts}"
    yield from _wrapped(facts, "  ")
    for zone in scene.zones:
        if zone.seat == seat:
            cards = [f"[{card}]" for card in zone.cards]
            cards += ["[ ]"] * (zone.places - len(cards))
            row = " ".join([card.replace(" ", _FIRM) for card in cards]) or "empty"
            text = f"{zone.label}: {row}{' = ' if zone.worth else ''}{zone.worth}"
            yield from (line.replace(_FIRM, " ") for line in _wrapped(text, "    "))


@lru_cache(maxsize=4096)  # from position to position most lines stay the same
def _wrapped(text: str, indent: str) -> tuple[str, ...]:
    return tuple(wrap(text, COLUMNS, initial_indent=indent, subsequent_indent="      "))

"""Places the parts of a scene on a board: panels of seats, rows of cards, badges and amounts.

A board is drawn from ``Scene`` alone, which says how its cards look, so that boards of extensions'
games are no plainer than ours. A page holds each different card once; boards refer to it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from hashlib import sha256
from itertools import count
from math import ceil, sqrt
from textwrap import wrap

import msgspec
from markupsafe import Markup

from arena.core.scene import Face, Fact, Scene, Zone
from arena.pages.templates import environment

TEMPLATE = "board.svg.jinja"
WIDTH, HEIGHT, GAP = 64, 90, 6
"""Size of a card, and the room between two."""
ROW = 5
"""Cards that lie side by side; more of them overlap."""
SHORT, SHORTEST = 4, 2
"""Characters that fit on a card in large letters, and in the largest."""
LINE = 9
"""Characters of a line of small letters on a card."""
BACK = "card-back"
"""Name of the drawing of a card face down."""
MAX_DOTS = 6
"""Dots besides an amount; a larger amount has none."""
REMEMBERED = 1024
"""Cards and rows of cards that are not laid out again when they come again."""


class Card(msgspec.Struct, frozen=True):
    """A card as it is drawn.

    Attributes:
        id: Its name on the page, the same for all like it.
        style: Its classes in the style sheet.
        sign: Its sign, as the path of an SVG.
        large: Text in large letters.
        lines: Lines in small letters.
    """

    id: str
    style: str
    sign: str
    large: str
    lines: tuple[str, ...]


class Spot(msgspec.Struct, frozen=True):
    """A card at its place; ``id`` is that of a card, or ``BACK``."""

    id: str
    x: int
    y: int


class Row(msgspec.Struct, frozen=True):
    """Cards that lie together.

    Attributes:
        text: All of it in words.
        note: What the cards count together.
        free: The free squares, as the path of an SVG.
    """

    label: str
    text: str
    note: str
    width: int
    height: int
    spots: tuple[Spot, ...]
    free: str = ""


class Amount(msgspec.Struct, frozen=True):
    """A label with its value; ``dots`` is how many dots are drawn next to it."""

    label: str
    value: str
    style: str = ""
    dots: int = 0


class Panel(msgspec.Struct, frozen=True, kw_only=True):
    """All that lies at one place of the table.

    Attributes:
        name: The player; empty for the middle of the table.
        cause: Why the seat has lost or was eliminated; empty if it was not.
        badges: The facts that are on.
    """

    name: str = ""
    turn: bool = False
    out: bool = False
    cause: str = ""
    badges: tuple[Fact, ...] = ()
    amounts: tuple[Amount, ...] = ()
    rows: tuple[Row, ...] = ()


class Board(msgspec.Struct, frozen=True, kw_only=True):
    """A scene with every part at its place.

    Attributes:
        layout: Class of the style sheet that places the seats.
        cards: The different cards on it.
    """

    title: str
    layout: str
    middle: Panel
    seats: tuple[Panel, ...]
    notes: tuple[str, ...]
    cards: tuple[Card, ...]


def board(scene: Scene, names: Sequence[str], causes: Mapping[int, str] = {}) -> Board:
    """Places the parts of a scene.

    Args:
        names: The players by seat.
        causes: For seats that have lost by a fault or were eliminated, why.
    """
    faces = [face for zone in scene.zones for face in zone.cards if not face.hidden]
    title, facts = scene.title.lower(), defaultdict[int | None, list[Fact]](list)
    for fact in scene.facts:
        if str(fact).lower() != title:
            facts[fact.seat].append(fact)
    return Board(
        title=scene.title,
        layout=f"seats{len(names)}" if len(names) <= 6 else "many",
        middle=_panel(scene, facts[None], None, "", ""),
        seats=tuple(
            [
                _panel(scene, facts[seat], seat, name, causes.get(seat, ""))
                for seat, name in enumerate(names)
            ]
        ),
        notes=scene.notes,
        cards=different(map(_card, faces)),
    )


def draw_boards(boards: Iterable[Board], first: int = 0) -> list[Markup]:
    """Draws the boards of one page; equal parts, of which a match has many, are drawn once.

    Args:
        first: The seat that is drawn at the first place.
    """
    whole, around, details = _macro("board"), _macro("panel"), _macro("details")
    amount, row = cache(_macro("amount")), cache(_macro("row"))

    def inside(panel: Panel) -> Markup:
        return details(_joined(map(amount, panel.amounts)), _joined(map(row, panel.rows)))

    @cache
    def drawn(panel: Panel, number: int) -> Markup:
        return around(panel, number, inside(panel))

    return [
        whole(
            each,
            inside(each.middle),
            _joined(map(drawn, [*each.seats[first:], *each.seats[:first]], count())),
        )
        for each in boards
    ]


def _joined(drawn: Iterable[Markup]) -> Markup:
    """Joins what is drawn, which ``Markup.join`` would look at again."""
    return Markup("".join(drawn))


def draw_board(board: Board, first: int = 0) -> Markup:
    """Draws a board for a page that has no other, with its cards; its styles are ``board.css``.

    Args:
        first: The seat that is drawn at the first place.
    """
    return _macro("cards")(board.cards) + draw_boards([board], first)[0]


def _macro(name: str) -> Callable[..., Markup]:
    found: Callable[..., Markup] = getattr(environment().get_template(TEMPLATE).module, name)
    return found


def different(cards: Iterable[Card]) -> tuple[Card, ...]:
    """Returns every different card once, in order of their names."""
    return tuple(sorted({card.id: card for card in cards}.values(), key=lambda card: card.id))


def _panel(scene: Scene, facts: Sequence[Fact], seat: int | None, name: str, cause: str) -> Panel:
    flags = [fact for fact in facts if fact.value is True and not cause.startswith(fact.label)]
    return Panel(
        name=name,
        cause=cause,
        turn=seat is not None and scene.turn == seat and not cause,
        out=bool(cause) or any(fact.role in ("out", "folded") for fact in flags),
        badges=tuple(flags),
        amounts=tuple([_amount(fact) for fact in facts if fact.value is not True]),
        rows=tuple([_row(zone) for zone in scene.zones if zone.seat == seat]),
    )


def _amount(fact: Fact) -> Amount:
    dots = fact.value if fact.role == "dots" and isinstance(fact.value, int) else 0
    style = "large" if fact.role == "large" else ""
    return Amount(fact.label, str(fact.value), style, dots if dots <= MAX_DOTS else 0)


@lru_cache(REMEMBERED)
def _row(zone: Zone) -> Row:
    count = max(zone.places, len(zone.cards))
    columns = ceil(sqrt(zone.places)) if zone.places else max(count, 1)
    step = WIDTH + GAP
    if columns > ROW and not zone.places:
        step = (ROW - 1) * step // (columns - 1)
    places = [(n % columns * step, n // columns * (HEIGHT + GAP)) for n in range(count)]
    width, height = (max([each[axis] for each in places], default=0) for axis in (0, 1))
    free = places[len(zone.cards) :]
    return Row(
        label=zone.label,
        text=_text(zone),
        note=zone.worth,
        width=width + WIDTH if count else 0,
        height=height + HEIGHT,
        spots=tuple([Spot(_id(face), *at) for face, at in zip(zone.cards, places, strict=False)]),
        free="".join(f"M{x + 2} {y + 2}h{WIDTH - 4}v{HEIGHT - 4}h{4 - WIDTH}z" for x, y in free),
    )


def _text(zone: Zone) -> str:
    hidden = sum(face.hidden for face in zone.cards)
    known = [
        f"{face.name} ({face.counts})" if face.counts else face.name
        for face in zone.cards
        if not face.hidden
    ]
    back = [f"{hidden} face down"] if hidden else []
    worth = f"; {zone.worth}" if zone.worth else ""
    return f"{zone.label}: {', '.join([*known, *back]) or 'no cards'}{worth}"


@lru_cache(REMEMBERED)
def _card(face: Face) -> Card:
    large = face.large or (face.name if len(face.name) <= SHORT else "")
    rest = [text for text in (face.name, face.counts) if text != large]
    small = [face.small] if face.small else rest
    lines = [line for text in small for line in wrap(text, LINE)]
    style = face.colour if len(large) <= SHORTEST else f"{face.colour} long".lstrip()
    return Card(_id(face), style, face.sign, large, tuple(lines[: 3 if large else 5]))


@lru_cache(REMEMBERED)
def _id(face: Face) -> str:
    if face.hidden:
        return BACK
    return f"c{sha256(msgspec.json.encode(face)).hexdigest()[:7]}"

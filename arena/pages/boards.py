"""Places the parts of a scene on a board: seats with their plates and cards, and what all share.

A board is drawn from nothing but a ``Scene``, so that boards of extensions' games are no plainer
than ours. Two seats with squares for cards face each other; all others sit around a middle. A page
holds each different card once; boards refer to it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from itertools import compress
from math import ceil, sqrt
from typing import Literal, TypeAlias

import msgspec
from markupsafe import Markup

from arena.core.scene import Face, Fact, Role, Scene, Zone
from arena.core.table import minus
from arena.pages.cards import REMEMBERED, Card, card, chips
from arena.pages.templates import environment

TEMPLATE = "board.svg.jinja"
Size: TypeAlias = Literal["", "feature", "mini"]
"""The size of a board: of a page about it, one among others, or a small one."""
MAX_DOTS = 6
"""Dots of an amount; a larger amount is a number."""
MAX_SEATS = 6
"""Seats that have places around the middle; more of them are in rows."""
STATES: Mapping[Role, tuple[str, str]] = {
    "out": ("out", "out"),
    "won": ("won", "win"),
    "lost": ("lost", "out"),
    "folded": ("folded", "fold"),
    "stands": ("stand", "stand"),
    "lit": ("stand", "stand"),
    "warning": ("warning", "up"),
}
"""Class of a seat and icon by the role of a fact about it, the first one counts most."""

_AMOUNTS: tuple[Role, ...] = ("large", "chips", "stake")


class Row(msgspec.Struct, frozen=True):
    """Cards that lie together.

    Attributes:
        text: All of it in words.
        note: What the cards count together.
        ids: The drawings of the cards.
        free: The number of free squares.
        columns: Squares side by side; 0 where no squares are.
    """

    label: str
    text: str
    note: str
    ids: tuple[str, ...]
    free: int = 0
    columns: int = 0
    hidden: bool = False


class Amount(msgspec.Struct, frozen=True):
    """A label with its value.

    Attributes:
        chips: The chips of the stack next to it; 0 for none.
        dots: How many dots are drawn instead of it, of how many; the second is 0 for none.
    """

    label: str
    value: str
    chips: int = 0
    dots: tuple[int, int] = (0, 0)


class Seat(msgspec.Struct, frozen=True, kw_only=True):
    """The cards, chips and state of one player.

    Attributes:
        state: Its class: ``turn``, ``won``, ``lost``, ``out``, ``folded``, ``stand`` or none.
        word: The state in words.
        cause: The reason of a seat that has lost by a fault or was eliminated; else empty.
        total: The amount in large letters.
        facts: Everything else about it.
        rows: Its cards, place by place.
    """

    name: str
    state: str = ""
    icon: str = ""
    word: str = ""
    cause: str = ""
    dealer: str = ""
    dots: tuple[Amount, ...] = ()
    total: Amount | None = None
    money: Amount | None = None
    stake: Amount | None = None
    facts: tuple[str, ...] = ()
    rows: tuple[Row, ...] = ()


class Ending(msgspec.Struct, frozen=True, kw_only=True):
    """The verdict that a scene shows.

    Attributes:
        won: Whether somebody won.
        go: Address of the next step; empty without one.
        after: The name of the next step.
    """

    head: str
    reason: str
    score: str
    won: bool = True
    go: str = ""
    after: str = ""


class Board(msgspec.Struct, frozen=True, kw_only=True):
    """A scene with every part at its place.

    Attributes:
        layout: Classes of the style sheet that place the seats.
        facing: Whether two seats face each other.
        line: Facts besides the cards, in one line.
        say: The last event.
        at: Where in the match it is.
        win: The chances of two seats to win the match, in percent.
        cards: The cards on it, some perhaps twice.
        label: Its name on its page, where several boards have different names.
    """

    title: str
    layout: str
    facing: bool
    seats: tuple[Seat, ...]
    large: Amount | None
    shared: tuple[Row, ...]
    line: str
    say: str
    at: str
    win: tuple[int, int] | None
    ending: Ending | None
    notes: tuple[str, ...]
    cards: tuple[Card, ...]
    label: str = "table"


def board(
    scene: Scene,
    names: Sequence[str],
    causes: Mapping[int, str] = {},
    *,
    say: str = "",
    at: str = "",
    win: Sequence[float] = (),
    ending: Ending | None = None,
) -> Board:
    """Places the parts of a scene.

    Args:
        names: The players by seat.
        causes: The reasons of seats that have lost by a fault or were eliminated.
        say: The last event in words.
        at: Where in the match it is, such as ``"move 5 of 25"``.
        win: The chance of each of two seats to win the match.
        ending: The verdict, in place of the last event.
    """
    facts = defaultdict[int | None, list[Fact]](list)
    for fact in scene.facts:
        facts[fact.seat].append(fact)
    zones = defaultdict[int | None, list[Zone]](list)
    for zone in scene.zones:
        zones[zone.seat].append(zone)
    facing = len(names) == 2 and any(zone.places for zone in scene.zones)
    rows = {seat: [_row(zone, scene.back) for zone in those] for seat, those in zones.items()}
    round_table = f"n{len(names)}" if len(names) <= MAX_SEATS else "many"
    return Board(
        title=scene.title,
        layout="sides" if facing else f"ring {round_table}",
        facing=facing,
        seats=tuple(
            [
                _seat(
                    tuple(facts[seat]),
                    tuple([fact.value is True for fact in facts[seat]]),
                    tuple([row for row, _ in rows.get(seat, ())]),
                    name,
                    causes.get(seat, ""),
                    turn=scene.turn == seat,
                    ended=scene.verdict is not None,
                )
                for seat, name in enumerate(names)
            ]
        ),
        large=next((_amount(fact) for fact in facts[None] if fact.role == "large"), None),
        shared=tuple([row for row, _ in rows.get(None, ())]),
        line=minus(_line(scene.title, facts[None])),
        say=minus(say),
        at=at,
        win=_percents(win) if len(win) == 2 else None,
        ending=ending,
        notes=scene.notes,
        cards=tuple([card for those in rows.values() for _, cards in those for card in cards]),
    )


def draw_boards(boards: Iterable[Board], first: int = 0, rail: Markup = Markup()) -> list[Markup]:  # noqa: B008 (constant)
    """Draws the boards of one page; equal parts, of which a match has many, are drawn once.

    Args:
        first: The seat that is drawn at the first place.
        rail: What the person at the first place does; that person's hand is in it.
    """
    whole = _macro("board")
    seat, mid, row = (cache(_macro(name)) for name in ("seat", "middle", "row"))
    drawn = []
    for each in boards:
        turned = [*each.seats[first:], *each.seats[:first]]
        places = [
            seat(one, place, each.facing, bool(rail), place == 0, row)
            for place, one in enumerate(turned)
            if not (rail and place == 0 and not each.facing)
        ]
        drawn.append(whole(each, places, mid, row, rail))
    return drawn


def draw_board(board: Board, first: int = 0, size: Size = "", rail: Markup = Markup()) -> Markup:  # noqa: B008 (constant)
    """Draws a board for a page that has no other, with its cards; its styles are ``board.css``.

    Args:
        first: The seat that is drawn at the first place.
        size: How large it is.
        rail: As for ``draw_boards``.
    """
    drawn = draw_cards([board]) + draw_boards([board], first, rail)[0]
    return Markup('<div class="{}">{}</div>').format(size, drawn) if size else drawn


def draw_cards(boards: Iterable[Board]) -> Markup:
    """Draws the different cards of the boards of one page, which refer to them."""
    return _macro("cards")(different(card for each in boards for card in each.cards))


def draw_faces(faces: Iterable[Face]) -> Markup:
    """Draws the different ones of some cards, to which a page then refers by ``card_id``."""
    return _macro("cards")(different(map(card, faces)))


def _macro(name: str) -> Callable[..., Markup]:
    found: Callable[..., Markup] = getattr(environment().get_template(TEMPLATE).module, name)
    return found


def different(cards: Iterable[Card]) -> tuple[Card, ...]:
    """Returns every different card once, in order of their names."""
    return tuple(sorted({card.id: card for card in cards}.values(), key=lambda card: card.id))


@lru_cache(REMEMBERED)
def _seat(
    facts: tuple[Fact, ...],
    lit: tuple[bool, ...],
    rows: tuple[Row, ...],
    name: str,
    cause: str,
    *,
    turn: bool,
    ended: bool,
) -> Seat:
    """Places what a seat has; ``lit`` are the facts of ``True``, which equals 1 to the cache."""
    on = [fact for fact in compress(facts, lit) if not cause.startswith(fact.label)]
    state, icon, word = _state(on, turn=turn, cause=cause)
    by_role = {fact.role: fact for fact in reversed(facts) if fact.value is not True}
    dots = [fact for fact in facts if fact.role == "dots" and _dotted(fact)]
    drawn = [*dots, *(by_role[role] for role in _AMOUNTS if role in by_role)]
    plain = [fact for fact in facts if fact not in drawn]
    over = {"dealer"} | (STATES.keys() if state in {"won", "lost", "out"} else set())
    shown = [
        fact
        for fact in plain
        if fact.label != word
        and fact.role not in over
        and not (fact.value is True and (state == "turn" or ended))
    ]
    return Seat(
        name=name,
        state=state,
        icon=icon,
        word=word,
        cause=cause,
        dealer=next((fact.label for fact in on if fact.role == "dealer"), ""),
        dots=tuple(map(_amount, dots)),
        total=_optional(by_role.get("large")),
        money=_optional(by_role.get("chips")),
        stake=_optional(by_role.get("stake")),
        facts=tuple([minus(str(fact)) for fact in shown if not cause.startswith(fact.label)]),
        rows=rows,
    )


def _state(on: Sequence[Fact], *, turn: bool, cause: str) -> tuple[str, str, str]:
    """Returns class, icon and word of a seat's state."""
    if cause:
        return "out", "out", ""
    by_role = {fact.role: fact.label for fact in reversed(on)}
    for role, (state, icon) in STATES.items():
        if turn and role in {"stands", "lit", "warning"}:
            break
        if role in by_role:
            return state, icon, by_role[role]
    return ("turn", "turn", "to move") if turn else ("", "", "")


def _dotted(fact: Fact) -> bool:
    return isinstance(fact.value, int) and max(fact.value, fact.most) <= MAX_DOTS


def _optional(fact: Fact | None) -> Amount | None:
    return _amount(fact) if fact else None


def _amount(fact: Fact) -> Amount:
    value = fact.value if isinstance(fact.value, int) else 0
    stacked = fact.role in {"chips", "stake"} or (fact.role == "large" and fact.seat is None)
    dots = (value, max(value, fact.most)) if fact.role == "dots" else (0, 0)
    stack = chips(value) if stacked and value else 0
    return Amount(fact.label, minus(str(fact.value)), stack, dots)


def _line(title: str, facts: Sequence[Fact]) -> str:
    """The title and the facts for all in one line."""
    said = [
        str(fact.value) if fact.role == "word" else str(fact)
        for fact in facts
        if fact.role != "large"
    ]
    return ", ".join([title, *(text for text in said if text.lower() != title.lower())])


def _percents(win: Sequence[float]) -> tuple[int, int]:
    left = round(100 * min(max(win[0], 0.0), 1.0))
    return left, 100 - left


@lru_cache(REMEMBERED)
def _row(zone: Zone, back: Face) -> tuple[Row, tuple[Card, ...]]:
    """Returns the cards that lie at a place, as they are placed and as they are drawn."""
    cards = tuple([card(back if face.hidden else face) for face in zone.cards])
    row = Row(
        label=zone.label,
        text=minus(_text(zone)),
        note=minus(zone.worth),
        ids=tuple([each.id for each in cards]),
        free=max(zone.places - len(zone.cards), 0),
        columns=ceil(sqrt(zone.places)),
        hidden=bool(zone.cards) and all(face.hidden for face in zone.cards),
    )
    return row, cards


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

"""Draws a scene of any game for the terminal: cards as boxes, backs, totals, lights."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest

from rich.text import Text

from arena.core.scene import Colour, Face, Scene, Verdict, Zone
from arena.service.match.replay_text import told

BACK = "▒▒"
SQUARE = 4
"""Columns of a square, within its lines; a card of so short a name fits in it."""
MAX_WIDTH = 9
"""Columns of a line of a card's name."""
ACCENT = "bold cyan"
_TONES: Mapping[Colour, str] = {
    "": "", "blue": "blue", "red": "red", "green": "green",
    "gold": "yellow", "violet": "magenta", "dark": "bold",
}  # fmt: skip
"""The colours of cards, as a terminal has them."""


def draw(scene: Scene, names: Sequence[str], own: int | None, columns: int) -> Text:
    """Draws a scene, a person's own seat last and with its cards as boxes.

    Args:
        scene: The table.
        names: The names of the seats.
        own: The seat at the bottom; ``None`` draws all alike, in their order.
        columns: Number of columns.
    """
    seats = list(range(len(names)))
    if own is not None:
        seats = [*seats[own + 1 :], *seats[:own], own]
    facts = [str(fact) for fact in scene.facts if fact.seat is None]
    common = ", ".join(fact for fact in facts if fact.lower() not in scene.title.lower())
    lines = [Text(scene.title, "bold")]
    if scene.verdict:
        lines += _verdict(scene.verdict, names, own, columns)
    lines += _wrapped(Text(common, "dim"), columns)
    for zone in scene.zones:
        if zone.seat is None:
            lines += _zone(zone, columns, boxed=False)
    for seat in seats:
        lines.append(_title(scene, seat, names[seat]))
        for zone in scene.zones:
            if zone.seat == seat:
                # Boxes have no label: a person's other cards lie in a line that has one.
                lines += _zone(zone, columns, boxed=seat == own and zone is _hand(scene, seat))
    lines += [Text(note) for note in scene.notes]
    return Text("\n", no_wrap=True).join(lines)


def _verdict(
    verdict: Verdict, names: Sequence[str], own: int | None, columns: int
) -> Iterator[Text]:
    """The winners in one line; the score and the reason below."""
    star = "★ " if verdict.winners else ""
    yield Text(f"{star}{told(verdict.headline, names, own)}", "bold yellow")
    about = [told(text, names, own) for text in (verdict.score, verdict.reason) if text]
    yield from _wrapped(Text(": ".join(about)), columns)


def _hand(scene: Scene, seat: int) -> Zone | None:
    return next((zone for zone in scene.zones if zone.seat == seat and not zone.places), None)


def _title(scene: Scene, seat: int, name: str) -> Text:
    turn = scene.turn == seat
    facts = [fact for fact in scene.facts if fact.seat == seat]
    line = Text("▶ " if turn else "  ")
    line.append(name, ACCENT if turn else "bold")
    for fact in facts:
        lit = fact.value is True
        line.append("  ")
        line.append(f"● {fact.label}" if lit else str(fact), "yellow" if lit else "")
    return line


def _zone(zone: Zone, columns: int, *, boxed: bool) -> Iterator[Text]:
    if zone.places:
        cards = [(_short(card), card) for card in zone.cards]
        cards += [("", Face())] * (zone.places - len(cards))
        across = max(1, (columns - 3) // (SQUARE + 1))
        for start in range(0, len(cards), across):
            yield from _squares(cards[start : start + across])
    elif boxed and zone.cards and not any(card.hidden for card in zone.cards):
        yield from _boxes(zone.cards, columns)
        if zone.worth:
            yield Text(f"  = {zone.worth}")
    else:
        yield from _wrapped(_row(zone), columns)


def _short(card: Face) -> str:
    return f"{card.counts}*" if card.counts else BACK if card.hidden else card.name


def _squares(cards: Sequence[tuple[str, Face]]) -> Iterator[Text]:
    line = "─" * SQUARE
    yield Text(f"  ┌{'┬'.join([line] * len(cards))}┐", "dim")
    row = Text("  ")
    for text, card in cards:
        row.append("│", "dim")
        row.append(f"{text[:SQUARE]:^{SQUARE}}", _TONES[card.colour] or "bold")
    yield row.append("│", "dim")
    yield Text(f"  └{'┴'.join([line] * len(cards))}┘", "dim")


def _boxes(cards: Sequence[Face], columns: int) -> Iterator[Text]:
    drawn = [_box(card, place) for place, card in enumerate(cards, 1)]
    tall = max(map(len, drawn))
    room: list[list[Text]] = []
    for box in drawn:
        box[-1:-1] = [_inner("", len(box[0]) - 2, "")] * (tall - len(box))
        used = sum(len(other[0]) for other in room)
        if room and used + len(box[0]) + 2 > columns:
            yield from _beside(room)
            room = []
        room.append(box)
    yield from _beside(room)


def _beside(boxes: Sequence[Sequence[Text]]) -> Iterator[Text]:
    for parts in zip_longest(*boxes):
        yield Text("  ").append_text(Text("").join(parts))


def _box(card: Face, place: int) -> list[Text]:
    lines = [card.name]
    if len(card.name) > SQUARE:
        first, _, second = card.name.partition(" of ")
        words = card.name.split()
        lines = [first, second] if second else [words[0], " ".join(words[1:])]
    width = min(MAX_WIDTH, max(SQUARE, *map(len, lines)))
    below = f"{place}:{card.counts}" if card.counts else str(place)
    return [
        Text(f"┌{'─' * width}┐", "dim"),
        *(_inner(line, width, _TONES[card.colour] or "bold") for line in lines),
        Text(f"└{below[:width]:─^{width}}┘", "dim"),
    ]


def _inner(text: str, width: int, tone: str) -> Text:
    return Text.assemble(("│", "dim"), (f"{text[:width]:^{width}}", tone), ("│", "dim"))


def _row(zone: Zone) -> Text:
    row = Text(f"    {zone.label}: ")
    if not zone.cards:
        row.append("empty", "dim")
    for card in zone.cards:
        text = BACK if card.hidden else f"[{card}]".replace(" ", "\u00a0")  # not broken there
        row.append(text, "dim" if card.hidden else _TONES[card.colour])
        row.append(" ")
    if zone.worth:
        row.append(f"= {zone.worth}")
    return row


def _wrapped(text: Text, columns: int) -> Iterator[Text]:
    words = text.split(" ", include_separator=True)
    line = Text("  ") if not text.plain.startswith(" ") else Text("")
    for word in words:
        if len(line) + len(word.plain.rstrip()) > columns and line.plain.strip():
            yield line
            line = Text("      ")
        line.append_text(word)
    if line.plain.strip():
        yield line

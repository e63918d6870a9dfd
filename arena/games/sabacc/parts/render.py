"""Sabacc as plain text, in at most 80 columns: one seat's view, or a scene for an onlooker."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from textwrap import wrap

from arena.core.scene import BACK, Face, Fact, Scene, Zone
from arena.games.sabacc.cards.points import hand_points
from arena.games.sabacc.engine.actions import EXCHANGE_, SabaccAction
from arena.games.sabacc.engine.observation import SabaccObservation
from arena.games.sabacc.parts.scene import faces, public_scene, worth

COLUMNS = 80
_FIRM = "\u00a0"  # lines do not break here
_CLOCKS = ("at the next phase", "clock")


def render(observation: SabaccObservation) -> str:
    """The observation for a person who is to decide; no colour, no control codes."""
    o = observation
    lines = [draw(public_scene(o, {}), you=o.seat)]
    if o.hand:
        lines += _own_hand(o)
    if o.legal_actions:
        lines += _block("choices: " + _choices(o.legal_actions))
    return "\n".join(lines)


def draw(scene: Scene, you: int | None = None) -> str:
    """A scene as text, for the seat ``you`` or for an onlooker."""
    return "\n".join([*_heading(scene), *_seats(scene, you)])


def counted(cards: Sequence[Face], value: str) -> str:
    """The cards and what they count together; spaces within a card are firm."""
    return f"{', '.join(_firm(face_text(card)) for card in cards)} {_firm(f'= {value}')}"


def face_text(face: Face) -> str:
    """A card by name, with what it counts where the name does not say it."""
    return f"{face.name} ({face.counts})" if face.counts else face.name


def _own_hand(o: SabaccObservation) -> list[str]:
    cards = enumerate(map(face_text, faces(o.ranks, o.hand)), 1)
    counts = f"  it counts {worth(o.ranks, o.hand)}"
    if o.rules.mode == "points":
        dealt = o.untouched[o.seat]
        points = hand_points(o.ranks, o.hand, dealt=dealt, won=False)
        counts += f"; it scores {points}"
    return [*_block("your hand: " + "  ".join(_firm(f"{n}. {card}") for n, card in cards)), counts]


def _heading(scene: Scene) -> Iterator[str]:
    yield f"{scene.title}; {scene.value('variant')}; {scene.value('stage')}"
    if (pot := scene.value("pot")) is not None:
        carried = scene.value("carried over")
        also = f" and {carried} carried over" if carried else ""
        yield f"  pot {pot}{also}; {_stake(scene)}"
    yield from (f"  {fact}" for fact in scene.facts if fact.label in _CLOCKS)


def _stake(scene: Scene) -> str:
    owed = scene.value("to call")
    if owed is None:
        return f"last stake {scene.value('last stake')}"
    least = "the least bet or raise"
    return f"{owed} to call; {least} is {scene.value(least)}"


def _seats(scene: Scene, you: int | None) -> Iterator[str]:
    rows: list[list[Fact]] = [[] for _ in scene.seats]
    for fact in scene.facts:
        if fact.seat is not None:
            rows[fact.seat].append(fact)
    hands = {zone.seat: zone for zone in scene.zones if zone.label == "hand"}
    amounts = [[str(fact.value) for fact in row if fact.value is not True] for row in rows]
    wide = [max(map(len, column)) for column in zip(*amounts, strict=True)]
    for seat, row in enumerate(rows):
        hand = hands[seat]
        line = f"  {'>' if scene.turn == seat else ' '} seat {seat}"
        for fact, amount, width in zip(row, amounts[seat], wide, strict=False):
            line += f"  {fact.label} {amount.rjust(width)}"
        line += f"  {_number(len(hand.cards))}"
        line = ", ".join([line, *_marks(scene, seat, you, row[len(wide) :])])
        yield from _lines(line, rest=" " * 11)
        if hand.cards and BACK not in hand.cards:
            yield from _hand(hand)


@lru_cache(1024)  # a hand stays the same for many positions of a replay
def _hand(hand: Zone) -> tuple[str, ...]:
    return tuple(_block(counted(hand.cards, hand.worth), " " * 11))


def _number(cards: int) -> str:
    return f"{cards} card{'s' if cards != 1 else ' '}" if cards else "no cards"


def _marks(scene: Scene, seat: int, you: int | None, lights: Sequence[Fact]) -> Iterator[str]:
    if seat == you:
        yield "you"
    yield from map(str, lights)
    if scene.turn == seat:
        yield "to act"
    for zone in scene.zones:
        if zone.seat == seat and zone.label == "shows":
            yield "shows " + ", ".join([card.name for card in zone.cards])


def _block(text: str, indent: str = "  ") -> list[str]:
    lines = _lines(indent + text, rest=indent + "  ")
    return [line.replace(_FIRM, " ") for line in lines]


def _lines(text: str, rest: str) -> list[str]:
    if len(text) <= COLUMNS:  # most are; ``wrap`` takes 30 times as long
        return [text.rstrip(" ")]
    return wrap(text, COLUMNS, subsequent_indent=rest)


def _firm(text: str) -> str:
    return text.replace(" ", _FIRM)


def _choices(legal: Sequence[SabaccAction]) -> str:
    """The actions; runs of stakes and of exchanges in short."""
    alike = groupby(legal, lambda act: (act.kind, act.kind == EXCHANGE_ and act.count))
    return ", ".join(_in_short(tuple(group)) for _, group in alike)


def _in_short(actions: Sequence[SabaccAction]) -> str:
    texts = [action.text for action in actions]
    first, last = actions[0], actions[-1]
    if first.kind == EXCHANGE_ and len(actions) > 1:
        places = [_firm(text.removeprefix("exchange ")) for text in texts[1:]]
        return " / ".join([_firm(texts[0]), *places])
    if len(actions) > 3:
        return _firm(first.text.replace(str(first.value), f"{first.value}..{last.value}", 1))
    return ", ".join(map(_firm, texts))

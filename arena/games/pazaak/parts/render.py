"""Pazaak as plain text: one seat's view with its choices, or a scene for an onlooker."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import fill

from arena.core.actions import Action
from arena.core.scene import BACK, Face, Scene
from arena.games.pazaak.engine.observation import PazaakObservation
from arena.games.pazaak.engine.rulesets import SQUARES
from arena.games.pazaak.parts.looks import laid


def render(observation: PazaakObservation) -> str:
    """The observation for a person, in at most 80 columns; no colour, no control codes."""
    o = observation
    rival = 1 - o.seat
    lines = [
        f"Set {o.set_number}, seat {o.starter} started; sets won {o.sets} : {o.rival_sets}",
        table_line(f"you, seat {o.seat}", laid(o.table), o.total, o.standing),
        table_line(f"rival, seat {rival}", laid(o.rival_table), o.rival_total, o.rival_standing),
        f"  your hand: {' '.join(map(str, o.hand)) or 'empty'}; rival holds {o.rival_cards}",
    ]
    return "\n".join([*lines, *choices_line(o.legal_actions)])


def choices_line(legal: Sequence[Action]) -> list[str]:
    """The legal actions in a line or some; nothing where there are none."""
    choices = "choices: " + ", ".join(map(str, legal))
    return [fill(choices, 80, initial_indent="  ", subsequent_indent="    ")] if legal else []


def draw(scene: Scene) -> str:
    """The table for an onlooker, in at most 80 columns; the hands of the open seats too."""
    first, second = (scene.value("sets won", seat) for seat in (0, 1))
    starter = next(fact.seat for fact in scene.facts if fact.label == "started")
    lines = [f"{scene.title}, seat {starter} started; sets won {first} : {second}"]
    for seat in (0, 1):
        total, stands = scene.value("total", seat), bool(scene.value("stands", seat))
        lines.append(table_line(f"seat {seat}", scene.zone("table", seat).cards, total, stands))
    for seat in (0, 1):
        cards = scene.zone("hand", seat).cards
        held = f"{len(cards)} cards" if BACK in cards else " ".join(map(str, cards)) or "empty"
        lines.append(f"  seat {seat}'s hand: {held}")
    return "\n".join(lines)


def table_line(who: str, table: Sequence[Face], total: object, standing: bool) -> str:
    """One table: nine squares, the total, and whether its owner stands.

    A deck card shows its value, a side card its name and (where they differ) what it counts.
    """
    squares = " ".join(f"[{face}]" for face in table)
    free = " ".join(["[ ]"] * (SQUARES - len(table)))
    row = " ".join(part for part in (squares, free) if part)
    return f"  {who:<14} {row}  = {total}{' stands' if standing else ''}"

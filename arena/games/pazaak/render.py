"""An observation as plain text: both tables, the hand, and what may be done."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from textwrap import fill
from typing import TYPE_CHECKING

from arena.games.pazaak.cards import Square
from arena.games.pazaak.observation import PazaakObservation
from arena.games.pazaak.rulesets import SQUARES

if TYPE_CHECKING:
    from arena.games.pazaak.state import PazaakState


def render(observation: PazaakObservation) -> str:
    """The observation for a person, in at most 80 columns; no colour, no control codes."""
    o = observation
    rival = 1 - o.seat
    lines = [
        f"Set {o.set_number}, seat {o.starter} started; sets won {o.sets} : {o.rival_sets}",
        table_line(f"you, seat {o.seat}", o.table, o.total, o.standing),
        table_line(f"rival, seat {rival}", o.rival_table, o.rival_total, o.rival_standing),
        f"  your hand: {' '.join(map(str, o.hand)) or 'empty'}; rival holds {o.rival_cards}",
    ]
    if o.legal_actions:
        choices = "choices: " + ", ".join(map(str, o.legal_actions))
        lines.append(fill(choices, 80, initial_indent="  ", subsequent_indent="    "))
    return "\n".join(lines)


def render_table(state: PazaakState, open_seats: Collection[int]) -> str:
    """Both tables for an onlooker, in at most 80 columns; the hands of the open seats too."""
    first, second = state.sets
    lines = [f"Set {state.set_number}, seat {state.starter} started; sets won {first} : {second}"]
    lines += [
        table_line(f"seat {seat}", state.tables[seat], state.totals[seat], state.standing[seat])
        for seat in (0, 1)
    ]
    for seat, hand in enumerate(state.hands):
        cards = " ".join(map(str, hand)) or "empty"
        held = cards if seat in open_seats else f"{len(hand)} cards" if hand else "empty"
        lines.append(f"  seat {seat}'s hand: {held}")
    return "\n".join(lines)


def table_line(who: str, table: Sequence[Square], total: int, standing: bool) -> str:
    """One table: nine squares, the total, and whether its owner stands.

    A deck card shows its value, a side card its name and (where they differ) what it counts.
    """
    squares = " ".join(f"[{_face(sq)}]" for sq in table)
    free = " ".join(["[ ]"] * (SQUARES - len(table)))
    row = " ".join(part for part in (squares, free) if part)
    return f"  {who:<14} {row}  = {total}{' stands' if standing else ''}"


def _face(sq: Square) -> str:
    name, value = sq.face.name, str(sq.value)
    if sq.face.from_deck:
        return value
    return name if name.lstrip("+") == value else f"{name}:{value}"

"""Observations of Pazaak as plain values, each by itself.

Bots in other processes are sent the events that are new to them (``following``).
"""

from __future__ import annotations

from operator import attrgetter
from struct import Struct

from arena.core.parts.packing import MEMO, Code, Memo, Packing, row, rows
from arena.games.pazaak.engine.actions import SEAT_ACTIONS
from arena.games.pazaak.engine.cards import Square, card_of, square
from arena.games.pazaak.engine.observation import PazaakObservation
from arena.games.pazaak.engine.rulesets import PazaakRules
from arena.games.pazaak.engine.stages import NO_MARKS, Marks

_id = attrgetter("id")
_PHASES = ("deal", "opening", "start", "draw", "act", "played", "over")
_FORM = Struct("<hBh")  # what it counts, its face, the printed magnitude


def _write_square(square: Square) -> bytes:
    return _FORM.pack(square.value, square.face.id, square.printed)


def _read_square(packed: bytes) -> Square:
    value, face, printed = _FORM.unpack(packed)
    return square(value, card_of(face), printed)


# Tables are many, but of few squares.
_written = Memo(_write_square, MEMO).__getitem__
_squares = Memo(_read_square, MEMO).__getitem__


def _read_table(packed: bytes) -> tuple[Square, ...]:
    size = _FORM.size
    return tuple([_squares(packed[at : at + size]) for at in range(0, len(packed), size)])


CARDS = row(_id, card_of)
"""Code of a hand or a side deck."""
_DEALT = rows(_id, card_of)
_LEGAL = row(_id, SEAT_ACTIONS.__getitem__)
_TABLE = Code(bytes, lambda table: b"".join(map(_written, table)), _read_table)
# Most sets have no marks, and the procedure knows a fresh set by its one object.
_MARKS: Code[Marks, Marks | None] = Code(
    Marks | None,
    lambda marks: None if marks == NO_MARKS else marks,
    lambda carried: carried or NO_MARKS,
)

PACKING = Packing(
    PazaakObservation,
    "ruleset",
    {
        "legal_actions": _LEGAL,
        "side_deck": CARDS,
        "dealt": _DEALT,
        "hand": CARDS,
        "table": _TABLE,
        "rival_table": _TABLE,
        "marks": _MARKS,
    },
)
"""Packing of observations: functions that write and read them."""

_decode = PACKING.decode
_actions, _cards_of, _dealt_of = _LEGAL.things, CARDS.things, _DEALT.things
_table_of, _marks_of = _TABLE.things, _MARKS.things


def unpack(ruleset: PazaakRules, packed: bytes) -> PazaakObservation:
    """Reads an observation as ``PACKING`` does, field by field, which is faster."""
    (
        seat, legal, history, _, side_deck, dealt, hand, rival_cards, table, rival_table,
        total, rival_total, standing, rival_standing, sets, rival_sets,
        starter, set_number, phase, turn, marks,
    ) = _decode(packed)  # fmt: skip
    return PazaakObservation(
        seat, _actions[legal], history, ruleset,
        _cards_of[side_deck], _dealt_of[dealt], _cards_of[hand],
        rival_cards, _table_of[table], _table_of[rival_table],
        total, rival_total, standing, rival_standing, sets, rival_sets,
        starter, set_number, phase, turn, _marks_of[marks],
    )  # fmt: skip


def described(observation: PazaakObservation) -> dict[str, object]:
    """The fields that programs in other languages would not understand as numbers."""
    return {"phase": _PHASES[observation.phase]}

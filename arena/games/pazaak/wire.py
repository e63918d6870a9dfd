"""Observations of Pazaak on their way to bots in other processes."""

from __future__ import annotations

from operator import attrgetter
from struct import Struct

import msgspec

from arena.core.packing import MEMO, Code, Memo, Packing, row, rows
from arena.games.pazaak.actions import SEAT_ACTIONS
from arena.games.pazaak.cards import Square, card_of, square
from arena.games.pazaak.observation import PazaakObservation
from arena.games.pazaak.rulesets import PazaakRules
from arena.games.pazaak.stages import NO_MARKS, Marks
from arena.games.pazaak.state import PazaakState

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


_CARDS = row(_id, card_of)
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
        "side_deck": _CARDS,
        "dealt": _DEALT,
        "hand": _CARDS,
        "table": _TABLE,
        "rival_table": _TABLE,
        "marks": _MARKS,
    },
)
"""Packing of observations: functions that write and read them."""

_encode = msgspec.msgpack.Encoder().encode
_cards, _dealt, _legal = _CARDS.written, _DEALT.written, _LEGAL.written
_table, _marks = _TABLE.written, _MARKS.written


def pack_state(state: PazaakState, seat: int) -> bytes:
    """Writes a seat's observation as ``PACKING`` does, without making it: the hot path."""
    rival = 1 - seat
    hands, tables, totals = state.hands, state.tables, state.totals
    standing, sets = state.standing, state.sets
    return _encode(
        (
            seat, _legal[state.legal if state.player == seat else ()], state.history, None,
            _cards[state.side_decks[seat]], _dealt[state.dealt[seat]], _cards[hands[seat]],
            len(hands[rival]), _table[tables[seat]], _table[tables[rival]],
            totals[seat], totals[rival], standing[seat], standing[rival], sets[seat], sets[rival],
            state.starter, state.set_number, state.phase, state.turn, _marks[state.marks],
        )
    )  # fmt: skip


_decode = PACKING.decode
_actions, _cards_of, _dealt_of = _LEGAL.things, _CARDS.things, _DEALT.things
_table_of, _marks_of = _TABLE.things, _MARKS.things


def unpack(ruleset: PazaakRules, packed: bytes) -> PazaakObservation:
    """Reads an observation as ``PACKING`` does, field by field: the hot path of bots' processes."""
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

"""The bytes that go into a match's history, made once: by seat, then by what happened."""

from __future__ import annotations

from arena.games.pazaak import notation
from arena.games.pazaak.actions import END_TURN, STAND
from arena.games.pazaak.notation import REASONS, SEAT_1, seat_codes

ACTED = tuple(
    tuple(bytes((number,)) for number in range(start, start + notation.DREW))
    for start in (0, SEAT_1)
)
"""A seat's action: ``ACTED[seat][action.id]``."""
STOOD = seat_codes(STAND.id)
AUTO_STOOD = seat_codes(notation.AUTO_STOOD)
STARTED = seat_codes(notation.STARTED)
TIED = seat_codes(notation.TIED)

OPENED = tuple(zip(*(seat_codes(notation.OPENED + value) for value in range(11)), strict=True))
"""A card of the opening draw: ``OPENED[seat][value]``."""

DREW = tuple(
    (b"", *values)
    for values in zip(*(seat_codes(notation.DREW + value) for value in range(1, 11)), strict=True)
)
"""A deck card: ``DREW[seat][value]``; nothing while none has come (index 0)."""

ENDED_DREW = tuple(
    tuple(tuple(ended + drew for drew in values) for values in DREW)
    for ended in seat_codes(END_TURN.id)
)
"""A turn ends and the next begins, in one piece as most do: ``ENDED_DREW[seat][next][value]``."""

WON = {reason: seat_codes(notation.WON_BY + number) for number, reason in enumerate(REASONS)}
"""A set is won: ``WON[reason][winner]``."""

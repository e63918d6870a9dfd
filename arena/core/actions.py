"""Actions of games: interned values, one object for each thing a seat (or chance) can do."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from arena.core.errors import ParseError


class Action(msgspec.Struct, frozen=True, eq=False, gc=False):
    """One action of a seat or of chance, interned: a game creates each of its actions once.

    Actions compare by identity, so that legality is an identity test that no untrusted
    ``__eq__`` can answer. Games subclass it with fields of their own.

    Attributes:
        id: Index of the action within its game, 0 and up; what a record stores.
        text: The action in the game's notation, e.g. ``"play ±4 as -4"``.
    """

    id: int
    text: str

    def __str__(self) -> str:
        return self.text


_name_of_type = type.__dict__["__name__"].__get__


def type_name(answer: object) -> str:
    """Returns the name of an answer's type, short and printable, for messages in records.

    It runs no code of the answer's: a bot must not turn its own error into a harness fault.
    """
    name: str = _name_of_type(type(answer))
    return name[:40] if name.isprintable() else "object"


_NO_ACTIONS = {"str": "text", "int": "id"}
"""Types of answers that authors take for an action, and what such a value is of it."""


def not_one_of(answer: object, known: str, legal: str) -> str:
    """Returns the refusal of an illegal answer in one line.

    Args:
        answer: Whatever the bot answered; none of its code is run.
        known: The text of the answer if it is an action of the game, else empty.
        legal: The strings of the legal actions.
    """
    name = type_name(answer)
    part = _NO_ACTIONS.get(name)
    hint = f"; return the Action itself, not its {part}" if part and not known else ""
    return f"{known or name} is not one of: {legal}{hint}"


def pack_ids(ids: Sequence[int]) -> bytes:
    """Encodes action ids as base-128 varints (ids below 128: a byte each)."""
    try:
        packed = bytes(ids)
        if packed.isascii():
            return packed
    except ValueError:
        pass  # an id beyond 255, which no single byte holds
    out = bytearray()
    for number in ids:
        while number > 127:
            out.append(number & 127 | 128)
            number >>= 7
        out.append(number)
    return bytes(out)


def unpack_ids(packed: bytes) -> tuple[int, ...]:
    """Decodes the ids that ``pack_ids`` encoded; raises ``ParseError`` if the last is cut off."""
    ids: list[int] = []
    number = shift = 0
    for byte in packed:
        number |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            ids.append(number)
            number = shift = 0
    if shift:
        raise ParseError("a record's actions end inside a number")
    return tuple(ids)

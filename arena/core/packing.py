"""Encodes observations as bytes for bots in other processes, and decodes them: cheap and typed.

An observation goes as one msgpack array of its fields. Plain fields go as they are; a field that
holds interned things (cards, actions) goes in a ``Code``; the ruleset is not sent.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeVar, get_type_hints

import msgspec

from arena.core.observation import Observation

ObservationT = TypeVar("ObservationT", bound=Observation)
Thing = TypeVar("Thing")
Plain = TypeVar("Plain")

MEMO = 1 << 14
"""Entries of a memo before it is cleared."""
_END = b"\xff"


class Memo(dict[Thing, Plain], Generic[Thing, Plain]):
    """Caches a function of one argument as ``memo[thing]``, twice as fast as an ``lru_cache``."""

    def __init__(self, make: Callable[[Thing], Plain], size: int) -> None:
        super().__init__()
        self._make, self._size = make, size

    def __missing__(self, thing: Thing) -> Plain:
        if len(self) >= self._size:
            self.clear()
        made = self[thing] = self._make(thing)
        return made


class Code(Generic[Thing, Plain]):
    """Writes one field in plain values and reads it again."""

    def __init__(
        self,
        carries: object,
        write: Callable[[Thing], Plain],
        read: Callable[[Plain], Thing],
        memo: int = MEMO,
    ) -> None:
        """Creates a code that caches both directions.

        Args:
            carries: The plain type, as msgspec decodes it; must hash, as the thing must.
            write: Returns the thing in plain values; equal things are written alike.
            read: Returns a thing equal to the written one, with its interned parts.
            memo: Number of things to cache, each way.
        """
        self.carries = carries
        self.written: Memo[Thing, Plain] = Memo(write, memo)
        self.things: Memo[Plain, Thing] = Memo(read, memo)


def row(
    number_of: Callable[[Thing], int], numbered: Callable[[int], Thing]
) -> Code[tuple[Thing, ...], bytes]:
    """Returns the code of a tuple of interned things that have numbers 0..255, a byte each."""
    return Code(
        bytes,
        lambda things: bytes(map(number_of, things)),
        lambda packed: tuple(map(numbered, packed)),
    )


def rows(
    number_of: Callable[[Thing], int], numbered: Callable[[int], Thing]
) -> Code[tuple[tuple[Thing, ...], ...], bytes]:
    """Returns the code of a tuple of such tuples, for numbers 0..254."""
    one = row(number_of, numbered)
    written, things = one.written.__getitem__, one.things.__getitem__
    return Code(
        bytes,
        lambda parts: b"".join([written(part) + _END for part in parts]),
        lambda packed: tuple(map(things, packed.split(_END)[:-1])),
    )


class Packing(Generic[ObservationT]):
    """Writes the observations of one game and reads them again.

    Attributes:
        decode: Reads the plain values of the fields, in order; that of the ruleset is ``None``.
    """

    decode: Callable[[bytes], tuple[Any, ...]]

    def __init__(
        self, kind: type[ObservationT], ruleset: str, codes: Mapping[str, Code[Any, Any]]
    ) -> None:
        """Creates the encoder and decoder of one type of observation.

        Args:
            kind: The type of observation; its fields without a code are plain values, read back
                as the type that they are declared as.
            ruleset: The field that holds the ruleset.
            codes: The other fields' codes, by name.
        """
        fields = kind.__struct_fields__
        hints = get_type_hints(kind)
        carried = [codes[name].carries if name in codes else hints[name] for name in fields]
        self._kind = kind
        self._ruleset = fields.index(ruleset)
        carried[self._ruleset] = None
        places = [(fields.index(name), code) for name, code in codes.items()]
        self._written = tuple((at, code.written) for at, code in places)
        self._things = tuple((at, code.things) for at, code in places)
        self._encode = msgspec.msgpack.Encoder().encode
        self.decode = msgspec.msgpack.Decoder(tuple[tuple(carried)]).decode  # type: ignore[misc]

    def pack(self, observation: ObservationT) -> bytes:
        """Returns the observation's bytes, without its ruleset."""
        values = [*msgspec.structs.astuple(observation)]
        values[self._ruleset] = None
        for at, written in self._written:
            values[at] = written[values[at]]
        return self._encode(values)

    def unpack(self, ruleset: object, packed: bytes) -> ObservationT:
        """Returns the observation of these bytes of ``pack``, under that ruleset."""
        values = [*self.decode(packed)]
        values[self._ruleset] = ruleset
        for at, things in self._things:
            values[at] = things[values[at]]
        return self._kind(*values)

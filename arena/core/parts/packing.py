"""Encodes observations for bots in other processes, and decodes them: cheap and typed.

An observation goes as one msgpack array of its fields. Plain fields go as they are; a field that
holds interned things (cards, actions) goes in a ``Code``; the ruleset is not sent. So goes a seat's
first observation in a match; of later ones the fields that changed are enough, where it is faster.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import partial
from typing import Any, Final, Generic, TypeVar, get_args, get_origin, get_type_hints

import msgspec

from arena.core.described import described
from arena.core.observation import Observation

ObservationT = TypeVar("ObservationT", bound=Observation)
Thing = TypeVar("Thing")
Plain = TypeVar("Plain")

MEMO = 1 << 14
"""Entries of a memo before it is cleared."""
_END = b"\xff"
_GROWS: Final = object()
"""Stands where a code would, for a field of which only what was added is sent."""
_AS_READ: Final = (None, bool, int, float, str, bytes)
"""Types of values that msgpack reads as they were written, whatever they are declared as."""
_MAX_FIELDS: Final = 64
"""Bits of the largest number in msgpack, one for each place of a field that changed."""


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


def _places(bits: int) -> list[int]:
    return [at for at in range(_MAX_FIELDS) if bits >> at & 1]


_PLACES: Final[Memo[int, list[int]]] = Memo(_places, 1 << 12)
_NO_RULESET: Final[Memo[object, None]] = Memo(lambda _: None, 1)


def _fields_seen(state: Any, seat: int) -> tuple[object, ...]:  # noqa: ANN401 - a state of any game
    fields: tuple[object, ...] = msgspec.structs.astuple(state.observation(seat))
    return fields


class _Sender:
    __slots__ = ("_fields_of", "_packing", "_sent", "_writers")

    def __init__(
        self,
        packing: Packing[Any],
        writers: list[Any],
        fields_of: Callable[[Any, int], tuple[object, ...]],
    ) -> None:
        self._packing: Packing[Any] = packing
        self._writers: list[Any] = writers
        self._fields_of = fields_of
        self._sent: dict[int, tuple[object, ...]] = {}

    def pack(self, state: object, seat: int) -> object:
        """Returns the values of the fields that changed, and at last the bits of their places.

        The hot path. The first time it is all of them, as bytes. What is equal, but not the same
        object as before, is sent again.
        """
        fields = self._fields_of(state, seat)
        before = self._sent.get(seat)
        self._sent[seat] = fields
        if before is None:
            return self._packing.write(fields)
        writers = self._writers
        values: list[object] = []
        places = 0
        bit = 1
        for at in range(len(fields)):
            value = fields[at]
            if value is not before[at]:
                writer = writers[at]
                if writer is None:
                    values.append(value)
                elif writer is _GROWS:
                    values.append(_added(value, before[at]))
                else:
                    values.append(writer[value])
                places += bit
            bit += bit
        values.append(places)
        return values


def _added(value: Any, before: Any) -> bytes:  # noqa: ANN401 - bytes, as declared
    whole: bytes = value
    known: int = len(before)
    return whole[known:]


class _Receiver:
    __slots__ = ("_kind", "_packing", "_readers", "_ruleset", "_ruleset_at", "_values")

    def __init__(
        self, packing: Packing[Any], readers: list[Any], ruleset: object, ruleset_at: int
    ) -> None:
        self._packing: Packing[Any] = packing
        self._kind: Any = packing.kind
        self._readers: list[Any] = readers
        self._ruleset = ruleset
        self._ruleset_at: int = ruleset_at
        self._values: list[Any] = []

    def unpack(self, sent: Any) -> Any:  # noqa: ANN401 - plain values
        """Returns the last observation with these changes; the hot path. The first is bytes."""
        if type(sent) is bytes:
            first = self._packing.unpack(self._ruleset, sent)
            self._values = [*msgspec.structs.astuple(first)]
            return first
        changed: list[Any] = sent
        places: list[int] = _PLACES[changed[-1]]
        values, readers = self._values, self._readers
        for at, value in zip(places, changed):  # noqa: B905 - the places themselves come last
            read = readers[at]
            if read is None:
                values[at] = value
            elif read is _GROWS:
                values[at] = values[at] + value
            else:
                values[at] = read(value)
        values[self._ruleset_at] = self._ruleset
        return self._kind(*values)


COMPILED: Final = not hasattr(_Sender.pack, "__code__")
"""True if this module is compiled. Interpreted, finding changes takes longer than writing all."""


class Packing(Generic[ObservationT]):
    """Writes the observations of one game and reads them again.

    Attributes:
        kind: The type of observation.
        decode: Reads the plain values of the fields, in order; ``None`` for the ruleset.
    """

    kind: type[ObservationT]
    decode: Callable[[bytes], tuple[Any, ...]]

    def __init__(
        self,
        kind: type[ObservationT],
        ruleset: str,
        codes: Mapping[str, Code[Any, Any]],
        growing: Collection[str] = (),
    ) -> None:
        """Creates the encoder and decoder of one type of observation.

        Args:
            kind: The type of observation; its fields without a code are plain values, read back
                as the type that they are declared as.
            ruleset: The field that holds the ruleset.
            codes: The other fields' codes, by name.
            growing: Names of fields of bytes, without a code, to which a match only ever adds at
                the end: a ``packer`` sends what was added.
        """
        fields = kind.__struct_fields__
        hints = get_type_hints(kind)
        carried = [codes[name].carries if name in codes else hints[name] for name in fields]
        self.kind = kind
        self._ruleset = fields.index(ruleset)
        carried[self._ruleset] = None
        places = [(fields.index(name), code) for name, code in codes.items()]
        self._written = tuple((at, code.written) for at, code in places)
        self._things = tuple((at, code.things) for at, code in places)
        self._encode = msgspec.msgpack.Encoder().encode
        self.decode = msgspec.msgpack.Decoder(described(tuple[tuple(carried)])).decode  # type: ignore[misc]
        self._fits = len(fields) <= _MAX_FIELDS
        self._writers: list[Any] = [
            codes[name].written if name in codes else None for name in fields
        ]
        self._readers: list[Any] = [
            _reader(plain, codes.get(name)) for name, plain in zip(fields, carried, strict=True)
        ]
        self._writers[self._ruleset] = _NO_RULESET
        for name in growing:
            at = fields.index(name)
            self._writers[at] = self._readers[at] = _GROWS

    def pack(self, observation: ObservationT) -> bytes:
        """Returns the observation's bytes, without its ruleset."""
        return self.write(msgspec.structs.astuple(observation))

    def unpack(self, ruleset: object, packed: bytes) -> ObservationT:
        """Returns the observation of these bytes of ``pack``, under that ruleset."""
        values = [*self.decode(packed)]
        values[self._ruleset] = ruleset
        for at, things in self._things:
            values[at] = things[values[at]]
        return self.kind(*values)

    def write(self, fields: tuple[object, ...]) -> bytes:
        """Returns the bytes of an observation with these fields, in order."""
        values = [*fields]
        values[self._ruleset] = None
        for at, written in self._written:
            values[at] = written[values[at]]
        return self._encode(values)

    def packer(
        self,
        fields_of: Callable[[Any, int], tuple[object, ...]] = _fields_seen,
        changes: bool = COMPILED,
    ) -> Callable[[Any, int], object]:
        """Returns a new function for ``Wire.packer``, to which ``unpacker`` belongs.

        Args:
            fields_of: Returns the fields of a seat's observation of a state, in order. Unchanged
                ones should be the same objects as before.
            changes: Whether to leave out unchanged fields; of more than 64 fields all are sent.
        """
        if changes and self._fits:
            return _Sender(self, self._writers, fields_of).pack
        write = self.write
        return lambda state, seat: write(fields_of(state, seat))

    def unpacker(self, ruleset: object, changes: bool = COMPILED) -> Callable[[Any], ObservationT]:
        """Returns a new function for ``Wire.unpacker``, for what such a ``packer`` writes."""
        if changes and self._fits:
            return _Receiver(self, self._readers, ruleset, self._ruleset).unpack
        return partial(self.unpack, ruleset)


def _reader(carries: Any, code: Code[Any, Any] | None) -> Any:  # noqa: ANN401 - types
    """Returns what makes a field of its value as msgpack reads it; ``None`` where nothing does."""
    plain = _plain_reader(carries)
    if code is None:
        return plain
    things = code.things.__getitem__
    return things if plain is None else lambda value: things(plain(value))


def _plain_reader(kind: Any) -> Any:  # noqa: ANN401 - types
    if kind in _AS_READ:
        return None
    if get_origin(kind) is tuple:
        first, *rest = get_args(kind)
        if rest == [...] and first in _AS_READ:
            return tuple
    return partial(msgspec.convert, type=described(kind))

"""The piles of ``SeatStreams``: shuffles drawn from a key, dealt in one stream a seat."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from hashlib import blake2b
from struct import Struct
from typing import Final, Generic, TypeVar

from arena.core.chance.compiling import mypyc_attr
from arena.core.errors import HarnessFault

T = TypeVar("T")

BLOCK: Final = 12
"""Numbers that are drawn at once; that many cards are taken without a loop."""
_UNPACK: Final = Struct(f"<{BLOCK}I").unpack_from
_HASH: Final = blake2b


def uniform(key: bytes, name: str, block: int = 0) -> tuple[int, ...]:
    """Returns 12 uniform 32-bit numbers, hash(seed, name), of a block; blocks follow on need."""
    text = f"{name}#{block}" if block else name
    return _UNPACK(_HASH(key + text.encode()).digest())


def take(cards: list[T], numbers: tuple[int, ...]) -> list[T]:
    """Takes a card for each number, uniformly without replacement: the shuffle's next stretch."""
    taken: list[T] = []
    for number in numbers:
        if not cards:
            break
        taken.append(cards.pop(number % len(cards)))
    return taken


@mypyc_attr(serializable=True)  # so that states copy and pickle with it, as interpreted
class Shuffled(Generic[T]):
    """One shuffle, computed 12 positions at a time, dealt in one stream a seat."""

    __slots__ = ("_key", "_name", "_next", "_rest", "_returned", "_seats", "_shuffled", "_streams")

    def __init__(self, key: bytes, name: str, cards: Sequence[T], seats: int) -> None:
        self._key, self._name, self._seats = key, name, seats
        self._rest: list[T] = [*cards]
        self._shuffled: tuple[T, ...] = tuple(take(self._rest, uniform(key, name)))
        self._next: list[int] = [0, 1] if seats == 2 else [*range(seats)]
        self._streams: list[deque[T]] = []
        self._returned = 0

    def draw(self, seat: int) -> T:
        position = self._next[seat]
        self._next[seat] = position + self._seats
        try:
            return self._shuffled[position]
        except IndexError:
            return self._draw_further(seat, position)

    def _draw_further(self, seat: int, position: int) -> T:
        """Draws at a position that is not shuffled yet, or from a stream with an end of its own."""
        if self._streams or position >= len(self._shuffled) + len(self._rest):
            return self._draw_apart(seat)
        self._shuffle_to(position)
        return self._shuffled[position]

    def _shuffle_to(self, position: int) -> None:
        while position >= len(self._shuffled):
            block = len(self._shuffled) // BLOCK
            self._shuffled += tuple(take(self._rest, uniform(self._key, self._name, block)))

    def _draw_apart(self, seat: int) -> T:
        """Draws from a stream of its own; an empty one takes the last card of the longest."""
        streams = self._apart()
        if streams[seat]:
            return streams[seat].popleft()
        longest = max(streams, key=len)
        if not longest:
            raise HarnessFault(f"pile {self._name} is empty")
        return longest.pop()

    def _apart(self) -> list[deque[T]]:
        if not self._streams:
            size, step = len(self._shuffled) + len(self._rest), self._seats
            self._shuffle_to(size - 1)
            self._streams = [deque(self._shuffled[start::step]) for start in self._next]
            self._next = [size] * step  # so that every draw comes by the streams
        return self._streams

    def put_back(self, cards: Sequence[T]) -> None:
        """Places each card at one of the positions left, or at a new one at the end of a stream.

        The card that it displaces moves to the new position. So every order of the rest stays as
        likely as any other, and of the cards to come at most one for each of these changes.
        """
        streams = self._apart()
        for card in cards:
            shortest = min(streams, key=len)
            shortest.append(card)
            (number, *_) = uniform(self._key, f"{self._name}/back/{self._returned}")
            self._returned += 1
            position = number % sum(map(len, streams))
            for stream in streams:
                if position < len(stream):
                    stream[position], shortest[-1] = shortest[-1], stream[position]
                    break
                position -= len(stream)


@mypyc_attr(serializable=True)  # so that states copy and pickle with it, as interpreted
class Unbound(Generic[T]):
    """Independent streams, one a seat, uniform over the values."""

    __slots__ = ("_key", "_name", "_next", "_numbers", "_values")

    def __init__(self, key: bytes, name: str, values: Sequence[T], seats: int) -> None:
        self._key, self._name, self._values = key, name, values
        self._numbers: list[tuple[int, ...]] = [()] * seats
        self._next = [0] * seats

    def draw(self, seat: int) -> T:
        position = self._next[seat]
        self._next[seat] = position + 1
        if position == len(self._numbers[seat]):
            name, block = f"{self._name}/seat{seat}", position // BLOCK
            self._numbers[seat] += uniform(self._key, name, block)
        return self._values[self._numbers[seat][position] % len(self._values)]


@mypyc_attr(allow_interpreted_subclasses=True)
class SeededPiles:
    """Makes piles that follow from a match seed, by the methods of ``Dealer``.

    They are here, and not in ``SeatStreams``, so that they are compiled: an abstract class is not.
    """

    __slots__ = ("_key",)

    def __init__(self, seed: int) -> None:
        self._key = seed.to_bytes(8, "little")

    def pile(self, name: str, cards: Sequence[T], seats: int) -> Shuffled[T]:
        return Shuffled(self._key, name, cards, seats)

    def deal(self, name: str, cards: Sequence[T], count: int) -> Sequence[T]:
        if count > BLOCK:
            draw = Shuffled(self._key, name, cards, 1).draw
            return [draw(0) for _ in range(count)]
        return take([*cards], uniform(self._key, name)[:count])

    def source(self, name: str, values: Sequence[T], seats: int) -> Unbound[T]:
        return Unbound(self._key, name, values, seats)

"""Dealers answer chance. One deal is everything that chance will decide in a match.

``SeatStreams`` is the dealer of real matches. Each pile (``hand/0``, ``main/3``, ...) is one
shuffle drawn from the match seed and the pile's name, and each seat draws from its own stream of
that shuffle: stream *s* of *k* takes positions *s*, *s+k*, *s+2k*, ... By exchangeability that is
exactly the law of ordinary dealing, yet a seat that draws more never shifts another's cards, so
that mirrored matches share their luck. Cards that go back into a pile take random places in the
streams: whatever they do not displace stays where it was.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from operator import mod
from struct import Struct
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from arena.core.errors import HarnessFault

if TYPE_CHECKING:
    from random import Random

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

_BLOCK = 12
_UNPACK = Struct(f"<{_BLOCK}I").unpack_from


class Pile(Protocol[T_co]):
    """A source of cards that seats draw from."""

    def draw(self, seat: int) -> T_co:
        """Returns the next card for that seat; raises ``HarnessFault`` when nothing is left."""


class Deck(Pile[T], Protocol[T]):
    """A pile to which cards can be returned."""

    def put_back(self, cards: Sequence[T]) -> None:
        """Shuffles these cards into the rest, so that all its orders are equally likely."""


class Dealer(ABC):
    """Answers chance by creating the piles that a state draws from."""

    @abstractmethod
    def pile(self, name: str, cards: Sequence[T], seats: int) -> Deck[T]:
        """Returns a shuffled pile, drawn without replacement by so many seats.

        Args:
            name: Unique among the match's piles, e.g. ``"main/3"``.
            cards: Its cards, in canonical order.
        """

    def deal(self, name: str, cards: Sequence[T], count: int) -> Sequence[T]:
        """Deals several cards from the top of a pile of their own (a hand, an opening draw)."""
        draw = self.pile(name, cards, 1).draw
        return [draw(0) for _ in range(count)]

    @abstractmethod
    def source(self, name: str, values: Sequence[T], seats: int) -> Pile[T]:
        """Returns an unbound deck or a die: draws are uniform over ``values`` and independent."""


def _uniform(key: bytes, name: str, block: int = 0) -> tuple[int, ...]:
    """Returns 12 uniform 32-bit numbers, hash(seed, name), of a block; blocks follow on need."""
    text = f"{name}#{block}" if block else name
    return _UNPACK(blake2b(key + text.encode()).digest())


def _take(cards: list[T], numbers: Sequence[int]) -> list[T]:
    """Takes a card for each number, uniformly without replacement: the shuffle's next stretch."""
    return [*map(cards.pop, map(mod, numbers, range(len(cards), 0, -1)))]


class _Shuffled(Generic[T]):
    """One shuffle, computed 12 positions at a time, dealt in one stream a seat."""

    __slots__ = ("_key", "_name", "_next", "_rest", "_returned", "_seats", "_shuffled", "_streams")

    def __init__(self, key: bytes, name: str, cards: Sequence[T], seats: int) -> None:
        self._key, self._name, self._seats = key, name, seats
        self._rest: list[T] = [*cards]
        self._shuffled: list[T] = _take(self._rest, _uniform(key, name))
        self._next: list[int] = [*range(seats)]
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
            block = len(self._shuffled) // _BLOCK
            self._shuffled += _take(self._rest, _uniform(self._key, self._name, block))

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
        """Returns the cards left in each seat's stream, separated on the first call."""
        if not self._streams:
            size, step = len(self._shuffled) + len(self._rest), self._seats
            self._shuffle_to(size - 1)
            self._streams = [deque(self._shuffled[start::step]) for start in self._next]
            self._next = [size] * step  # so that every draw comes by the streams
        return self._streams

    def put_back(self, cards: Sequence[T]) -> None:
        """Puts each card at one of the positions left, or at a new one at the end of a stream.

        The card that it displaces moves to the new position. So every order of the rest stays as
        likely as any other, and of the cards to come at most one for each of these changes.
        """
        streams = self._apart()
        for card in cards:
            shortest = min(streams, key=len)
            shortest.append(card)
            (number, *_) = _uniform(self._key, f"{self._name}/back/{self._returned}")
            self._returned += 1
            position = number % sum(map(len, streams))
            for stream in streams:
                if position < len(stream):
                    stream[position], shortest[-1] = shortest[-1], stream[position]
                    break
                position -= len(stream)


class _Unbound(Generic[T]):
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
            name, block = f"{self._name}/seat{seat}", position // _BLOCK
            self._numbers[seat] += _uniform(self._key, name, block)
        return self._values[self._numbers[seat][position] % len(self._values)]


class SeatStreams(Dealer):
    """The dealer of real matches, in which everything follows from the match seed."""

    __slots__ = ("_key",)

    def __init__(self, seed: int) -> None:
        self._key = seed.to_bytes(8, "little")

    def pile(self, name: str, cards: Sequence[T], seats: int) -> Deck[T]:
        return _Shuffled(self._key, name, cards, seats)

    def deal(self, name: str, cards: Sequence[T], count: int) -> Sequence[T]:
        if count > _BLOCK:
            return super().deal(name, cards, count)
        return _take([*cards], _uniform(self._key, name)[:count])

    def source(self, name: str, values: Sequence[T], seats: int) -> Pile[T]:
        return _Unbound(self._key, name, values, seats)


class Scripted(Dealer):
    """Deals a given list in order, for tests and cases: for every pile and seat alike."""

    def __init__(self, draws: Iterable[object]) -> None:
        self._draws = iter(tuple(draws))

    def pile(self, name: str, cards: Sequence[T], seats: int) -> Deck[T]:
        return _Script(self._draws, name)

    def source(self, name: str, values: Sequence[T], seats: int) -> Pile[T]:
        return _Script(self._draws, name)


class _Script:
    def __init__(self, draws: Iterable[Any], name: str) -> None:
        self._draws = iter(draws)
        self._name = name

    def draw(self, seat: int) -> Any:  # noqa: ANN401 - a script deals whatever was written in it
        for card in self._draws:
            return card
        raise HarnessFault(f"the script is used up; seat {seat} draws from pile {self._name}")

    def put_back(self, cards: Sequence[object]) -> None:
        """Ignores returned cards: the script alone decides the deal."""


class Sampled(Dealer):
    """Draws from a random generator, for rollouts, where no deal has to be repeated."""

    __slots__ = ("_rng",)

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    def pile(self, name: str, cards: Sequence[T], seats: int) -> Deck[T]:
        return _Sample(self._rng, cards)

    def source(self, name: str, values: Sequence[T], seats: int) -> Pile[T]:
        return _SampleForever(self._rng, values)


class _Sample(Generic[T]):
    __slots__ = ("_cards", "_random")

    def __init__(self, rng: Random, cards: Sequence[T]) -> None:
        self._random = rng.random
        self._cards = list(cards)

    def draw(self, seat: int) -> T:
        cards = self._cards
        if not cards:
            raise HarnessFault(f"seat {seat} draws from an empty pile")
        index = int(self._random() * len(cards))
        cards[index], cards[-1] = cards[-1], cards[index]
        return cards.pop()

    def put_back(self, cards: Sequence[T]) -> None:
        self._cards += cards


class _SampleForever(Generic[T]):
    __slots__ = ("_random", "_values")

    def __init__(self, rng: Random, values: Sequence[T]) -> None:
        self._random = rng.random
        self._values = values

    def draw(self, seat: int) -> T:
        return self._values[int(self._random() * len(self._values))]

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
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from arena.core.chance.streams import SeededPiles
from arena.core.errors import HarnessFault

if TYPE_CHECKING:
    from random import Random

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


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
        """Returns a shuffled pile, drawn without replacement by that many seats.

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


class SeatStreams(SeededPiles, Dealer):
    """The dealer of real matches, in which everything follows from the match seed."""

    __slots__ = ()


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

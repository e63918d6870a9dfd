"""Follows cards that a seat saw go, with exact odds of where they lie after rolls of the die.

Every card that was never seen is equally likely to be any of the unseen ones, and what rivals give
away is taken for drawn at random: the prior of ``resample``. So only seen cards in hidden places
have to be followed. Even rolls move them from hand to hand, and what comes back says where others
may be. A world is one way in which they may lie.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations, permutations
from math import comb, perm
from typing import TypeAlias

import msgspec

from arena.core.errors import BadInput
from arena.games.sabacc.cards.cards import COPIES, DECK, KINDS, Card
from arena.games.sabacc.cards.rulesets import DEALT
from arena.games.sabacc.engine.history import Event
from arena.games.sabacc.engine.observation import SabaccObservation

_OUT, _SHUFFLE, _FOLDED = -1, -2, -3
_MAX_WORLDS = 20_000
World: TypeAlias = tuple[tuple[int, int], ...]
"""Ids of seen cards that are hidden now, each with its place: a seat, or one of the above."""


class Places(msgspec.Struct, frozen=True):
    """One way in which the seen cards may lie.

    Attributes:
        odds: Its probability.
        held: Seen cards in the hand of each seat, except the own one.
        unseen: Number of cards of each kind, by id, that may be anywhere else.
    """

    odds: float
    held: tuple[tuple[Card, ...], ...]
    unseen: tuple[int, ...]


def places(seen: SabaccObservation) -> list[Places]:
    """Returns every way in which cards may lie that a seat saw in this hand.

    Raises:
        BadInput: There are too many of them, or the hand was not followed from its deal.
    """
    if not (seen.shifts or _shown_by_others(seen)):
        known = Counter(card.id for card in seen.hand)
        if seen.rules.discards == "out" and not seen.recycled:
            known |= Counter(seen.memory)
        return [Places(1.0, ((),) * len(seen.hand_sizes), _rest(known))]
    if "hand" not in {event.kind for event in seen.hand_events}:
        raise BadInput("no exact odds are known of a described hand once cards have moved")
    walk = _Walk(seen)
    for event in seen.hand_events:
        walk.take(event)
    return walk.places()


def _shown_by_others(seen: SabaccObservation) -> bool:
    return any(cards for seat, cards in enumerate(seen.shown) if seat != seen.seat)


def _rest(known: Counter[int]) -> tuple[int, ...]:
    return tuple(max(copies - known[id], 0) for id, copies in enumerate(COPIES))


class _Walk:
    def __init__(self, seen: SabaccObservation) -> None:
        self._seen, self._me = seen, seen.seat
        self._own = iter(seen.memory)
        self._hand, self._out = Counter[int](), Counter[int]()
        before = set(seen.expelled) - {e.seat for e in seen.hand_events if e.kind == "expel"}
        seats = range(len(seen.hand_sizes))
        self._in_hand = [s for s in seats if s not in before and not seen.out_since[s]]
        self._sizes = dict.fromkeys(self._in_hand, DEALT)
        self._shown: dict[int, list[int]] = defaultdict(list)
        self._worlds: dict[World, float] = {(): 1.0}

    def take(self, event: Event) -> None:
        seat, kind = event.seat, event.kind
        if kind == "hand":
            self._bring(self._me, DEALT)
        elif kind == "draw":
            self._sizes[seat] += 1
            self._bring(seat, 1)
        elif kind in ("exchange", "swap"):
            self._exchange(seat, event.number if kind == "exchange" else 1)
        elif kind == "show" and seat != self._me:
            self._show(seat, event.cards[0].id)
        elif kind == "roll" and not event.number % 2:
            self._shift()
        elif kind in ("fold", "expel"):
            self._in_hand = [other for other in self._in_hand if other != seat]
            self._go_on(lambda world: [(_replaced(world, seat, _FOLDED), 1.0)])
        elif kind == "reshuffle":
            self._take_back()

    def places(self) -> list[Places]:
        total = sum(self._worlds.values())
        if not total:
            raise BadInput("no exact odds are known here: the deck ran out amid an exchange")
        seats = range(len(self._seen.hand_sizes))
        return [
            Places(
                odds / total,
                tuple(tuple(KINDS[id] for id, at in world if at == seat) for seat in seats),
                _rest(self._known(world)),
            )
            for world, odds in self._worlds.items()
            if odds
        ]

    def _known(self, world: World) -> Counter[int]:
        return self._hand + self._out + Counter(id for id, _ in world)

    def _share(self, world: World, id: int) -> float:
        """The probability that a card that was never seen is of a kind."""
        unseen = len(DECK) - self._hand.total() - self._out.total() - len(world)
        return max(COPIES[id] - self._known(world)[id], 0) / unseen

    def _go_on(self, step: Callable[[World], Iterable[tuple[World, float]]]) -> None:
        found: dict[World, float] = defaultdict(float)
        for world, odds in self._worlds.items():
            for after, share in step(world):
                if share:
                    found[tuple(sorted(after))] += odds * share
        if len(found) > _MAX_WORLDS:
            raise BadInput(
                "no exact odds are known here: the dice have moved cards too often "
                f"(more than {_MAX_WORLDS:,} ways in which those that were seen may lie)"
            )
        self._worlds = found

    def _bring(self, seat: int, count: int) -> None:
        for _ in range(count if seat == self._me else 0):
            card = next(self._own)
            self._worlds = {
                world: odds * self._share(world, card) for world, odds in self._worlds.items()
            }
            self._hand[card] += 1

    def _exchange(self, seat: int, count: int) -> None:
        if seat == self._me:
            gone = Counter(next(self._own) for _ in range(count))
            self._hand -= gone
            self._out += gone
        else:
            self._lose(seat, count, _OUT)
        self._bring(seat, count)
        if self._seen.rules.discards == "reshuffled" and count:
            self._take_back()

    def _lose(self, seat: int, count: int, to: int) -> None:
        kept = self._shown[seat] if self._seen.rules.reveal == "kept" and to == _OUT else []

        def step(world: World) -> Iterator[tuple[World, float]]:
            staying, may = [*kept], []
            for at, (id, place) in enumerate(world):
                if place == seat and id in staying:
                    staying.remove(id)
                elif place == seat:
                    may.append(at)
            size = self._sizes[seat] - len(kept) + len(staying)
            for seen in range(min(count, len(may)) + 1):
                ways = comb(size - len(may), count - seen) if size >= len(may) else 0
                for gone in combinations(may, seen):
                    yield _moved(world, gone, (to,) * seen), ways / max(comb(size, count), 1)

        self._go_on(step)

    def _show(self, seat: int, id: int) -> None:

        def step(world: World) -> Iterator[tuple[World, float]]:
            held = [other for other, place in world if place == seat]
            yield world, held.count(id) / self._sizes[seat]
            blanks = self._sizes[seat] - len(held)
            yield (*world, (id, seat)), blanks * self._share(world, id) / self._sizes[seat]

        self._go_on(step)
        self._shown[seat].append(id)

    def _shift(self) -> None:
        """Section 5: a card of every hand is shuffled, and one comes back to each."""
        others = [seat for seat in self._in_hand if seat != self._me]
        for seat in others:
            self._lose(seat, 1, _SHUFFLE)
        gave, got = next(self._own), next(self._own)
        self._hand[gave] -= 1
        size = len(self._in_hand)

        def step(world: World) -> Iterator[tuple[World, float]]:
            world = (*world, (gave, _SHUFFLE))
            shuffled = [at for at, (_, place) in enumerate(world) if place == _SHUFFLE]
            alike = [at for at in shuffled if world[at][0] == got]
            if alike:
                left = (*world[: alike[0]], *world[alike[0] + 1 :])
                yield from _dealt(left, others, len(alike) / size)
            blanks = (size - len(shuffled)) * self._share(world, got)
            yield from _dealt(world, others, blanks / size)

        self._go_on(step)
        self._hand[got] += 1

    def _take_back(self) -> None:
        self._out.clear()
        self._go_on(lambda world: [(tuple(each for each in world if each[1] != _OUT), 1.0)])


def _replaced(world: World, place: int, by: int) -> World:
    return tuple((id, by if at == place else at) for id, at in world)


def _moved(world: World, which: Sequence[int], to: Sequence[int]) -> World:
    cards = [*world]
    for at, place in zip(which, to, strict=True):
        cards[at] = (cards[at][0], place)
    return tuple(cards)


def _dealt(world: World, seats: Sequence[int], odds: float) -> Iterator[tuple[World, float]]:
    shuffled = [at for at, (_, place) in enumerate(world) if place == _SHUFFLE]
    if not odds:
        return
    share = odds / perm(len(seats), len(shuffled))
    for chosen in permutations(seats, len(shuffled)):
        yield _moved(world, shuffled, chosen), share

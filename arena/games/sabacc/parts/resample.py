"""Worlds that one seat holds possible.

The prior: every card that the seat cannot place is equally likely to lie in any hidden spot (other
hands, folded ones too, others' discards, the deck). What the seat knows more is kept: shown cards,
its own discards, cards that it gave to an even roll's shuffle (``deduction``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, TypeVar

from msgspec.structs import asdict

from arena.core.chance.dealer import Sampled
from arena.core.state import CHANCE, TERMINAL
from arena.games.sabacc.cards.cards import KINDS, Card, deck_without, in_order
from arena.games.sabacc.engine.betting import BETTING, Betting
from arena.games.sabacc.engine.deck import PLACES, Deck
from arena.games.sabacc.engine.hand import HAND, Hand
from arena.games.sabacc.engine.match import MATCH, Match, replaced
from arena.games.sabacc.engine.observation import SabaccObservation
from arena.games.sabacc.engine.stages import GET, PICK, SHOWDOWN, stages_of
from arena.games.sabacc.engine.state import SabaccState
from arena.games.sabacc.parts.deduction import World, deduce

if TYPE_CHECKING:
    from random import Random

PartT = TypeVar("PartT", Match, Deck, Betting, Hand)

_TRIES = 16


def resample(observation: SabaccObservation, rng: Random) -> SabaccState:
    """A full state consistent with what one seat knows; see the module for the prior.

    At a seat's decision the state's dealer draws from ``rng``. At a chance node or at the end
    the state has no dealer, so that it stays where the observation is.
    """
    seat, seats = observation.seat, len(observation.amounts)
    unknown = (b"",) * len(observation.past)
    past = tuple(observation.past if other == seat else unknown for other in range(seats))
    world = asdict(_world(observation, rng))
    world["memory"] = replaced(world["memory"], seat, observation.memory)
    match = _filled(Match(), MATCH, observation, past=past, ending=None, dealer=None)
    deck = _filled(Deck(), PLACES, observation, match=match, pile=None, **world)
    betting = _filled(Betting(), BETTING, observation, match=match)
    parts = {"match": match, "deck": deck, "betting": betting}
    hand = _filled(Hand(), HAND, observation, plan=stages_of(match.rules), legal=(), **parts)
    state = SabaccState(hand)
    if hand.player == TERMINAL:
        match.finish()
    elif hand.player != CHANCE:
        hand.ask_seat(hand.player)
        state.attach(Sampled(rng))
    return state


def _filled(
    part: PartT, names: Iterable[str], observation: SabaccObservation, **hidden: object
) -> PartT:
    """A part of the state: hidden facts as given, the public ones from the observation."""
    for name in names:
        setattr(part, name, hidden[name] if name in hidden else getattr(observation, name))
    return part


def _world(observation: SabaccObservation, rng: Random) -> World:
    plain = not (
        observation.shifts
        or any(observation.shown)
        or observation.stage >= SHOWDOWN
        or observation.shuffles
    )
    if not plain:
        for _ in range(_TRIES):
            world = deduce(observation, rng)
            if world is not None:
                return world
    # Nothing is known but the own cards; or so much that no draw of the past fits it.
    return _scattered(observation, rng)


def _scattered(observation: SabaccObservation, rng: Random) -> World:
    seat, hand = observation.seat, observation.hand
    open_hands = observation.open_hands
    mine = _own_discards(observation)
    theirs = [cards for other, cards in open_hands.items() if other != seat]
    draw = _drawn(deck_without((hand, mine, *theirs)), rng)
    hands = tuple(
        hand
        if other == seat
        else in_order(open_hands.get(other) or [next(draw) for _ in range(size)])
        for other, size in enumerate(observation.hand_sizes)
    )
    discards: list[tuple[Card, ...]] = [()] * len(hands)
    discards[seat] = mine
    others = [next(draw) for _ in range(observation.gone - len(mine))]
    discards[seat - 1] = tuple(others)
    pool = tuple(next(draw) for _ in range(_pool_size(observation)))
    memory = tuple(bytes([card.id for card in cards]) for cards in hands)
    return World(hands, tuple(discards), pool, memory)


def _drawn(cards: list[Card], rng: Random) -> Iterator[Card]:
    while cards:
        yield cards.pop(int(rng.random() * len(cards)))


def _pool_size(observation: SabaccObservation) -> int:
    if observation.need == PICK:
        return sum(observation.active) - len(observation.queue)
    return len(observation.queue) if observation.need == GET else 0


def _own_discards(observation: SabaccObservation) -> tuple[Card, ...]:
    """The seat's own discards that are out: what it got and gave less what it holds."""
    if not observation.gone or observation.shuffles or observation.shifts:
        return ()
    times = [0] * len(KINDS)
    for id in observation.memory:
        times[id] += 1
    for card in observation.hand:
        times[card.id] -= 1
    # A discard was noted twice: when it came and when it went.
    return tuple(card for card in KINDS for _ in range(times[card.id] // 2))

"""Worlds that one seat holds possible: the rival's hidden cards drawn from a stated prior.

The prior: the rival's side deck holds every card that the rival has played; each card beyond
these is drawn uniformly from what the rules let a seat choose from (the fixed deck where every
bot has the same; the collection, card by card; else the 23 kinds, each equally likely, within the
caps on copies). The hand is then a uniform draw from that side deck less what was played of it.
The order of the main deck is drawn card by card as play continues.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from arena.core.chance.dealer import Sampled
from arena.core.outcome import Termination
from arena.core.state import CHANCE, TERMINAL
from arena.games.pazaak.engine.cards import Card, cards_named, in_order
from arena.games.pazaak.engine.history import Event
from arena.games.pazaak.engine.observation import PazaakObservation
from arena.games.pazaak.engine.rules import outcome_of
from arena.games.pazaak.engine.rulesets import HAND_SIZE, SETS_TO_WIN, PazaakRules
from arena.games.pazaak.engine.stages import ACT, OVER, PLAYED
from arena.games.pazaak.engine.state import PazaakState
from arena.games.pazaak.parts.situation import situation

if TYPE_CHECKING:
    from random import Random


def resample(observation: PazaakObservation, rng: Random) -> PazaakState:
    """A full state consistent with what one seat knows; see the module for the prior.

    At a seat's decision the state's dealer draws from ``rng``. At a chance node or at the end
    the state has no dealer, so that it stays where the observation is.
    """
    rules, seat = observation.ruleset, observation.seat
    events = observation.events
    played = _played_by_set(observation, events)
    side_deck, dealt = _rival_cards(observation, played, rng)
    hand = list(dealt[-1]) if dealt else []
    for card in _spent(rules, played):
        hand.remove(card)
    state = situation(
        rules,
        tables=_by_seat(seat, observation.table, observation.rival_table),
        hands=_by_seat(seat, observation.hand, tuple(hand)),
        side_decks=_by_seat(seat, observation.side_deck, side_deck),
        standing=_by_seat(seat, observation.standing, observation.rival_standing),
        sets=_by_seat(seat, observation.sets, observation.rival_sets),
        turn=observation.turn,
        starter=observation.starter,
        set_number=observation.set_number,
        phase=observation.phase,
        marks=observation.marks,
        history=observation.history,
        dealt=_by_seat(seat, observation.dealt, tuple(dealt)),
    )
    _recall(state, observation, events)
    if observation.phase in (ACT, PLAYED):
        state.attach(Sampled(rng))
    return state


def _by_seat(seat: int, mine: object, rivals: object) -> tuple:  # type: ignore[type-arg]
    return (mine, rivals) if seat == 0 else (rivals, mine)


def _recall(state: PazaakState, observation: PazaakObservation, events: Sequence[Event]) -> None:
    state.opening = tuple(e.value for e in events if e.kind == "opening draw")
    last = events[-1] if events else None
    if last is not None and last.kind in ("won", "tie"):
        state.last_set = (last.seat, last.reason) if last.kind == "won" else (None, "tie")
    if observation.phase == OVER:
        termination = Termination.RULES if SETS_TO_WIN in state.sets else Termination.CAP
        state.player, state.legal = TERMINAL, ()
        state.ending = outcome_of(state.sets, termination)
    elif observation.phase not in (ACT, PLAYED):
        state.player = CHANCE


def _played_by_set(observation: PazaakObservation, events: Sequence[Event]) -> list[list[Card]]:
    sets: list[list[Card]] = []
    rival = 1 - observation.seat
    for event in events:
        if event.kind == "start":
            sets.append([])
        elif event.seat == rival and event.action is not None and event.action.card is not None:
            (sets or [[]])[-1].append(event.action.card)
    on_table = [sq.face for sq in observation.rival_table if not sq.face.from_deck]
    return [*sets[:-1], on_table]


def _spent(rules: PazaakRules, played: Sequence[Sequence[Card]]) -> list[Card]:
    """Returns the cards that the rival has played of the hand it holds now (C1)."""
    if rules.hand_scope == "set":
        return list(played[-1])
    return [card for cards in played for card in cards]


def _rival_cards(
    observation: PazaakObservation, played: Sequence[Sequence[Card]], rng: Random
) -> tuple[tuple[Card, ...], list[tuple[Card, ...]]]:
    rules = observation.ruleset
    spent = _spent(rules, played)
    hands = [*played[:-1], spent] if rules.hand_scope == "set" else [spent]
    known: Counter[Card] = Counter()
    for cards in hands:
        known |= Counter(cards)
    needed = len(spent) + observation.rival_cards
    side_deck = _side_deck(rules, list(known.elements()), needed, rng)
    if not observation.dealt and not observation.rival_cards:
        return side_deck, []
    sizes = [HAND_SIZE] * (len(hands) - 1) + [needed]
    return side_deck, [
        in_order([*cards, *_drawn(_less(side_deck, cards), size - len(cards), rng)])
        for cards, size in zip(hands, sizes, strict=True)
    ]


def _side_deck(rules: PazaakRules, known: list[Card], least: int, rng: Random) -> tuple[Card, ...]:
    fixed = rules.fixed_deck
    if fixed and not Counter(known) - Counter(fixed) and least <= len(fixed):
        return fixed
    size = max(rules.deck_sizes[0], least, len(known))
    owned = cards_named(rules.collection)
    if owned:
        pool = _less(owned, known)
        return in_order([*known, *_drawn(pool, min(size - len(known), len(pool)), rng)])
    deck = list(known)
    kinds = list(rules.kinds)
    while len(deck) < size and kinds:
        card = kinds[int(rng.random() * len(kinds))]
        limit = rules.copies_allowed(card)
        if limit and deck.count(card) >= limit:
            kinds.remove(card)
        else:
            deck.append(card)
    return in_order(deck)


def _less(cards: Sequence[Card], gone: Sequence[Card]) -> list[Card]:
    return list((Counter(cards) - Counter(gone)).elements())


def _drawn(pool: list[Card], number: int, rng: Random) -> list[Card]:
    pool = pool[:]
    return [pool.pop(int(rng.random() * len(pool))) for _ in range(max(number, 0))]

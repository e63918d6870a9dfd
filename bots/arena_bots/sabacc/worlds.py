"""Estimates equity: the share of a hand that a seat wins over worlds that fit its observation.

Every world is played out with the cards only, all seats drawing and exchanging by the plain rule
of ``target_total``. Once the exchange is over there is nothing left to play, but the
rivals have chosen their cards, and paid for them, which a single world leaves out: they are assumed
to hold the best of their hands in several worlds.

Source: determinization, sampling worlds that fit the observation (Billings, Davidson, Schaeffer,
Szafron, "The challenge of poker", Artificial Intelligence 134, 2002); the best of several worlds is
our own.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TypeAlias

from arena.core.game import AnyGame
from arena.games.sabacc.cards.cards import Card
from arena.games.sabacc.cards.ranking import Ranker
from arena.games.sabacc.cards.rulesets import MAX_CARDS
from arena.games.sabacc.cards.showdown import everybody_loses, leaders
from arena.games.sabacc.engine.actions import exchanges
from arena.games.sabacc.engine.observation import SabaccObservation
from arena.games.sabacc.engine.rules import exchange_counts
from arena.games.sabacc.engine.state import SabaccState
from arena.games.sabacc.parts.playout import CONTENT, nearest_exchange
from arena_bots.sabacc.stakes import draws_to_come, exchange_comes

Hands: TypeAlias = dict[int, tuple[Card, ...]]
"""Hands by seat."""

PAID = (10, 30)
"""Multiples of the entry at which a rival's payments make its assumed hand better by one try."""


def equity(observation: SabaccObservation, game: AnyGame, rng: Random, samples: int) -> float:
    """Returns the share of the hand that the seat wins, 0..1, if nobody folds."""
    order = [seat for seat, active in enumerate(observation.active) if active]
    worlds = [game.resample(observation, rng) for _ in range(samples)]
    ends = [_played_out(observation, world, order, rng) for world in worlds]
    won = 0.0
    for number in range(samples):
        hands = _chosen(observation, ends, number)
        best, _ = leaders(observation.ranks, hands)
        if observation.seat in best and not everybody_loses(observation.ranks, hands):
            won += 1 / len(best)
    return won / samples


def _chosen(observation: SabaccObservation, ends: Sequence[Hands], number: int) -> Hands:
    """Returns the final hands of one world; a rival's is the best of this and earlier worlds."""
    rank = observation.ranks.rank
    hands = dict(ends[number])
    for seat in hands:
        if seat != observation.seat:
            tries = _tries(observation, seat)
            if tries > 1:
                held = [ends[number - back % len(ends)][seat] for back in range(tries)]
                hands[seat] = max(held, key=lambda hand: rank(hand).key)
    return hands


def _tries(observation: SabaccObservation, seat: int) -> int:
    """Returns the number of worlds, 1 to 4, of which a rival is assumed to hold the best hand."""
    paid = observation.staked[seat] / observation.rules.ante
    return 1 + (not exchange_comes(observation)) + sum(paid >= bar for bar in PAID)


def _played_out(
    observation: SabaccObservation, world: SabaccState, order: Sequence[int], rng: Random
) -> Hands:
    """Returns the hands at the showdown if all play by the plain rule from here on."""
    ranks = observation.ranks
    dealt = world.hand.deck
    if not exchange_comes(observation):
        return {seat: dealt.hands[seat] for seat in order}
    deck, draws = dealt.unseen(), draws_to_come(observation)
    hands: Hands = {}
    for seat in order:
        hand = dealt.hands[seat]
        for _ in range(draws):
            if len(hand) < MAX_CARDS and deck and ranks.rank(hand).strength < CONTENT:
                hand = (*hand, _drawn(deck, rng))
        hands[seat] = _exchanged(ranks, hand, deck, rng)
    return hands


def _exchanged(
    ranks: Ranker, hand: tuple[Card, ...], deck: list[Card], rng: Random
) -> tuple[Card, ...]:
    """Returns the hand after its exchange by the plain rule; the cards come off the deck."""
    if ranks.rank(hand).strength >= CONTENT:
        return hand
    counts = exchange_counts(ranks.rules, ranks.variant, len(hand), False)
    given = nearest_exchange(ranks, hand, exchanges(hand, counts)).value
    if given.bit_count() > len(deck):
        return hand
    kept = tuple(card for place, card in enumerate(hand) if not given >> place & 1)
    return (*kept, *(_drawn(deck, rng) for _ in range(given.bit_count())))


def _drawn(deck: list[Card], rng: Random) -> Card:
    index = int(rng.random() * len(deck))
    deck[index], deck[-1] = deck[-1], deck[index]
    return deck.pop()

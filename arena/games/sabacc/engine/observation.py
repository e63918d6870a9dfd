"""Observations of Sabacc: a seat's own cards, and everything that lies open on the table."""

from __future__ import annotations

from collections.abc import Hashable

from arena.core.observation import Observation
from arena.games.sabacc.cards.cards import KINDS, Card, in_order
from arena.games.sabacc.cards.ranking import Ranker, ranker
from arena.games.sabacc.cards.rulesets import SabaccRules
from arena.games.sabacc.cards.variants import Variant
from arena.games.sabacc.engine.actions import SabaccAction
from arena.games.sabacc.engine.history import Event, events_of
from arena.games.sabacc.engine.stages import SHOWDOWN


class SabaccObservation(Observation, frozen=True, gc=False):
    """All that one seat knows. Hidden are other hands (folded ones too), discards and the deck.

    The public facts have the names that they have in ``match``, ``hand``, ``deck`` and ``betting``;
    what belongs to a seat stands in a tuple by seat.

    Attributes:
        legal_actions: What may be done; empty when not to decide.
        hand: The own cards, in the order of their ids; exchanges name them by place from 1.
        memory: Ids of the cards that this seat got and gave in this hand, in order.
        past: The same of each earlier hand.
        rules: The ruleset.
        variant: The row of section 2 in force.
        stage: Where the hand stands (``arena.games.sabacc.engine.stages``).
        swapping: Whether the seat to decide owes a card after an odd roll (section 5).
        button: The dealer's seat; play begins at its left.
        hand_number: Number of this hand, from 1.
        active: Who is in the hand.
        expelled: Seats eliminated from the match, in order.
        amounts: Chips, points or hands won.
        pot: Chips on the table in this hand.
        carried: Chips of earlier hands that wait for a winner (B13).
        staked: Chips put in this hand.
        last_stake: The least that may be put (``poker``: the least bet or raise).
        to_call: What everybody has to have put in this betting round (``poker``).
        shown: Cards shown before the exchange.
        hand_sizes: Numbers of cards.
        laid: Hands as they were laid down at the showdown.
    """

    legal_actions: tuple[SabaccAction, ...]
    hand: tuple[Card, ...]
    memory: bytes
    past: tuple[bytes, ...]
    rules: SabaccRules
    variant: Variant
    player: int
    stage: int
    step: int
    need: int
    turn: int
    swapping: bool
    queue: tuple[int, ...]
    waiting: tuple[int, ...]
    button: int
    hand_number: int
    hand_start: int
    active: tuple[bool, ...]
    expelled: tuple[int, ...]
    out_since: tuple[int, ...]
    amounts: tuple[int, ...]
    pot: int
    carried: int
    staked: tuple[int, ...]
    round_put: tuple[int, ...]
    to_call: int
    last_stake: int
    raises: int
    raised: bool
    demanded: bool
    opener: int
    all_in: tuple[bool, ...]
    ticks: int
    due: int
    drew: bool
    drew_first: tuple[bool, ...]
    untouched: tuple[bool, ...]
    shown: tuple[tuple[Card, ...], ...]
    hand_sizes: tuple[int, ...]
    gone: int
    recycled: bool
    shuffles: int
    shifts: int
    rolls: tuple[int, ...]
    slips_drawn: int
    slips_in_hand: int
    slips_out: tuple[int, ...]
    laid: tuple[tuple[Card, ...], ...]
    extra: tuple[tuple[Card, ...], ...]
    won: tuple[tuple[int, ...], ...]

    def information_state(self) -> Hashable:
        return (self.seat, self.past, self.memory, self.hand, self.history)

    @property
    def ranks(self) -> Ranker:
        """The ranking of hands in force."""
        return ranker(self.rules, self.variant)

    @property
    def owed(self) -> int:
        """Chips that it takes this seat to stay in, when it is to bet."""
        if self.rules.betting == "poker":
            return self.to_call - self.round_put[self.seat]
        return self.last_stake

    @property
    def hands_left(self) -> int:
        """The most hands that can follow this one.

        Fewer do when a target is reached before, or fewer than two seats can still enter.
        """
        return self.rules.most_hands - self.hand_number

    @property
    def ante(self) -> int:
        """Chips that each seat bets to enter a hand (B15); 0 where no chips are played for."""
        return self.rules.ante if self.rules.mode == "chips" else 0

    @property
    def target(self) -> int:
        """Points that end the match (B16); 0 where no target does."""
        return self.rules.target if self.rules.mode == "points" else 0

    @property
    def seen(self) -> tuple[Card, ...]:
        """Every card that this seat got or gave in this hand, in order, some perhaps twice."""
        return tuple(KINDS[id] for id in self.memory)

    @property
    def events(self) -> tuple[Event, ...]:
        """The public events of the match so far, oldest first."""
        return events_of(self.history)

    @property
    def hand_events(self) -> tuple[Event, ...]:
        """The public events of this hand."""
        return events_of(self.history, self.hand_start)

    @property
    def open_hands(self) -> dict[int, tuple[Card, ...]]:
        """The hands that lie open after a showdown, extra cards included, by seat."""
        hands: dict[int, tuple[Card, ...]] = {}
        for event in self.hand_events if self.stage >= SHOWDOWN else ():
            if event.kind in ("reveal", "extra"):
                hands[event.seat] = in_order((*hands.get(event.seat, ()), *event.cards))
        return hands

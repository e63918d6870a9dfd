"""What lies on the table: every fact of a match that a rule may ask for, and its copying.

Whatever belongs to a seat stands in a tuple by seat, so that a copy is a shallow one.
"""

from __future__ import annotations

from collections.abc import Iterable
from operator import attrgetter
from typing import Self, TypeVar

from arena.core.dealer import Dealer, Deck
from arena.core.outcome import Outcome
from arena.core.state import CHANCE
from arena.games.sabacc.actions import SabaccAction
from arena.games.sabacc.cards import DECK, Card, deck_without
from arena.games.sabacc.engines import NEWEST, Engine
from arena.games.sabacc.observation import SabaccObservation
from arena.games.sabacc.rulesets import SabaccRules
from arena.games.sabacc.stages import DEAL, NONE, stages_of
from arena.games.sabacc.variants import Variant

T = TypeVar("T")

_OWN = frozenset(("seat", "legal_actions", "history", "hand", "memory", "past"))
PUBLIC = tuple(fact for fact in SabaccObservation.__struct_fields__ if fact not in _OWN)
"""The public facts, in the order in which observations carry them."""

public_facts = attrgetter(*PUBLIC)


def replaced(row: tuple[T, ...], seat: int, value: T) -> tuple[T, ...]:
    """The row with another value at one seat."""
    return (*row[:seat], value, *row[seat + 1 :])


class Table:
    """The facts of a match.

    Attributes:
        rules: The ruleset.
        variant: The row of section 2 in force.
        player: The seat that decides, or ``CHANCE``, or ``TERMINAL``.
        stage: Where the hand stands (``stages``).
        step: The stage's number within the hand's plan.
        need: What chance is asked for.
        turn: The seat that chance's answer, or the die, concerns.
        swapping: Whether the seat to decide owes a card after an odd roll (section 5).
        queue: Seats that still get a card (give one, take one) from chance, in order.
        waiting: Seats that still decide in this orbit, the next first.
        button: The dealer's seat.
        hand_number: Number of this hand, from 1.
        hand_start: Where in the history this hand begins.
        active: Who is in the hand, by seat.
        expelled: Seats taken out of the match, in order.
        out_since: By seat: the hand since which it has sat out for want of chips; 0 if it has not.
        amounts: By seat: chips, points, or hands won.
        pot: Chips on the table in this hand.
        carried: Chips of earlier hands that wait for a winner (B13).
        staked: By seat: chips put in this hand.
        round_put: By seat: chips put in this betting round (``poker``) or orbit.
        to_call: What everybody has to have put in this betting round (``poker``).
        last_stake: The last stake: the least that may be put.
        raises: Raises of this betting round (``poker``), orbits of stage 6 (``staged``).
        raised: Whether somebody raised in this orbit.
        opener: The seat that began this orbit (``alternating``).
        demanded: Whether the exchange was demanded (``alternating``).
        all_in: Who is all in, by seat.
        ticks: Decisions since dice or slips were last due (section 11).
        due: What the clock has made due: ``SLIP_DUE``, ``ROLL_DUE``, both or nothing.
        drew: Whether somebody drew in the last draw round.
        drew_first: Who drew in the first, by seat.
        untouched: By seat: whether the hand is the three dealt cards (I9).
        shown: By seat: cards shown before the exchange.
        hand_sizes: Number of cards, by seat.
        gone: Number of discards that are out.
        recycled: Whether the discards were reshuffled once.
        shuffles: How often the deck was made anew within the hand.
        shifts: Even rolls of this hand.
        rolls: By seat: rolls of the die in this hand.
        slips_drawn: Slips drawn in this match.
        slips_in_hand: Slips drawn in this hand.
        slips_out: Slips that wait for the others to be drawn (B17).
        laid: By seat: the hand as it was laid down at the showdown.
        extra: By seat: the cards that it got to break the last pot's tie (004:104), in order.
        won: Of the pots that are decided: who won each; nobody where everybody loses.
        hands: Cards by seat, in order; folded hands stay, face down.
        discards: Discards that are out, by the seat that gave them.
        pool: Cards of an even roll on their way.
        memory: By seat: ids of the cards that it got and gave in this hand, in order.
        past: By seat: the memory of each earlier hand.
        history: The public events (``history``).
        legal: What the player may do; empty at chance nodes.
        ending: How the match ended.
        dealer: Answers chance.
        deck: The pile that cards come from.
        plan: The stages of every hand.
        engine: The version of the rules' engine that plays.

    It has no ``__slots__``: a copy of one dictionary takes half a microsecond, of as many slots
    three, and searching bots copy at every step.
    """

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
    opener: int
    demanded: bool
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
    hands: tuple[tuple[Card, ...], ...]
    discards: tuple[tuple[Card, ...], ...]
    pool: tuple[Card, ...]
    memory: tuple[bytes, ...]
    past: tuple[tuple[bytes, ...], ...]
    history: bytes
    legal: tuple[SabaccAction, ...]
    ending: Outcome | None
    dealer: Dealer | None
    deck: Deck[Card] | None
    plan: tuple[int, ...]
    engine: Engine

    def __init__(self, rules: SabaccRules, seats: int, engine: Engine = NEWEST) -> None:
        self.engine, self.rules, self.variant = engine, rules, rules.row
        self.player, self.stage, self.step, self.need, self.turn = CHANCE, DEAL, -1, NONE, 0
        self.expelled, self.out_since = (), (0,) * seats
        self.amounts = (rules.stack if rules.mode == "chips" else 0,) * seats
        self.hand_number, self.button, self.hand_start = 0, seats - 1, 0
        self.ticks, self.due, self.slips_out, self.carried = 0, 0, (), 0
        self.slips_drawn = 0
        self.history, self.legal, self.ending = b"", (), None
        self.past = ((),) * seats
        self.memory = (b"",) * seats
        self.dealer = self.deck = None
        self.plan = stages_of(rules)
        self.clear((False,) * seats)

    def clear(self, active: tuple[bool, ...]) -> None:
        """An empty table for a new hand with those seats in it."""
        seats = len(active)
        none, zeros, no_cards = (False,) * seats, (0,) * seats, ((),) * seats
        self.active, self.all_in, self.drew_first = active, none, none
        self.pot, self.staked, self.round_put = 0, zeros, zeros
        self.to_call, self.last_stake = 0, self.rules.ante
        self.raises, self.raised, self.demanded, self.drew = 0, False, False, False
        self.untouched, self.shown, self.hand_sizes = (True,) * seats, no_cards, zeros
        self.gone, self.recycled, self.shuffles = 0, False, 0
        self.shifts, self.rolls, self.slips_in_hand = 0, zeros, 0
        self.laid, self.extra, self.won = no_cards, no_cards, ()
        self.hands, self.discards, self.pool = no_cards, no_cards, ()
        self.queue, self.waiting, self.swapping, self.opener = (), (), False, 0

    def copy_to(self, twin: Self) -> Self:
        """Copies every fact to another table; the dealer stays behind."""
        twin.__dict__.update(self.__dict__)
        twin.dealer = twin.deck = None
        return twin

    @property
    def seats(self) -> int:
        """Number of seats at the table."""
        return len(self.amounts)

    @property
    def chips(self) -> bool:
        """Whether chips are played for."""
        return self.rules.mode == "chips"

    def round_from(self, seat: int) -> tuple[int, ...]:
        """Every seat in order from that one, round the table to the left."""
        return (*range(seat, self.seats), *range(seat))

    def in_hand(self, seat: int) -> tuple[int, ...]:
        """The seats in the hand, in order from that one."""
        active = self.active
        return tuple([s for s in self.round_from(seat) if active[s]])

    @property
    def left(self) -> int:
        """The seat at the dealer's left: play begins there (004:78)."""
        return (self.button + 1) % self.seats

    def deck_left(self) -> int:
        """Number of cards in the deck; those on their way in a shuffle are not."""
        return len(DECK) - sum(self.hand_sizes) - self.gone - len(self.pool)

    def unseen(self) -> list[Card]:
        """The cards of the deck, in canonical order."""
        return deck_without((*self.hands, *self.discards, self.pool))

    def give_hand(self, seat: int, hand: tuple[Card, ...]) -> None:
        """That seat holds these cards, in order."""
        self.hands = replaced(self.hands, seat, hand)
        self.hand_sizes = replaced(self.hand_sizes, seat, len(hand))

    def remember(self, seat: int, cards: Iterable[Card]) -> None:
        """The seat has seen these cards come or go."""
        known = self.memory[seat] + bytes([card.id for card in cards])
        self.memory = replaced(self.memory, seat, known)

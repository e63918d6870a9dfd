"""The facts that last from hand to hand: seats and their amounts, clock, public history."""

from __future__ import annotations

from typing import Final, TypeVar

from arena.core.chance.dealer import Dealer
from arena.core.outcome import Outcome, Termination, utilities
from arena.games.sabacc.cards.ranking import Ranker, ranker
from arena.games.sabacc.cards.rulesets import SabaccRules
from arena.games.sabacc.cards.variants import VARIANTS, Variant
from arena.games.sabacc.engine.history import numbered, plain
from arena.games.sabacc.engine.rules import slips
from arena.games.sabacc.engine.stages import ROLL_DUE, SLIP_DUE

T = TypeVar("T")

_ROWS: Final = tuple(VARIANTS.values())

ORDERS: Final[tuple[tuple[tuple[int, ...], ...], ...]] = tuple(
    [tuple([(*range(first, seats), *range(first)) for first in range(seats)]) for seats in range(7)]
)
"""The seats round a table, by their number and the first of them."""


def replaced(row: tuple[T, ...], seat: int, value: T) -> tuple[T, ...]:
    """The row with another value at one seat."""
    values = list(row)
    values[seat] = value
    return tuple(values)


MATCH = (
    "rules", "variant", "amounts", "active", "out_since", "past", "button", "expelled",
    "hand_number", "hand_start", "carried", "ticks", "due", "slips_drawn", "slips_out", "history",
    "ending", "dealer",
)  # fmt: skip
"""The names of everything that a match holds."""


class Match:
    """The facts of a match that no hand owns; whatever belongs to a seat is a tuple by seat."""

    __slots__ = MATCH

    rules: SabaccRules  # the ruleset
    variant: Variant  # the row of section 2 in force
    amounts: tuple[int, ...]  # by seat: chips, points, or hands won
    active: tuple[bool, ...]  # who is in the hand, by seat
    # By seat: the hand since which it has sat out for want of chips; 0 if it has not.
    out_since: tuple[int, ...]
    # By seat: ids of the cards that it got and gave, in order, in each earlier hand.
    past: tuple[tuple[bytes, ...], ...]
    button: int  # the dealer's seat
    expelled: tuple[int, ...]  # seats taken out of the match, in order
    hand_number: int  # number of the hand, from 1; 0 before the first
    hand_start: int  # where in the history the hand begins
    carried: int  # chips of earlier hands that wait for a winner (B13)
    ticks: int  # decisions since dice or slips were last due (section 11)
    due: int  # what the clock has made due: ``SLIP_DUE``, ``ROLL_DUE``, both or nothing
    slips_drawn: int  # slips drawn in this match
    slips_out: tuple[int, ...]  # slips that wait for the others to be drawn (B17)
    history: bytes  # the public events (``history``)
    ending: Outcome | None  # how the match ended
    dealer: Dealer | None  # answers chance; without one chance is a player

    def copy(self) -> Match:
        """A copy that shares nothing that changes."""
        twin = Match()
        twin.rules, twin.variant = self.rules, self.variant
        twin.amounts, twin.active, twin.out_since = self.amounts, self.active, self.out_since
        twin.past, twin.button, twin.expelled = self.past, self.button, self.expelled
        twin.hand_number, twin.hand_start = self.hand_number, self.hand_start
        twin.carried, twin.ticks, twin.due = self.carried, self.ticks, self.due
        twin.slips_drawn, twin.slips_out = self.slips_drawn, self.slips_out
        twin.history, twin.ending, twin.dealer = self.history, self.ending, self.dealer
        return twin

    @property
    def seats(self) -> int:
        """Number of seats at the table."""
        return len(self.amounts)

    @property
    def ranks(self) -> Ranker:
        """The ranking of hands in force."""
        return ranker(self.rules, self.variant)

    @property
    def chips(self) -> bool:
        """True if chips are played for."""
        return self.rules.mode == "chips"

    @property
    def left(self) -> int:
        """The seat at the dealer's left: play begins there (004:78)."""
        return (self.button + 1) % len(self.amounts)

    def in_hand(self, first: int) -> tuple[int, ...]:
        """The seats in the hand, in order from that one, round the table to the left."""
        active = self.active
        return tuple([seat for seat in ORDERS[len(active)][first] if active[seat]])

    def next_hand(self, memory: tuple[bytes, ...]) -> None:
        """Section 3: the dealer moves left, all who can enter; ``memory`` is of the hand before."""
        entering = tuple([self.can_enter(seat) for seat in range(self.seats)])
        if self.hand_number:
            past = self.past
            self.past = tuple([(*past[seat], known) for seat, known in enumerate(memory)])
        self.hand_number += 1
        if not all(entering):
            self.out_since = tuple(
                [
                    since or (0 if entering[seat] or seat in self.expelled else self.hand_number)
                    for seat, since in enumerate(self.out_since)
                ]
            )
        self.active = entering
        if self.hand_number > 1:
            self.button = self.in_hand(self.left)[0]
        self.hand_start = len(self.history)
        self.history = self.history + plain("hand", self.button)

    def can_enter(self, seat: int) -> bool:
        """True if a seat can pay the entry to another hand."""
        if seat in self.expelled or self.out_since[seat]:
            return False
        least = 1 if self.rules.short_stack == "all_in" else self.rules.ante
        return not self.chips or self.amounts[seat] >= least

    def another_hand(self) -> bool:
        """True if there will be another hand, for two seats or more."""
        more = self.hand_number < self.rules.hands
        return more and self._still_entering() > 1

    def _still_entering(self) -> int:
        return sum([self.can_enter(seat) for seat in range(self.seats)])

    def gain(self, kind: str, seat: int, amount: int) -> None:
        """A seat gets chips, points or a won hand, and everybody sees it."""
        self.amounts = replaced(self.amounts, seat, self.amounts[seat] + amount)
        self.history = self.history + numbered(kind, seat, amount)

    def tick(self, folded: bool = False) -> None:
        """Section 11: the clock counts decisions; card exchange and slips have one clock.

        Args:
            folded: The decision was to leave the hand: an orbit, one decision of every active
                player, does without it.
        """
        every = self.rules.tick_every
        self.ticks += not (folded and every == "orbit")
        if every != "phase" and self.ticks >= (sum(self.active) if every == "orbit" else every):
            self.fill_clock()

    def phase_over(self) -> None:
        """Section 11: with ``tick_every=phase`` every change of phase fills the clock."""
        if self.rules.tick_every == "phase":
            self.fill_clock()

    def fill_clock(self) -> None:
        """Two minutes are over: dice and slips are due, as far as they are played with."""
        self.ticks = 0
        self.due = self.rules.dice * ROLL_DUE | self.rules.variable * SLIP_DUE

    def draw_slip(self, seat: int, number: int) -> None:
        """Section 6: a slip says which variant is played from now on."""
        self.variant = _ROWS[number]
        self.history = self.history + numbered("slip", seat, number)
        self.slips_drawn += 1
        if self.rules.slip_return == "kept_out":
            out = (*self.slips_out, number)
            self.slips_out = () if len(out) == len(slips(self.rules)) else out

    def is_over(self) -> bool:
        """True if no other hand is played."""
        if self._still_entering() < 2:
            return True
        return self.hand_number >= self.rules.most_hands or self._target_reached()

    def _target_reached(self) -> bool:
        """B16: one alone is highest and has the target; equal ones play one more hand."""
        rules = self.rules
        if rules.mode != "points" or not rules.target:
            return False
        totals = sorted(self.amounts[seat] for seat in range(self.seats) if self.can_enter(seat))
        return totals[-1] >= rules.target and (len(totals) == 1 or totals[-1] > totals[-2])

    def finish(self) -> None:
        """The finishing order: amounts; who sat out later, higher; the expelled last."""
        merits = []
        for seat in range(self.seats):
            if seat in self.expelled:
                merits.append((0, self.expelled.index(seat), 0))
            else:
                merits.append((1, self.amounts[seat], self.out_since[seat] or self.hand_number + 1))
        ranked = sorted(set(merits), reverse=True)
        places = [ranked.index(merit) for merit in merits]
        to_target = self.rules.mode == "points" and self.rules.target
        capped = to_target and len(self.expelled) < self.seats - 1 and not self._target_reached()
        ending = Termination.CAP if capped else Termination.RULES
        self.ending = Outcome(utilities(places), self.amounts, ending)


def new_match(rules: SabaccRules, seats: int) -> Match:
    """A match before its first hand."""
    match = Match()
    match.rules, match.variant = rules, rules.row
    match.amounts = (rules.stack if rules.mode == "chips" else 0,) * seats
    match.active = (False,) * seats
    match.out_since = (0,) * seats
    match.past = ((),) * seats
    match.button = seats - 1
    match.expelled = ()
    match.hand_number = 0
    match.hand_start = 0
    match.carried = 0
    match.ticks = 0
    match.due = 0
    match.slips_drawn = 0
    match.slips_out = ()
    match.history = b""
    match.ending = None
    match.dealer = None
    return match

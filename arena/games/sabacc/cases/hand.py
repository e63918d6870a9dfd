"""One hand of Sabacc on the engine, taken step by step: nothing happens by itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Self

from arena.core.errors import IllegalAction
from arena.core.seeding import generator
from arena.core.state import CHANCE, TERMINAL
from arena.games.sabacc.actions import (
    ALL_IN_,
    CALL_,
    CARDS,
    CHECK_,
    FACES,
    FOLD_,
    RAISE_,
    SLIPS,
    SabaccAction,
)
from arena.games.sabacc.cards import Card
from arena.games.sabacc.showdown import leaders
from arena.games.sabacc.stages import (
    BET,
    CARD,
    DIE,
    NONE,
    OVER,
    ROLL_DUE,
    SHOWDOWN,
    SLIP,
    SLIP_DUE,
    stages_of,
)
from arena.games.sabacc.state import SabaccState
from arena.games.sabacc.table import replaced
from arena.games.sabacc.variants import VARIANTS

if TYPE_CHECKING:
    from random import Random


class CaseHand(SabaccState):
    """The engine's state without its stage machine: a case says who does what, and when.

    All that the rules make follow from a decision does happen (cards come, a slip is drawn when
    the clock is full); the next decision, the showdown and the next hand are left to the case.

    Attributes:
        deck_top: The cards that come next. Afterwards the rest of the deck comes in canonical
            order, but to a tie: the named cards are all that can decide it, so that where they
            end the deck ends (B8).
        next_slip: The variant on the next slip; empty for any.
        fills: Whether the next decision fills the clock (section 11).
        winners: Who won, from the dealer's left; ``None`` while the hand is on.
        was_tied: Whether the best hands were equal as they were laid down (004:104).
    """

    deck_top: tuple[Card, ...]
    next_slip: str
    fills: bool
    winners: tuple[int, ...] | None
    was_tied: bool
    rng: Random

    @classmethod
    def of(cls, state: SabaccState, deck_top: Sequence[Card], next_slip: str, fills: bool) -> Self:
        """A described situation as such a hand."""
        hand = cls.__new__(cls)
        state.copy_to(hand)
        hand.deck_top, hand.next_slip, hand.fills = tuple(deck_top), next_slip, fills
        hand.winners, hand.was_tied, hand.rng = None, False, generator(0)
        hand._rest()
        return hand

    # What the engine asks and does

    def proceed(self) -> None:
        owed = self.swapping or self.due & SLIP_DUE or self.stage == SHOWDOWN
        if owed or self.step == len(stages_of(self.rules)):
            super().proceed()
        else:
            self._rest()

    def available(self) -> int:
        return len(self.deck_top) if self.stage == SHOWDOWN else super().available()

    def _rest(self) -> None:
        """Nobody is asked for anything."""
        self.player, self.need, self.legal, self.waiting = CHANCE, NONE, (), ()

    def winner_matters(self) -> bool:
        return True

    def _finish_hand(self) -> None:
        self.winners = self.won[0]
        laid = {seat: self.laid[seat] for seat in self.in_hand(self.left)}
        equal = len(leaders(self.rules, self.variant, laid)[0]) > 1
        self.was_tied = bool(self.winners) and len(laid) > 1 and equal
        if self.chips:
            self.pay_out()
        self.stage, self.player, self.need, self.legal = OVER, TERMINAL, NONE, ()

    # What a case may ask for

    def asked(self, stage: int) -> tuple[int, ...]:
        """The seats that a draw round, or the exchange, asks, from the dealer's left."""
        return self.twin().begin_stage(stage)

    def begin_stage(self, stage: int) -> tuple[int, ...]:
        """A draw round begins; the same answer as ``asked``."""
        self.stage = stage
        return self._who_decides()

    def if_asked(self, stage: int, seat: int) -> Self:
        """Returns the state in which that seat is asked in that stage; nothing changes."""
        twin = self.twin()
        twin._ask(stage, seat)
        return twin

    def act(self, stage: int, seat: int, action: SabaccAction) -> None:
        """A seat's decision in that stage, and what follows from it.

        Raises:
            IllegalAction: It may not do that; nothing has changed.
        """
        asked = self.if_asked(stage, seat)
        if action not in asked.legal:
            raise IllegalAction(asked._refusal(action))
        self._ask(stage, seat)
        self.ticks = 0  # a case says itself when the clock is full
        if self.fills:
            self.fills = False
            self.fill_clock()
        self.apply_action(action)
        self._settle()

    def cost(self, seat: int, action: SabaccAction) -> int | None:
        """Chips that the action puts; ``None`` for one that is no put."""
        owed = self.to_call - self.round_put[seat]
        if action.kind == CHECK_:
            return 0
        if action.kind == CALL_:
            return owed
        if action.kind == ALL_IN_:
            return self.amounts[seat]
        if action.kind == RAISE_:
            return owed + action.value
        return None if action.kind == FOLD_ else action.value

    def enter(self) -> None:
        """Stage 1 of section 7: everybody pays the entry; who cannot is not in the hand."""
        for seat in self.in_hand(self.left):
            if self.can_enter(seat):
                self.pay("ante", seat, min(self.rules.ante, self.amounts[seat]))
            else:
                self.active = replaced(self.active, seat, False)
        self.last_stake = self.rules.ante

    def roll(self, seat: int, face: int, given: SabaccAction | None) -> None:
        """Section 5: that seat rolls that face; on an odd one it gives that card away."""
        self.due &= ~ROLL_DUE
        self.ask_chance(DIE, seat)
        self._chance(FACES[face - 1])
        self._settle()
        if self.swapping and given is not None:
            self.apply_action(given)
            self._settle()

    def lay_down(self, *, due: bool) -> None:
        """The showdown, with the extra cards of a tie.

        Args:
            due: Whether the clock is full as the cards are revealed (section 6).
        """
        if due:
            self.fill_clock()
        self.waiting, self.step = (), len(stages_of(self.rules))
        self.proceed()
        self._settle()

    def twin(self) -> Self:
        """A copy to try things on."""
        return self.copy_to(type(self).__new__(type(self)))

    def _ask(self, stage: int, seat: int) -> None:
        self.stage, self.waiting = stage, (seat,)
        if stage == BET and self.rules.betting == "poker" and self._equalised():
            self.begin_betting()
        self.ask_seat(seat)

    def _equalised(self) -> bool:
        """``poker``: whether a bet has been answered by everybody, so that a new round begins."""
        able = self.able(self.left)
        return self.to_call > 0 and all(self.round_put[seat] == self.to_call for seat in able)

    def _settle(self) -> None:
        """Chance answers; but a roll that is owed (after a fold) is left to the case."""
        while self.player == CHANCE and self.need not in (NONE, DIE):
            self._chance(self._answer())

    def _chance(self, action: SabaccAction) -> None:
        # Not apply_action: a situation need not agree with what a deck holds.
        if self.take_chance(action):
            self.proceed()

    def _answer(self) -> SabaccAction:
        if self.need == CARD:
            card, *rest = self.deck_top or self.unseen()
            self.deck_top = tuple(rest) if self.deck_top else ()
            return CARDS[card.id]
        if self.need == SLIP and self.next_slip:
            slip, self.next_slip = self.next_slip, ""
            return SLIPS[[*VARIANTS].index(slip)]
        return self.rng.choice([action for action, _ in self.chance_outcomes()])

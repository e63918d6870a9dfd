"""One hand of Sabacc on the engine, taken step by step: nothing happens by itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from arena.core.errors import IllegalAction
from arena.core.seeding import generator
from arena.core.state import CHANCE, TERMINAL
from arena.games.sabacc import actions, stages
from arena.games.sabacc.actions import CARDS, FACES, SLIPS, SabaccAction
from arena.games.sabacc.betting import Betting
from arena.games.sabacc.cards import Card
from arena.games.sabacc.chance import outcomes
from arena.games.sabacc.hand import Hand
from arena.games.sabacc.match import replaced
from arena.games.sabacc.showdown import leaders
from arena.games.sabacc.state import refusal
from arena.games.sabacc.variants import VARIANTS

if TYPE_CHECKING:
    from random import Random


class StepwiseHand(Hand):
    """The engine's hand without its stage machine: a case says who does what, and when.

    All that the rules make follow from a decision does happen (cards come, a slip is drawn when
    the clock is full); the next decision, the showdown and the next hand are left to the case.

    Attributes:
        deck_top: The cards that come next. Afterwards the rest of the deck comes in canonical
            order, but to a tie: the named cards are all that can decide it, so that where they
            end the deck ends (B8).
        winners: Who won, from the dealer's left; ``None`` while the hand is on.
        was_tied: Whether the best hands were equal as they were laid down (004:104).
        next_slip: The variant on the next slip; empty for any.
        fills: Whether the next decision fills the clock (section 11).
        rng: Answers chance where the case does not.
    """

    deck_top: tuple[Card, ...] = ()
    winners: tuple[int, ...] | None = None
    was_tied: bool = False
    next_slip: str = ""
    fills: bool = False
    rng: Random = msgspec.field(default_factory=lambda: generator(0))

    def proceed(self) -> None:
        owed = self.swapping or self.match.due & stages.SLIP_DUE or self.stage == stages.SHOWDOWN
        if owed or self.step == len(self.plan):
            super().proceed()
        else:
            self.rest()

    def rest(self) -> None:
        """Nobody is asked for anything."""
        self.player, self.need, self.legal, self.waiting = CHANCE, stages.NONE, (), ()

    def another_card(self, tied: tuple[int, ...]) -> bool:
        return len(self.deck_top) >= len(tied) and super().another_card(tied)

    def winner_matters(self) -> bool:
        return True

    def finish(self) -> None:
        match = self.match
        self.winners = self.won[0]
        laid = {seat: self.laid[seat] for seat in match.in_hand(match.left)}
        equal = len(leaders(match.ranks, laid)[0]) > 1
        self.was_tied = bool(self.winners) and len(laid) > 1 and equal
        if match.chips:
            self.betting.pay_out(self.won)
        self.stage, self.player, self.need, self.legal = stages.OVER, TERMINAL, stages.NONE, ()

    def ask(self, stage: int, seat: int) -> None:
        """The seat decides as in that stage."""
        self.stage, self.waiting = stage, (seat,)
        poker = self.match.rules.betting == "poker"
        if stage == stages.BET and poker and _equalised(self.betting):
            self.betting.begin()
        self.ask_seat(seat)

    def asked(self, stage: int) -> tuple[int, ...]:
        """The seats that a draw round, or the exchange, asks, from the dealer's left."""
        return self.clone().begin_stage(stage)

    def if_asked(self, stage: int, seat: int) -> StepwiseHand:
        """Returns a copy of the hand in which that seat is asked in that stage."""
        twin = self.clone()
        twin.ask(stage, seat)
        return twin

    def act(self, stage: int, seat: int, action: SabaccAction) -> None:
        """A seat's decision in that stage, and what follows; raises ``IllegalAction``."""
        asked = self.if_asked(stage, seat)
        if action not in asked.legal:
            raise IllegalAction(refusal(action, asked.player, asked.legal))
        self.ask(stage, seat)
        self.match.ticks = 0  # a case says itself when the clock is full
        if self.fills:
            self.fills = False
            self.match.fill_clock()
        self.decide(seat, action)
        self._settle()

    def enter(self) -> None:
        """Stage 1 of section 7: everybody pays the entry; who cannot is not in the hand."""
        match, betting = self.match, self.betting
        for seat in match.in_hand(match.left):
            if match.can_enter(seat):
                betting.pay("ante", seat, min(match.rules.ante, match.amounts[seat]))
            else:
                match.active = replaced(match.active, seat, False)
        betting.last_stake = match.rules.ante

    def roll(self, seat: int, face: int, given: SabaccAction | None) -> None:
        """Section 5: that seat rolls that face; on an odd one it gives that card away."""
        self.match.due &= ~stages.ROLL_DUE
        self.ask_chance(stages.DIE, seat)
        self.take_chance(FACES[face - 1])
        self._settle()
        if self.swapping and given is not None:
            self.decide(seat, given)
            self._settle()

    def show_down(self, *, due: bool) -> None:
        """The showdown, with a tie's extra cards; ``due``: the clock is full before (section 6)."""
        if due:
            self.match.fill_clock()
        self.waiting, self.step = (), len(self.plan)
        self.proceed()
        self._settle()

    def _settle(self) -> None:
        """Chance answers; but a roll that is owed (after a fold) is left to the case."""
        while self.player == CHANCE and self.need not in (stages.NONE, stages.DIE):
            self.take_chance(self._answer())  # a situation need not agree with a deck

    def _answer(self) -> SabaccAction:
        if self.need == stages.CARD:
            card, *rest = self.deck_top or self.deck.unseen()
            self.deck_top = tuple(rest) if self.deck_top else ()
            return CARDS[card.id]
        if self.need == stages.SLIP and self.next_slip:
            slip, self.next_slip = self.next_slip, ""
            return SLIPS[[*VARIANTS].index(slip)]
        return self.rng.choice([action for action, _ in outcomes(self)])


def stepwise(hand: Hand, deck_top: Sequence[Card], next_slip: str, fills: bool) -> StepwiseHand:
    """The hand that a case describes, of which every stage and decision is asked for."""
    facts = {name: getattr(hand, name) for name in Hand.__struct_fields__}
    made = StepwiseHand(**facts, deck_top=tuple(deck_top), next_slip=next_slip, fills=fills)
    made.rest()
    return made


def _equalised(betting: Betting) -> bool:
    """``poker``: whether a bet has been answered by everybody, so that a new round begins."""
    able = betting.able(betting.match.left)
    return betting.to_call > 0 and all(betting.round_put[s] == betting.to_call for s in able)


def cost(hand: Hand, seat: int, action: SabaccAction) -> int | None:
    """Chips that the action puts; ``None`` for one that is no put."""
    owed = hand.betting.to_call - hand.betting.round_put[seat]
    if action.kind == actions.CHECK_:
        return 0
    if action.kind == actions.CALL_:
        return owed
    if action.kind == actions.ALL_IN_:
        return hand.match.amounts[seat]
    if action.kind == actions.RAISE_:
        return owed + action.value
    return None if action.kind == actions.FOLD_ else action.value

"""One hand of Sabacc on the engine, taken step by step: nothing happens by itself."""

from __future__ import annotations

from collections.abc import Sequence

from arena.core.chance.seeding import generator
from arena.core.errors import IllegalAction
from arena.core.state import CHANCE, TERMINAL
from arena.games.sabacc.cards.cards import Card
from arena.games.sabacc.cards.showdown import leaders
from arena.games.sabacc.cards.variants import VARIANTS
from arena.games.sabacc.engine import actions, stages
from arena.games.sabacc.engine.actions import CARDS, FACES, SLIPS, SabaccAction
from arena.games.sabacc.engine.betting import Betting
from arena.games.sabacc.engine.chance import outcomes
from arena.games.sabacc.engine.hand import Hand
from arena.games.sabacc.engine.match import replaced
from arena.games.sabacc.engine.ruled_hand import refusal


class StepwiseHand(Hand):
    """The engine's hand without its stage machine: a case says who does what, and when.

    Everything that the rules make follow from a decision does happen (cards come, a slip is drawn
    when the clock is full); the next decision, the showdown and the next hand are left to the case.

    Attributes:
        deck_top: The cards that come next. Afterwards the rest of the deck comes in canonical
            order, but to a tie: the named cards are everything that can decide it, so that where
            they end the deck ends (B8).
        winners: Who won, from the dealer's left; ``None`` while the hand is on.
        was_tied: Whether the best hands were equal as they were laid down (004:104).
    """

    deck_top: tuple[Card, ...] = ()
    winners: tuple[int, ...] | None = None
    was_tied: bool = False

    def clone(self) -> StepwiseHand:
        twin = StepwiseHand()
        self.copy_to(twin)
        twin.deck_top, twin.winners, twin.was_tied = self.deck_top, self.winners, self.was_tied
        return twin

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


class CaseHand:
    """A hand that a case describes and plays, and the answers of chance.

    Attributes:
        hand: The hand, of which every stage and decision is asked for.
        next_slip: The variant on the next slip; empty for any.
        fills: Whether the next decision fills the clock (section 11).
    """

    def __init__(self, hand: Hand, deck_top: Sequence[Card], next_slip: str, fills: bool) -> None:
        self.hand = StepwiseHand()
        hand.copy_to(self.hand)
        self.hand.deck_top = tuple(deck_top)
        self.hand.rest()
        self.next_slip, self.fills = next_slip, fills
        self._rng = generator(0)

    def asked(self, stage: int) -> tuple[int, ...]:
        """The seats that a draw round, or the exchange, asks, from the dealer's left."""
        return self.hand.clone().begin_stage(stage)

    def if_asked(self, stage: int, seat: int) -> StepwiseHand:
        """Returns the hand in which that seat is asked in that stage; nothing changes."""
        twin = self.hand.clone()
        _ask(twin, stage, seat)
        return twin

    def act(self, stage: int, seat: int, action: SabaccAction) -> None:
        """A seat's decision in that stage, and what follows; raises ``IllegalAction``."""
        asked = self.if_asked(stage, seat)
        if action not in asked.legal:
            raise IllegalAction(refusal(action, asked.player, asked.legal))
        _ask(self.hand, stage, seat)
        self.hand.match.ticks = 0  # a case says itself when the clock is full
        if self.fills:
            self.fills = False
            self.hand.match.fill_clock()
        self.hand.decide(seat, action)
        self._settle()

    def enter(self) -> None:
        """Stage 1 of section 7: everybody pays the entry; who cannot is not in the hand."""
        match, betting = self.hand.match, self.hand.betting
        for seat in match.in_hand(match.left):
            if match.can_enter(seat):
                betting.pay("ante", seat, min(match.rules.ante, match.amounts[seat]))
            else:
                match.active = replaced(match.active, seat, False)
        betting.last_stake = match.rules.ante

    def roll(self, seat: int, face: int, given: SabaccAction | None) -> None:
        """Section 5: that seat rolls that face; on an odd one it gives that card away."""
        self.hand.match.due &= ~stages.ROLL_DUE
        self.hand.ask_chance(stages.DIE, seat)
        self.hand.take_chance(FACES[face - 1])
        self._settle()
        if self.hand.swapping and given is not None:
            self.hand.decide(seat, given)
            self._settle()

    def show_down(self, *, due: bool) -> None:
        """The showdown, with a tie's extra cards; ``due``: the clock is full before (section 6)."""
        if due:
            self.hand.match.fill_clock()
        self.hand.waiting, self.hand.step = (), len(self.hand.plan)
        self.hand.proceed()
        self._settle()

    def _settle(self) -> None:
        """Chance answers; but a roll that is owed (after a fold) is left to the case."""
        while self.hand.player == CHANCE and self.hand.need not in (stages.NONE, stages.DIE):
            self.hand.take_chance(self._answer())  # a situation need not agree with a deck

    def _answer(self) -> SabaccAction:
        hand = self.hand
        if hand.need == stages.CARD:
            card, *rest = hand.deck_top or hand.deck.unseen()
            hand.deck_top = tuple(rest) if hand.deck_top else ()
            return CARDS[card.id]
        if hand.need == stages.SLIP and self.next_slip:
            slip, self.next_slip = self.next_slip, ""
            return SLIPS[[*VARIANTS].index(slip)]
        return self._rng.choice([action for action, _ in outcomes(hand)])


def _ask(hand: Hand, stage: int, seat: int) -> None:
    hand.stage, hand.waiting = stage, (seat,)
    if stage == stages.BET and hand.match.rules.betting == "poker" and _equalised(hand.betting):
        hand.betting.begin()
    hand.ask_seat(seat)


def _equalised(betting: Betting) -> bool:
    """``poker``: whether a bet has been answered by everybody, so that a new round begins."""
    able = betting.able(betting.match.left)
    return betting.to_call > 0 and all(betting.round_put[s] == betting.to_call for s in able)


def cost(hand: Hand, seat: int, action: SabaccAction) -> int | None:
    """Chips that the action bets; ``None`` for one that is not a put."""
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

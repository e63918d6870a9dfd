"""A hand and a match from beginning to end (rule book sections 3, 5-8, 11), without legality.

``SabaccState`` puts the contract of a state around it: legality, observation, cloning.
"""

from __future__ import annotations

from arena.games.sabacc import chance, rules
from arena.games.sabacc.actions import (
    DEMAND_,
    DRAW,
    DRAW_,
    EXCHANGE_,
    FOLD,
    FOLD_,
    PASS,
    PASS_,
    SHOW_,
    SHOWS,
    SabaccAction,
    exchanges,
)
from arena.games.sabacc.cards import in_order
from arena.games.sabacc.history import numbered, plain, with_cards
from arena.games.sabacc.reckoning import Reckoning
from arena.games.sabacc.rulesets import DEALT, MOST_CARDS
from arena.games.sabacc.stages import (
    BET_IF_DRAWN,
    BETTING,
    DEAL,
    DIE,
    DRAWS,
    EXCHANGE,
    FIRST_DRAW,
    OPEN_BETTING,
    ROLL_DUE,
    SECOND_DRAW,
    SHOWDOWN,
    SLIP,
    SLIP_DUE,
)
from arena.games.sabacc.table import replaced


class Procedure(Reckoning):
    """What moves the table: the hands of a match, the stages of a hand, the decisions."""

    def begin_hand(self) -> None:
        """Section 3: the dealer moves left, everybody enters and gets three cards."""
        entering = tuple(map(self.can_enter, range(self.seats)))
        self.past = tuple(
            (*past, known) if self.hand_number else ()
            for past, known in zip(self.past, self.memory, strict=True)
        )
        self.memory = (b"",) * self.seats
        self.hand_number += 1
        if self.hand_number > 1:
            self.button = next(s for s in self.round_from(self.left) if entering[s])
        self.out_since = tuple(
            since or (0 if enters or seat in self.expelled else self.hand_number)
            for seat, (since, enters) in enumerate(zip(self.out_since, entering, strict=True))
        )
        self.clear(entering)
        self.stage, self.step = DEAL, -1
        self.hand_start = len(self.history)
        self.history += plain("hand", self.button)
        order = self.in_hand(self.left)
        if self.chips:
            for seat in order:
                self.pay("ante", seat, min(self.rules.ante, self.amounts[seat]))
        if self.dealer is None:
            self.ask_cards(tuple(seat for seat in order for _ in range(DEALT)))
            return
        self.deck = deck = chance.deck_pile(self, self.dealer)
        for seat in order:
            cards = [deck.draw(seat) for _ in range(DEALT)]
            self.give_hand(seat, in_order(cards))
            self.remember(seat, cards)
        self.proceed()

    def proceed(self) -> None:
        """Finds who decides next, through whatever lies between two decisions."""
        if self.stage == SHOWDOWN:
            self._decide_pots()
            return
        while True:
            if self.swapping:
                self.ask_seat(self.turn)
                return
            if self.due & SLIP_DUE:
                self.due &= ~SLIP_DUE
                self.ask_chance(SLIP, self.waiting[0] if self.waiting else self.left)
                return
            if self.waiting:
                seat = self.waiting[0]
                if self.due & ROLL_DUE:  # section 11: the player about to decide rolls first
                    self.due &= ~ROLL_DUE
                    self.ask_chance(DIE, seat)
                else:
                    self.ask_seat(seat)
                return
            if self.step == len(self.plan):
                self._lay_down()
                return
            self._next_stage()

    def _next_stage(self) -> None:
        """Goes on to the next orbit or stage that has decisions, or to the end of the plan."""
        plan, before = self.plan, (self.step, self.stage)
        if self.stage in BETTING:
            self.waiting = self.next_orbit()
        elif self.stage == EXCHANGE and plan[self.step] == OPEN_BETTING:
            self._go_to(OPEN_BETTING, self.begin_orbit())
        while not self.waiting and self.step < len(plan):
            self.step += 1
            if self.step < len(plan):
                self.stage = plan[self.step]
                self.waiting = self._who_decides()
        if self.step != before[0] and before[1] != DEAL:
            self._phase_changed()

    def _go_to(self, stage: int, waiting: tuple[int, ...]) -> None:
        """From open betting to the exchange that was demanded, and back."""
        self.stage, self.waiting = stage, waiting
        self._phase_changed()

    def _phase_changed(self) -> None:
        if self.rules.tick_every == "phase":
            self.fill_clock()

    def _who_decides(self) -> tuple[int, ...]:
        """Whom a new stage asks, in order from the dealer's left (B10)."""
        order = self.in_hand(self.left)
        if self.stage == EXCHANGE:
            return order
        if self.stage in DRAWS:
            self.drew = False
            may = [seat for seat in order if self.hand_sizes[seat] < MOST_CARDS]
            if self.stage == SECOND_DRAW and self.rules.second_draw == "drawers":  # B9
                may = [seat for seat in may if self.drew_first[seat]]
            return tuple(may)
        if self.stage == BET_IF_DRAWN and not self.drew:
            return ()
        return self.begin_betting()

    def ask_seat(self, seat: int) -> None:
        """The seat decides."""
        self.player = seat
        if self.swapping:
            legal = exchanges(self.hands[seat], frozenset((1,)))
        elif self.stage in DRAWS:
            legal = (DRAW, PASS) if self.available() else (PASS,)
        elif self.stage == EXCHANGE:
            legal = self._exchanges_of(seat)
        else:
            self.legal = self.stakes_of(seat)
            return
        self.legal = (*legal, FOLD) if self.chips else legal  # B20

    def _exchanges_of(self, seat: int) -> tuple[SabaccAction, ...]:
        """Section 3, 4: the exchanges of the variant, and what may be shown for a larger one."""
        hand, shown, variant = self.hands[seat], self.shown[seat], self.variant
        showing = rules.shows(variant, shown)
        counts = rules.exchange_counts(self.rules, variant, len(hand), showing)
        most = self.available()
        if most < len(hand):
            counts = frozenset(count for count in counts if count <= most)
        legal = exchanges(hand, counts)
        if shown and self.rules.reveal == "kept":  # B11
            # The last of two equal cards: ``exchanges`` gives the first of them.
            kept = {len(hand) - 1 - hand[::-1].index(card) for card in shown if card in hand}
            legal = tuple(a for a in legal if not any(a.value >> place & 1 for place in kept))
        if not showing and variant.revealers:
            held = {card.rank for card in hand}
            legal += tuple(SHOWS[name] for name in variant.revealers if name in held)
        return legal

    def decide(self, seat: int, action: SabaccAction) -> None:
        """A seat's legal decision, and all that follows until the next one."""
        kind = action.kind
        if kind == SHOW_:  # a step of the exchange, not a decision of its own for the clock
            assert action.card is not None
            self.shown = replaced(self.shown, seat, (*self.shown[seat], action.card))
            self.history += with_cards("show", seat, (action.card,))
            self.ask_seat(seat)
            return
        if self.swapping and kind == EXCHANGE_:  # nor is the card that an odd roll costs
            self.swapping = False
            self.history += plain("swap", seat)
            self.discard(seat, action.value)
            self.ask_cards((seat,))
            return
        if self.waiting and self.waiting[0] == seat:
            self.waiting = self.waiting[1:]
        if kind == FOLD_:
            self._fold(seat)
            return
        self.tick()
        if kind in (PASS_, DRAW_):
            self._draw(seat, kind == DRAW_)
        elif kind == EXCHANGE_:
            self.history += numbered("exchange", seat, action.count)
            if self.discard(seat, action.value):
                self.ask_cards((seat,) * action.count)
                return
        else:
            self.stake(seat, action)
            if kind == DEMAND_:
                self._go_to(EXCHANGE, self.in_hand(self.left))
        if not self.queue:
            self.proceed()

    def _draw(self, seat: int, draws: bool) -> None:
        self.history += plain("draw" if draws else "pass", seat)
        if draws:
            self.drew = True
            self.untouched = replaced(self.untouched, seat, False)
            if self.stage == FIRST_DRAW:
                self.drew_first = replaced(self.drew_first, seat, True)
            self.ask_cards((seat,))

    def _fold(self, seat: int) -> None:
        """004:310, B20: a seat leaves the hand; with dice it still rolls (004:146)."""
        self.history += plain("fold", seat)
        self._leave(seat)
        self.tick(folded=True)
        if sum(self.active) == 1:
            self._take_unseen()
        elif self.rules.dice:
            self.ask_chance(DIE, seat)
        else:
            self.proceed()

    def _leave(self, seat: int) -> None:
        self.active = replaced(self.active, seat, False)
        self.swapping &= self.player != seat
        self.waiting = tuple(other for other in self.waiting if other != seat)
        self.end_idle_orbit()

    def _lay_down(self) -> None:
        """Section 3, 5 and 004:104: all lay their cards open; equal ones get another card."""
        self.stage = SHOWDOWN
        order = self.in_hand(self.left)
        for seat in order:
            self.history += with_cards("reveal", seat, self.hands[seat])
        hands = {seat: self.hands[seat] for seat in order}
        self.laid = tuple(hands.get(seat, ()) for seat in range(self.seats))
        if self.rules.mode == "points":
            self.score_hands(order)
        if self.winner_matters():
            self._decide_pots()
        else:
            self._finish_hand()

    def _decide_pots(self) -> None:
        """The best of those who can win a pot wins it; of equal ones each gets a card (B8)."""
        contests = self.contests()
        while len(self.won) < len(contests):
            best = self.best_of(contests[len(self.won)])
            if len(best) > 1 and self.another_card(best):
                return
            self.won += (best,)
            if self.engine.cards_for_each_pot and len(self.won) < len(contests):
                self.extra = ((),) * self.seats
        self._finish_hand()

    def _finish_hand(self) -> None:
        """The hand is over: what it gives is given, and the next one begins, or none does."""
        self.settle()
        if self.match_over():
            self.finish_match()
        else:
            self.begin_hand()

    def _take_unseen(self) -> None:
        """The last one left takes the pot unseen (004:322)."""
        self.won = (self.in_hand(self.left),)
        self._finish_hand()

    def take_out(self, seat: int) -> None:
        """A seat is folded for the rest of the match; its amount stays where it is."""
        self.expelled += (seat,)
        self.history += plain("expel", seat)
        deciding = self.player
        if self.active[seat]:
            self._leave(seat)
        if sum(self.active) == 1:
            self._take_unseen()
        elif deciding == seat or not self.waiting:
            self.proceed()
        else:  # a rival less: there may be nobody left to answer a raise
            self.ask_seat(deciding)

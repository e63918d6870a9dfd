"""One hand from the deal to the last pot (rule book sections 3 to 8 and 11), stage by stage."""

from __future__ import annotations

from arena.core.chance.compiling import mypyc_attr
from arena.core.state import CHANCE, TERMINAL
from arena.games.sabacc.cards import showdown
from arena.games.sabacc.cards.cards import Card
from arena.games.sabacc.cards.points import hand_points
from arena.games.sabacc.cards.rulesets import DEALT, HAND_BONUS, MAX_CARDS, TIE_ROUNDS
from arena.games.sabacc.engine import actions, rules, stages
from arena.games.sabacc.engine.actions import FOLD, SabaccAction
from arena.games.sabacc.engine.betting import Betting, new_betting
from arena.games.sabacc.engine.deck import Deck, new_deck
from arena.games.sabacc.engine.history import numbered, plain, with_cards
from arena.games.sabacc.engine.match import Match, replaced
from arena.games.sabacc.engine.stages import stages_of

HAND = (
    "match", "deck", "betting", "plan", "drew_first", "shown", "rolls", "laid", "extra", "player",
    "legal", "stage", "step", "need", "turn", "swapping", "queue", "waiting", "drew", "shifts",
    "slips_in_hand", "won",
)  # fmt: skip
"""The names of a hand's fields."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Hand:
    """A hand in progress: who decides, what chance is asked for, and who wins."""

    __slots__ = HAND

    match: Match  # the match that it belongs to
    deck: Deck  # its cards
    betting: Betting  # its chips
    plan: tuple[int, ...]  # the stages that it goes through (``stages``)
    drew_first: tuple[bool, ...]  # who drew in the first draw round, by seat
    shown: tuple[tuple[Card, ...], ...]  # by seat: cards shown before the exchange
    rolls: tuple[int, ...]  # by seat: rolls of the die in this hand
    laid: tuple[tuple[Card, ...], ...]  # by seat: the hand as it was laid down at the showdown
    # By seat: the cards that it got to break the last pot's tie (004:104), in order.
    extra: tuple[tuple[Card, ...], ...]
    # The seat that decides, or ``CHANCE``, or ``TERMINAL`` when the hand is over.
    player: int
    legal: tuple[SabaccAction, ...]  # what the player may do; empty at chance nodes
    stage: int  # where the hand stands (``stages``)
    step: int  # the stage's number within the plan
    need: int  # what chance is asked for
    turn: int  # the seat that chance's answer, or the die, concerns
    swapping: bool  # whether the seat to decide owes a card after an odd roll (section 5)
    # Seats that still get a card (give one, take one) from chance, in order.
    queue: tuple[int, ...]
    waiting: tuple[int, ...]  # seats that still decide in this orbit, the next first
    drew: bool  # whether somebody drew in the last draw round
    shifts: int  # even rolls of this hand
    slips_in_hand: int  # slips drawn in this hand
    # Of the pots that are decided: who won each; nobody where everybody loses.
    won: tuple[tuple[int, ...], ...]

    def clone(self) -> Hand:
        """An independent copy of the hand and its match, without a dealer."""
        twin = Hand()
        self.copy_to(twin)
        return twin

    def copy_to(self, twin: Hand) -> None:
        """Makes a new object such a copy."""
        twin.plan, twin.drew_first, twin.shown = self.plan, self.drew_first, self.shown
        twin.rolls, twin.laid, twin.extra = self.rolls, self.laid, self.extra
        twin.player, twin.legal, twin.stage = self.player, self.legal, self.stage
        twin.step, twin.need, twin.turn = self.step, self.need, self.turn
        twin.swapping, twin.queue, twin.waiting = self.swapping, self.queue, self.waiting
        twin.drew, twin.shifts, twin.slips_in_hand = self.drew, self.shifts, self.slips_in_hand
        twin.won = self.won
        twin.match = match = self.match.copy()
        twin.deck, twin.betting = self.deck.copy(), self.betting.copy()
        twin.deck.match = twin.betting.match = match
        match.dealer = None

    def begin(self) -> None:
        """Section 3: everybody enters and gets three cards."""
        match = self.match
        order = match.in_hand(match.left)
        if match.chips:
            for seat in order:
                self.betting.pay("ante", seat, min(match.rules.ante, match.amounts[seat]))
        if match.dealer is None:
            self.ask_cards(tuple([seat for seat in order for _ in range(DEALT)]))
        else:
            self.deck.deal(order)
            self.proceed()

    # The stages

    def proceed(self) -> None:
        """Finds who decides next, through whatever lies between two decisions."""
        if self.stage == stages.SHOWDOWN:
            self._decide_pots()
            return
        match = self.match
        while True:
            if self.swapping:
                self.ask_seat(self.turn)
                return
            if match.due & stages.SLIP_DUE:
                match.due &= ~stages.SLIP_DUE
                self.ask_chance(stages.SLIP, self.waiting[0] if self.waiting else match.left)
                return
            if self.waiting:
                seat = self.waiting[0]
                if match.due & stages.ROLL_DUE:  # section 11: who is about to decide rolls first
                    match.due &= ~stages.ROLL_DUE
                    self.ask_chance(stages.DIE, seat)
                else:
                    self.ask_seat(seat)
                return
            if self.step == len(self.plan):
                self.lay_down()
                return
            self._next_stage()

    def _next_stage(self) -> None:
        plan, step, stage = self.plan, self.step, self.stage
        if stage in stages.BETTING:
            self.waiting = self.betting.next_orbit(stage)
        elif stage == stages.EXCHANGE and plan[step] == stages.OPEN_BETTING:
            self._go_to(stages.OPEN_BETTING, self.betting.begin_orbit())
        while not self.waiting and self.step < len(plan):
            self.step += 1
            if self.step < len(plan):
                self.waiting = self.begin_stage(plan[self.step])
        if self.step != step and stage != stages.DEAL:
            self.match.phase_over()

    def _go_to(self, stage: int, waiting: tuple[int, ...]) -> None:
        self.stage, self.waiting = stage, waiting
        self.match.phase_over()

    def begin_stage(self, stage: int) -> tuple[int, ...]:
        """A stage begins; whom it asks, in order from the dealer's left (B10)."""
        self.stage = stage
        order = self.match.in_hand(self.match.left)
        if stage == stages.EXCHANGE:
            return order
        if stage in stages.DRAWS:
            self.drew = False
            may = [seat for seat in order if self.deck.hand_sizes[seat] < MAX_CARDS]
            if stage == stages.SECOND_DRAW and self.match.rules.second_draw == "drawers":  # B9
                may = [seat for seat in may if self.drew_first[seat]]
            return tuple(may)
        if stage == stages.BET_IF_DRAWN and not self.drew:
            return ()
        return self.betting.begin()

    # A seat's decisions

    def ask_seat(self, seat: int) -> None:
        """The seat decides."""
        self.player = seat
        match, deck = self.match, self.deck
        if self.swapping:
            legal = rules.swaps(deck.hands[seat])
        elif self.stage in stages.DRAWS:
            legal = rules.draws(deck.available())
        elif self.stage == stages.EXCHANGE:
            hand, shown = deck.hands[seat], self.shown[seat]
            legal = rules.exchange_choices(
                match.rules, match.variant, hand, shown, deck.available()
            )
        else:
            self.legal = self.betting.stakes_of(seat, self.stage)
            return
        if match.chips:
            legal += (FOLD,)  # B20
        self.legal = legal

    def decide(self, seat: int, action: SabaccAction) -> None:
        """Takes a seat's legal decision, and continues until the next one."""
        kind, match = action.kind, self.match
        if kind == actions.SHOW_:  # a step of the exchange, not a decision of its own for the clock
            assert action.card is not None
            self.shown = replaced(self.shown, seat, (*self.shown[seat], action.card))
            match.history = match.history + with_cards("show", seat, (action.card,))
            self.ask_seat(seat)
            return
        if self.swapping and kind == actions.EXCHANGE_:  # nor is the card that an odd roll costs
            self.swapping = False
            match.history = match.history + plain("swap", seat)
            self.deck.discard(seat, action.value)
            self.ask_cards((seat,))
            return
        if self.waiting and self.waiting[0] == seat:
            self.waiting = self.waiting[1:]
        if kind == actions.FOLD_:
            self._fold(seat)
            return
        match.tick()
        if kind == actions.EXCHANGE_:
            given = self.deck.discard(seat, action.value)
            match.history = match.history + numbered("exchange", seat, given)
            if given:
                self.ask_cards((seat,) * given)
                return
        elif kind == actions.DRAW_:
            self._draw(seat)
            return
        elif kind == actions.PASS_:
            match.history = match.history + plain("pass", seat)
        else:
            self.betting.stake(seat, action)
            if kind in (actions.BET_, actions.RAISE_):
                self.waiting = self.betting.rivals(seat)
            elif kind == actions.DEMAND_:
                self._go_to(stages.EXCHANGE, match.in_hand(match.left))
        self.proceed()

    def _draw(self, seat: int) -> None:
        self.match.history = self.match.history + plain("draw", seat)
        self.drew = True
        self.deck.untouched = replaced(self.deck.untouched, seat, False)
        if self.stage == stages.FIRST_DRAW:
            self.drew_first = replaced(self.drew_first, seat, True)
        self.ask_cards((seat,))

    def _fold(self, seat: int) -> None:
        """004:310, B20: a seat leaves the hand; with dice it still rolls (004:146)."""
        match = self.match
        match.history = match.history + plain("fold", seat)
        self._leave(seat)
        match.tick(folded=True)
        if sum(match.active) == 1:
            self._take_unseen()
        elif match.rules.dice:
            self.ask_chance(stages.DIE, seat)
        else:
            self.proceed()

    def take_out(self, seat: int) -> None:
        """A seat is folded for the rest of the match; its amount stays where it is."""
        match, deciding = self.match, self.player
        match.expelled += (seat,)
        match.history = match.history + plain("expel", seat)
        if match.active[seat]:
            self._leave(seat)
        if sum(match.active) == 1:
            self._take_unseen()
        elif deciding == seat or not self.waiting:
            self.proceed()
        else:  # a rival less: there may be nobody left to answer a raise
            self.ask_seat(deciding)

    def _leave(self, seat: int) -> None:
        self.match.active = replaced(self.match.active, seat, False)
        self.swapping &= self.player != seat
        self.waiting = tuple([other for other in self.waiting if other != seat])
        if self.stage in stages.BETTING:
            self.waiting = self.betting.still_waiting(self.waiting)

    # Chance

    def ask_chance(self, need: int, seat: int) -> None:
        """Chance is to answer; the seat is whom the answer concerns."""
        self.need, self.turn, self.player, self.legal = need, seat, CHANCE, ()

    def ask_cards(self, seats: tuple[int, ...]) -> None:
        """Each of these seats gets a card from the deck, in order."""
        self.queue = seats
        self.deck.freshen()
        self.ask_chance(stages.CARD, seats[0])

    def take_chance(self, action: SabaccAction) -> None:
        """Applies an outcome of chance, and everything that follows until the next decision or
        answer.
        """
        kind, seat, need = action.kind, self.turn, self.need
        if kind == actions.FACE_:
            self._roll(seat, action.value)
        elif kind == actions.SLIP_:
            self.slips_in_hand += 1
            self.match.draw_slip(seat, action.value)
            self.need = stages.NONE
        else:
            assert action.card is not None
            self._move_card(need, seat, action.card)
        if self.need == stages.NONE:
            self.proceed()

    def _roll(self, seat: int, face: int) -> None:
        """Section 5: odd: the roller swaps a card; even: a card of every hand is shuffled."""
        match = self.match
        self.rolls = replaced(self.rolls, seat, self.rolls[seat] + 1)
        match.history = match.history + numbered("roll", seat, face)
        if face % 2:
            # B18: compulsory, but a folded roller's odd roll does nothing.
            self.swapping = match.active[seat] and self.deck.available() > 0
            self.need = stages.NONE
        else:
            self.shifts += 1
            self.queue = match.in_hand(0)  # in an order that no roll changes
            self.ask_chance(stages.PICK, self.queue[0])

    def _move_card(self, need: int, seat: int, card: Card) -> None:
        deck, match = self.deck, self.match
        if need == stages.PICK:
            deck.pick(seat, card)
        elif need == stages.GET:
            deck.get(seat, card)
        else:
            deck.take(seat, card)
            if self.stage == stages.SHOWDOWN:
                self.extra = replaced(self.extra, seat, (*self.extra[seat], card))
                match.history = match.history + with_cards("extra", seat, (card,))
        self.queue = self.queue[1:]
        if self.queue:
            if need == stages.CARD:
                deck.freshen()
            self.ask_chance(need, self.queue[0])
        elif need == stages.PICK:
            self.queue = match.in_hand(0)  # the same again
            self.ask_chance(stages.GET, self.queue[0])
        else:
            self.need = stages.NONE
            if need == stages.CARD and deck.gone and match.rules.discards == "reshuffled":  # B12
                deck.take_discards_back()

    # The end

    def lay_down(self) -> None:
        """Section 3, 5 and 004:104: all lay their cards open; equal ones get another card."""
        self.stage = stages.SHOWDOWN
        match, hands = self.match, self.deck.hands
        order = match.in_hand(match.left)
        for seat in order:
            match.history = match.history + with_cards("reveal", seat, hands[seat])
        active = match.active
        self.laid = tuple([hand if active[seat] else () for seat, hand in enumerate(hands)])
        if match.rules.mode == "points":
            self._score(order)
        if self.winner_matters():
            self._decide_pots()
        else:
            self.finish()

    def _score(self, order: tuple[int, ...]) -> None:
        """Section 8, B16: everyone still in scores the cards laid down, without extra ones."""
        match = self.match
        for seat in order:
            hand, dealt = self.laid[seat], self.deck.untouched[seat]
            points = hand_points(match.ranks, hand, dealt=dealt, won=False)
            match.gain("score", seat, points)

    def winner_matters(self) -> bool:
        """True if the best hand decides anything: ties are broken only then."""
        return self.match.rules.mode != "points" or self.match.rules.bonus == "winner"

    def _decide_pots(self) -> None:
        """The best of those who can win a pot wins it; of equal ones each gets a card (B8)."""
        contests = self.betting.contests()
        while len(self.won) < len(contests):
            best = self._best_of(contests[len(self.won)])
            if len(best) > 1 and self.another_card(best):
                return
            self.won += (best,)
            if len(self.won) < len(contests):
                self.extra = ((),) * self.match.seats
        self.finish()

    def _best_of(self, seats: tuple[int, ...]) -> tuple[int, ...]:
        """Seats with the best hand, winners of earlier pots first; none when everybody loses."""
        winners = tuple(seat for seat in seats if any(seat in won for won in self.won))
        if winners or len(seats) == 1:  # what nobody else can win is not at stake
            return winners or seats
        laid = {seat: self.laid[seat] for seat in seats}
        return showdown.best_of(self.match.ranks, laid, self.extra)

    def another_card(self, tied: tuple[int, ...]) -> bool:
        """B8: one card each, up to five rounds or the deck's end; then they share."""
        if len(self.extra[tied[0]]) == TIE_ROUNDS or self.deck.available() < len(tied):
            return False
        self.ask_cards(tied)
        return True

    def _take_unseen(self) -> None:
        """The last one left takes the pot unseen (004:322)."""
        self.won = (self.match.in_hand(0),)
        self.finish()

    def finish(self) -> None:
        """Ends the hand: its winners get its value, in each of the modes."""
        match, winners = self.match, self.won[0] if self.won else ()
        mode = match.rules.mode
        if mode == "chips":
            self.betting.pay_out(self.won)
        elif mode == "showdown":
            for seat in winners:  # who stay tied to the end have each won the hand
                match.gain("win", seat, 1)
        elif len(winners) == 1 and match.rules.bonus == "winner":
            match.gain("score", winners[0], HAND_BONUS)  # I9
        self.stage, self.player, self.legal = stages.OVER, TERMINAL, ()


def new_hand(match: Match, turn: int = 0) -> Hand:
    """A hand before its deal; ``turn`` is whom chance's last answer concerned."""
    seats = match.seats
    hand = Hand()
    hand.match, hand.deck, hand.betting = match, new_deck(match), new_betting(match)
    hand.plan = stages_of(match.rules)
    hand.drew_first = (False,) * seats
    hand.shown = hand.laid = hand.extra = ((),) * seats
    hand.rolls = (0,) * seats
    hand.turn = turn
    hand.player = CHANCE
    hand.legal = ()
    hand.stage = stages.DEAL
    hand.step = -1
    hand.need = stages.NONE
    hand.swapping = False
    hand.queue = ()
    hand.waiting = ()
    hand.drew = False
    hand.shifts = 0
    hand.slips_in_hand = 0
    hand.won = ()
    return hand

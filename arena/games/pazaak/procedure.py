"""The turn and set procedure of rule book section 2, as plain transitions without legality.

``PazaakState`` puts the contract of a state around it: legality, observation, cloning.
"""

from __future__ import annotations

import msgspec

from arena.core.dealer import Dealer
from arena.core.outcome import Outcome, Termination
from arena.core.state import CHANCE, TERMINAL
from arena.games.pazaak import chance, rules
from arena.games.pazaak.actions import PazaakAction
from arena.games.pazaak.cards import DECK_ROWS, Card, Square, square
from arena.games.pazaak.history import (
    ACTED,
    AUTO_STOOD,
    DREW,
    ENDED_DREW,
    OPENED,
    REASONS,
    STARTED,
    TIED,
    WON,
)
from arena.games.pazaak.rulesets import LIMIT, SETS_TO_WIN, SQUARES
from arena.games.pazaak.stages import (
    ACT,
    DEAL,
    DRAW,
    NO_MARKS,
    OPENING,
    OVER,
    PLAYED,
    START,
    Marks,
)
from arena.games.pazaak.table import Table

BUST, FILL, OUTSCORE, TIEBREAKER = REASONS


class Procedure(Table):
    """The board and what moves it: chance, turns, the end of a set and of the match."""

    __slots__ = ()

    def ask_chance(self, phase: int, turn: int) -> None:
        """Chance's decision: the dealer answers at once, or else chance is the player."""
        self.phase, self.turn = phase, turn
        self.legal = ()
        self.player = CHANCE
        if self.dealer is not None:
            self._answer(self.dealer)

    def _answer(self, dealer: Dealer) -> None:
        """The dealer answers the chance node."""
        phase, seat = self.phase, self.turn
        if phase == START:
            self.start_set(chance.draw_starter(self, dealer))
        elif phase == DEAL:
            self.take_hand(seat, chance.deal_hand(self, dealer))
        elif phase == OPENING:
            cards = chance.opening_cards(self, dealer)
            if seat == 0:
                self.note_opening_card(0, cards[0])
            self.take_opening_card(1, cards[-1])
        else:
            self.begin_turn(seat)

    def take_chance(self, action: PazaakAction) -> None:
        """What chance does at a chance node."""
        if self.phase == DRAW:
            self.begin_turn(self.turn, action.value)
        elif self.phase == DEAL:
            self.take_hand(self.turn, action.cards)
        elif self.phase == START:
            self.start_set(action.value)
        else:
            self.take_opening_card(self.turn, action.value)

    def take_hand(self, seat: int, hand: tuple[Card, ...]) -> None:
        """S11, C1: a hand is dealt, to seat 0 and then to seat 1."""
        self.give_hand(seat, hand)
        self.dealt[seat] += (hand,)
        if seat == 0:
            self.ask_chance(DEAL, 1)
        elif self.set_number:
            self.begin_turn(self.starter)
        else:
            self._open()

    def _open(self) -> None:
        """S14, S16: the first starter is found."""
        first_set = self.rules.first_set
        if first_set == "opening_draw":
            self.ask_chance(OPENING, 0)
        elif first_set == "random":
            self.ask_chance(START, 0)
        else:
            self.start_set(0)

    def note_opening_card(self, seat: int, value: int) -> None:
        """S14, A2: a card of the opening draw is seen, and goes back or is burnt."""
        self.history += OPENED[seat][value]
        self.opening += (value,)
        if self.rules.opening_cards == "burn":
            self.marks = msgspec.structs.replace(self.marks, burnt=self.opening)

    def take_opening_card(self, seat: int, value: int) -> None:
        """S14, A2: each draws a deck card, the higher starts; equal cards are drawn anew."""
        self.note_opening_card(seat, value)
        mine, theirs = self.opening[-2:] if seat == 1 else (0, 0)
        if mine == theirs:
            self.ask_chance(OPENING, 1 - seat)
        else:
            self.start_set(0 if mine > theirs else 1)

    def start_set(self, starter: int) -> None:
        """Set setup: fresh shuffle, empty tables, nobody stands; hands stay (S7, S11, C1)."""
        self.set_number += 1
        if self.set_number > 1:
            self.clear_tables()
            if self.marks is not NO_MARKS:
                lasts = self.rules.flip_lasts == "match"  # A11
                self.marks = Marks(negated=self.marks.negated) if lasts else NO_MARKS
        self.starter = starter
        self.last_set = None
        self.history += STARTED[starter]
        if self.dealer is not None:
            self.pile = chance.main_pile(self, self.dealer)
        if self.rules.hand_scope == "set" and self.set_number > 1:
            self.ask_chance(DEAL, 0)
        else:
            self.begin_turn(starter)

    def begin_turn(self, seat: int, value: int = 0, codes: tuple[bytes, ...] | None = None) -> None:
        """S17: a turn begins with a deck card, which nobody decides.

        Args:
            seat: Whose turn begins.
            value: The card that came; 0 while chance has not been asked.
            codes: What goes into the history, by value of the card (index 0: none has come yet);
                by default no more than the card.
        """
        if codes is None:
            codes = DREW[seat]
        if not value:
            pile = self.pile
            if pile is None:
                self.history += codes[0]
                self.ask_chance(DRAW, seat)
                return
            value = pile.draw(seat)
        self.history += codes[value]
        row = DECK_ROWS[value]
        if self.marks is not NO_MARKS and value in self.marks.negated[seat]:
            row, value = (square(-value, row[0].face),), -value  # C9: "cards played in future"
        self.turn, self.phase = seat, ACT
        tables, totals = self.tables, self.totals
        tables[seat] = table = tables[seat] + row
        totals[seat] = total = totals[seat] + value
        # Nearly every card lands short of 20 and of nine squares, and nothing is to be judged.
        if total < self.quiet_below and len(table) < SQUARES:
            self.player, self.legal = seat, self.acts[seat]
        else:
            self._judge_landing(seat)

    def _judge_landing(self, seat: int) -> None:
        """Section 2, turn 1a-b: after a card has landed, fill, then automatic stand."""
        ruleset, total = self.rules, self.totals[seat]
        full = rules.counted_squares(ruleset, self.tables[seat]) >= SQUARES
        stands = total == LIMIT and ruleset.auto_stand == "immediate"
        if total > LIMIT:
            if ruleset.overshoot_spoils_fill:
                self.marks = self.marks.with_overshot(seat)
            if ruleset.bust_check == "immediate":  # C5
                self._end_set(1 - seat, BUST)
                return
        elif full and ruleset.fill == "win":  # S26, A4, A6
            spoilt = self.marks.overshot[seat]
            if not spoilt and not (stands and ruleset.ninth_on_twenty == "stand"):
                self._end_set(seat, FILL)
                return
        if self.totals[1 - seat] > LIMIT and ruleset.bust_check == "immediate":  # C5, A8
            self._end_set(seat, BUST)
            return
        if stands or (full and total <= LIMIT):  # S21, C8
            self.history += AUTO_STOOD[seat]
            self.stand(seat)
        else:
            self.ask_seat(seat, full)

    def ask_seat(self, seat: int, full: bool) -> None:
        """The seat decides; it may play a card if it has not and a square is free (A5)."""
        self.player = seat
        if self.phase == PLAYED or (full and self.rules.fill_overflow == "bust"):
            self.legal = rules.ENDINGS
        elif self.rules.flip_without_target == "illegal":
            reached = self.tables if self.rules.flip_scope == "both" else (self.tables[seat],)
            self.legal = rules.acts_with_targets(self.rules, self.hands[seat], reached)
        else:
            self.legal = self.acts[seat]
        if not self.tables[seat]:  # only in described situations: nothing for a Double (A12)
            self.legal = tuple(a for a in self.legal if a.card is None or not a.card.doubles)

    def play(self, seat: int, action: PazaakAction) -> None:
        """S18 and section 2, "Card effects": one hand card onto the own table."""
        card = action.card
        assert card is not None
        hand = self.hands[seat]
        gone = hand.index(card)
        self.history += ACTED[seat][action.id]
        self.give_hand(seat, hand[:gone] + hand[gone + 1 :])
        self.phase = PLAYED
        if card.flips:
            self._flip(seat, card)
        elif card.doubles:
            table = rules.doubled(self.rules, self.tables[seat], card, self.marks.negated[seat])
            self._lay(seat, table)
        else:
            self._lay(seat, (*self.tables[seat], square(action.value, card)))
            if card.breaks_ties:
                self.marks = self.marks.with_laid(seat)
        self._judge_landing(seat)

    def _lay(self, seat: int, table: tuple[Square, ...]) -> None:
        self.tables[seat] = table
        self.totals[seat] = sum(sq.value for sq in table)

    def _flip(self, seat: int, card: Card) -> None:
        """C9, A8: turns the cards of the tables it reaches; the flip card itself counts 0."""
        for side in (0, 1) if self.rules.flip_scope == "both" else (seat,):
            self._lay(side, rules.flipped(self.rules, self.tables[side], card.flips))
            if self.rules.flip == "negate_deck_persistent":
                self.marks = self.marks.with_negated(side, card.flips)
        self._lay(seat, (*self.tables[seat], square(0, card)))

    def end_turn(self, seat: int) -> None:
        """Section 2, turn 3-4: a turn ends below 20, on it (C6) or over it, a bust (S25)."""
        rival = 1 - seat
        # Who stands draws no more (S20), so the other goes on.
        coming = seat if self.standing[rival] else rival
        codes = ENDED_DREW[seat][coming]
        total = self.totals[seat]
        if total < LIMIT or (total == LIMIT and self.rules.auto_stand == "off"):
            self.begin_turn(coming, 0, codes)
            return
        self.history += codes[0]
        if total > LIMIT:
            self._end_set(rival, BUST)
        else:
            self.history += AUTO_STOOD[seat]
            self.stand(seat)

    def stand(self, seat: int) -> None:
        """S20, S23: fixes the total, or gives the set up when it is over 20."""
        if self.totals[seat] > LIMIT:
            self._end_set(1 - seat, BUST)
            return
        self.standing[seat] = True
        if self.standing[1 - seat]:
            self._showdown()
        else:
            self.begin_turn(1 - seat)

    def _showdown(self) -> None:
        """S24, S27: both stand: the higher total within 20, then the Tiebreaker, else a tie."""
        first, second = self.totals
        if first > LIMIT or second > LIMIT:  # A8: a flip of both tables may undo a stood total
            first, second = first <= LIMIT, second <= LIMIT
        if first != second:
            self._end_set(0 if first > second else 1, OUTSCORE)
            return
        winner = rules.tiebreak(self.rules, self.tables, self.marks.laid)
        self._end_set(winner, "tie" if winner is None else TIEBREAKER)

    def _end_set(self, winner: int | None, reason: str) -> None:
        """S3, S4, A18: the winner scores; three sets win the match, and so may the cap."""
        self.last_set = (winner, reason)
        sets = self.sets
        if winner is None:
            self.history += TIED[self.turn]
        else:
            self.history += WON[reason][winner]
            sets[winner] += 1
            if sets[winner] == SETS_TO_WIN:
                self._end_match(Termination.RULES)
                return
        if 0 < self.rules.max_sets <= self.set_number:
            self._end_match(Termination.CAP)
            return
        starters = self.next_starters()
        if self.dealer is not None and len(starters) == 1:
            self.start_set(starters[0])  # as chance would answer, by a shorter way
        else:
            self.ask_chance(START, self.turn)

    def _end_match(self, termination: Termination) -> None:
        self.phase, self.player, self.legal = OVER, TERMINAL, ()
        first, second = self.sets
        lead = float((first > second) - (first < second))
        self.ending = Outcome((lead, 0.0 - lead), (first, second), termination)

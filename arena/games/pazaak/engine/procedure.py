"""The turn and set procedure of rule book section 2, as transitions of a table.

They check nothing: ``PazaakState`` is the table with the contract of a state, legality first.
"""

from __future__ import annotations

from typing import Final

import msgspec

from arena.core.chance.dealer import Dealer
from arena.core.outcome import Termination
from arena.core.state import CHANCE, TERMINAL
from arena.games.pazaak.engine import cards, chance, history, stages
from arena.games.pazaak.engine.actions import PazaakAction
from arena.games.pazaak.engine.cards import Card, Square, square
from arena.games.pazaak.engine.rules import (
    ENDINGS,
    acts_with_targets,
    counted_squares,
    doubled,
    flipped,
    outcome_of,
    tiebreak,
)
from arena.games.pazaak.engine.rulesets import LIMIT, SETS_TO_WIN, SQUARES
from arena.games.pazaak.engine.stages import Marks
from arena.games.pazaak.engine.table import Table

BUST, FILL, OUTSCORE, TIEBREAKER = history.REASONS
# Names of this module's own: compiled, those of another one are looked up at every use. And below,
# ``history = history + code``: compiled, ``+=`` would not know that both are bytes.
DECK_ROWS: Final = cards.DECK_ROWS
NO_MARKS: Final = stages.NO_MARKS
AUTO_STOOD: Final = history.AUTO_STOOD
DREW: Final = history.DREW
ENDED_DREW: Final = history.ENDED_DREW
OPENED: Final = history.OPENED
STARTED: Final = history.STARTED
TIED: Final = history.TIED
WON: Final = history.WON


def ask_chance(table: Table, phase: int, turn: int) -> None:
    """Chance's decision: the dealer answers at once, or else chance is the player."""
    table.phase, table.turn = phase, turn
    table.legal = ()
    table.player = CHANCE
    if table.dealer is not None:
        _answer(table, table.dealer)


def _answer(table: Table, dealer: Dealer) -> None:
    phase, seat = table.phase, table.turn
    if phase == stages.START:
        start_set(table, chance.draw_starter(table, dealer))
    elif phase == stages.DEAL:
        take_hand(table, seat, chance.deal_hand(table, dealer))
    elif phase == stages.OPENING:
        cards = chance.opening_cards(table, dealer)
        if seat == 0:
            note_opening_card(table, 0, cards[0])
        take_opening_card(table, 1, cards[-1])
    else:
        begin_turn(table, seat)


def take_chance(table: Table, action: PazaakAction) -> None:
    """Applies an outcome of chance, and everything that follows until the next decision or
    answer.
    """
    if table.phase == stages.DRAW:
        begin_turn(table, table.turn, action.value)
    elif table.phase == stages.DEAL:
        take_hand(table, table.turn, action.cards)
    elif table.phase == stages.START:
        start_set(table, action.value)
    else:
        take_opening_card(table, table.turn, action.value)


def take_hand(table: Table, seat: int, hand: tuple[Card, ...]) -> None:
    """S11, C1: a hand is dealt, to seat 0 and then to seat 1."""
    table.give_hand(seat, hand)
    side = table.sides[seat]
    side.dealt = (*side.dealt, hand)
    if seat == 0:
        ask_chance(table, stages.DEAL, 1)
    elif table.set_number:
        begin_turn(table, table.starter)
    else:
        _open(table)


def _open(table: Table) -> None:
    """S14, S16: the first starter is found."""
    first_set = table.rules.first_set
    if first_set == "opening_draw":
        ask_chance(table, stages.OPENING, 0)
    elif first_set == "random":
        ask_chance(table, stages.START, 0)
    else:
        start_set(table, 0)


def note_opening_card(table: Table, seat: int, value: int) -> None:
    """S14, A2: a card of the opening draw is seen, and goes back or is burnt."""
    table.history = table.history + OPENED[seat][value]
    table.opening += (value,)
    if table.rules.opening_cards == "burn":
        table.marks = msgspec.structs.replace(table.marks, burnt=table.opening)


def take_opening_card(table: Table, seat: int, value: int) -> None:
    """S14, A2: each draws a deck card, the higher starts; equal cards are drawn again."""
    note_opening_card(table, seat, value)
    mine, theirs = table.opening[-2:] if seat == 1 else (0, 0)
    if mine == theirs:
        ask_chance(table, stages.OPENING, 1 - seat)
    else:
        start_set(table, 0 if mine > theirs else 1)


def start_set(table: Table, starter: int) -> None:
    """Set setup: fresh shuffle, empty tables, nobody stands; hands stay (S7, S11, C1)."""
    table.set_number += 1
    if table.set_number > 1:
        table.clear_tables()
        if table.marks is not NO_MARKS:
            lasts = table.rules.flip_lasts == "match"  # A11
            table.marks = Marks(negated=table.marks.negated) if lasts else NO_MARKS
    table.starter = starter
    table.last_set = None
    table.history = table.history + STARTED[starter]
    if table.dealer is not None:
        table.pile = chance.main_pile(table, table.dealer)
    if table.rules.hand_scope == "set" and table.set_number > 1:
        ask_chance(table, stages.DEAL, 0)
    else:
        begin_turn(table, starter)


def begin_turn(
    table: Table, seat: int, value: int = 0, codes: tuple[bytes, ...] | None = None
) -> None:
    """S17: a turn begins with a deck card, which nobody decides.

    Args:
        value: The card that came; 0 while chance has not been asked.
        codes: What goes into the history, by value of the card (index 0: none has come yet);
            by default no more than the card.
    """
    if codes is None:
        codes = DREW[seat]
    if not value:
        pile = table.pile
        if pile is None:
            table.history = table.history + codes[0]
            ask_chance(table, stages.DRAW, seat)
            return
        value = pile.draw(seat)
    table.history = table.history + codes[value]
    row = DECK_ROWS[value]
    if table.marks is not NO_MARKS and value in table.marks.negated[seat]:
        row, value = (square(-value, row[0].face),), -value  # C9: "cards played in future"
    table.turn, table.phase = seat, stages.ACT
    side = table.sides[seat]
    side.squares = squares = side.squares + row
    side.total = total = side.total + value
    # Nearly every card lands short of 20 and of nine squares, and nothing is to be judged.
    if total < table.quiet_below and len(squares) < SQUARES:
        table.player, table.legal = seat, side.acts
    else:
        settle_landing(table, seat)


def settle_landing(table: Table, seat: int) -> None:
    """Section 2, turn 1a-b: after a card has landed, fill, then automatic stand."""
    ruleset, side = table.rules, table.sides[seat]
    total = side.total
    full = counted_squares(ruleset, side.squares) >= SQUARES
    stands = total == LIMIT and ruleset.auto_stand == "immediate"
    if total > LIMIT:
        if ruleset.overshoot_spoils_fill:
            table.marks = table.marks.with_overshot(seat)
        if ruleset.bust_check == "immediate":  # C5
            _end_set(table, 1 - seat, BUST)
            return
    elif full and ruleset.fill == "win":  # S26, A4, A6
        spoilt = table.marks.overshot[seat]
        if not spoilt and not (stands and ruleset.ninth_on_twenty == "stand"):
            _end_set(table, seat, FILL)
            return
    if table.sides[1 - seat].total > LIMIT and ruleset.bust_check == "immediate":  # C5, A8
        _end_set(table, seat, BUST)
        return
    if stands or (full and total <= LIMIT):  # S21, C8
        table.history = table.history + AUTO_STOOD[seat]
        stand(table, seat)
    else:
        ask_seat(table, seat, full)


def ask_seat(table: Table, seat: int, full: bool) -> None:
    """The seat decides; it may play a card if it has not and a square is free (A5)."""
    table.player, side = seat, table.sides[seat]
    if table.phase == stages.PLAYED or (full and table.rules.fill_overflow == "bust"):
        table.legal = ENDINGS
    elif table.rules.flip_without_target == "illegal":
        reached = table.tables if table.rules.flip_scope == "both" else (side.squares,)
        table.legal = acts_with_targets(table.rules, side.hand, reached)
    else:
        table.legal = side.acts
    if not side.squares:  # only in described situations: nothing for a Double (A12)
        table.legal = tuple(a for a in table.legal if a.card is None or not a.card.doubles)


def play(table: Table, seat: int, action: PazaakAction) -> None:
    """S18 and section 2, "Card effects": one hand card onto the own table.

    As of ``stand``, the action is in the history already.
    """
    card = action.card
    assert card is not None
    squares, hand = table.sides[seat].squares, table.sides[seat].hand
    gone = hand.index(card)
    table.give_hand(seat, hand[:gone] + hand[gone + 1 :])
    table.phase = stages.PLAYED
    if card.flips:
        _flip(table, seat, card)
    elif card.doubles:
        _lay(table, seat, doubled(table.rules, squares, card, table.marks.negated[seat]))
    else:
        _lay(table, seat, (*squares, square(action.value, card)))
        if card.breaks_ties:
            table.marks = table.marks.with_laid(seat)
    settle_landing(table, seat)


def _lay(table: Table, seat: int, squares: tuple[Square, ...]) -> None:
    side = table.sides[seat]
    side.squares, side.total = squares, sum(sq.value for sq in squares)


def _flip(table: Table, seat: int, card: Card) -> None:
    """C9, A8: turns the cards of the tables it reaches; the flip card itself counts 0."""
    for reached in (0, 1) if table.rules.flip_scope == "both" else (seat,):
        _lay(table, reached, flipped(table.rules, table.sides[reached].squares, card.flips))
        if table.rules.flip == "negate_deck_persistent":
            table.marks = table.marks.with_negated(reached, card.flips)
    _lay(table, seat, (*table.sides[seat].squares, square(0, card)))


def end_turn(table: Table, seat: int) -> None:
    """Section 2, turn 3-4: a turn ends below 20, on it (C6) or over it, a bust (S25)."""
    rival = 1 - seat
    # Who stands draws no more (S20), so the other goes on.
    coming = seat if table.sides[rival].standing else rival
    codes = ENDED_DREW[seat][coming]
    total = table.sides[seat].total
    if total < LIMIT or (total == LIMIT and table.rules.auto_stand == "off"):
        begin_turn(table, coming, 0, codes)
        return
    table.history = table.history + codes[0]
    if total > LIMIT:
        _end_set(table, rival, BUST)
    else:
        table.history = table.history + AUTO_STOOD[seat]
        stand(table, seat)


def stand(table: Table, seat: int) -> None:
    """S20, S23: fixes the total, or gives the set up when it is over 20."""
    side = table.sides[seat]
    if side.total > LIMIT:
        _end_set(table, 1 - seat, BUST)
        return
    side.standing = True
    if table.sides[1 - seat].standing:
        _showdown(table)
    else:
        begin_turn(table, 1 - seat)


def _showdown(table: Table) -> None:
    """S24, S27: both stand: the higher total within 20, then the Tiebreaker, else a tie."""
    first, second = table.totals
    if first > LIMIT or second > LIMIT:  # A8: a flip of both tables may undo a stood total
        first, second = first <= LIMIT, second <= LIMIT
    if first != second:
        _end_set(table, 0 if first > second else 1, OUTSCORE)
        return
    winner = tiebreak(table.rules, table.tables, table.marks.laid)
    _end_set(table, winner, "tie" if winner is None else TIEBREAKER)


def _end_set(table: Table, winner: int | None, reason: str) -> None:
    """S3, S4, A18: the winner scores; three sets win the match, and so may the cap."""
    table.last_set = (winner, reason)
    if winner is None:
        table.history = table.history + TIED[table.turn]
    else:
        table.history = table.history + WON[reason][winner]
        side = table.sides[winner]
        side.sets += 1
        if side.sets == SETS_TO_WIN:
            _end_match(table, Termination.RULES)
            return
    if 0 < table.rules.max_sets <= table.set_number:
        _end_match(table, Termination.CAP)
        return
    starters = table.next_starters()
    if table.dealer is not None and len(starters) == 1:
        start_set(table, starters[0])  # as chance would answer, by a shorter way
    else:
        ask_chance(table, stages.START, table.turn)


def _end_match(table: Table, termination: Termination) -> None:
    table.phase, table.player, table.legal = stages.OVER, TERMINAL, ()
    table.ending = outcome_of(table.sets, termination)

"""Chance in Pazaak: the piles a dealer draws from, and the exact odds when chance is a player."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import TYPE_CHECKING

from arena.core.dealer import Dealer, Pile
from arena.games.pazaak import rules
from arena.games.pazaak.actions import DRAWS, STARTS, PazaakAction, deal
from arena.games.pazaak.cards import FORTY, TEN, Card, in_order
from arena.games.pazaak.rulesets import HAND_SIZE
from arena.games.pazaak.stages import DEAL, OPENING, START

if TYPE_CHECKING:
    from arena.games.pazaak.procedure import Procedure

Odds = tuple[tuple[PazaakAction, Fraction], ...]
"""Outcomes of a chance node with their probabilities."""


def answer(state: Procedure, dealer: Dealer) -> None:
    """The dealer answers the chance node at which the state is."""
    seat, number, phase = state.turn, state.set_number, state.phase
    if phase == START:
        starters = state.next_starters()
        if len(starters) > 1:
            starters = (dealer.source(f"starter/{number + 1}", starters, 1).draw(0),)
        state.start_set(starters[0])
    elif phase == DEAL:
        name = f"hand/{seat}/{number}" if number else f"hand/{seat}"
        state.take_hand(seat, in_order(dealer.deal(name, state.side_decks[seat], HAND_SIZE)))
    elif phase == OPENING:
        cards = _opening_cards(state, dealer)
        if seat == 0:
            state.note_opening_card(0, cards[0])
        state.take_opening_card(1, cards[-1])
    else:
        state.begin_turn(seat)


def _opening_cards(state: Procedure, dealer: Dealer) -> Sequence[int]:
    """S14: the cards still to come in one attempt of the opening draw, seat 0's first."""
    name, seats = f"opening/{len(state.opening) // 2}", (0, 1)[state.turn :]
    if state.rules.main_deck == "forty_shared":
        return dealer.deal(name, _opening_deck(state, state.turn), len(seats))
    if state.rules.main_deck == "infinite":
        draw = dealer.source(name, TEN, 2).draw
        return [draw(seat) for seat in seats]
    decks = {seat: _opening_deck(state, seat) for seat in seats}
    return [dealer.deal(f"{name}/seat{seat}", deck, 1)[0] for seat, deck in decks.items()]


def _opening_deck(state: Procedure, seat: int) -> Sequence[int]:
    """What a seat's opening card may be: the deck less what was burnt or just drawn (A2, A15)."""
    gone = state.marks.burnt
    if state.rules.main_deck == "forty_each":
        gone = gone[seat::2]
    elif seat == 1 and not gone:
        gone = state.opening[-1:]
    return without(FORTY, gone) if gone else FORTY


def main_pile(state: Procedure, dealer: Dealer) -> Pile[int]:
    """S7: the shuffled main deck of the set, less what already lies on the tables."""
    name = f"main/{state.set_number}"
    if state.rules.main_deck == "forty_shared":
        if not (state.tables[0] or state.tables[1] or state.marks.burnt):
            return dealer.pile(name, FORTY, 2)
        return dealer.pile(name, rules.undrawn(state.rules, state.tables, 0, state.marks.burnt), 2)
    if state.rules.main_deck == "infinite":
        return dealer.source(name, TEN, 2)
    return _Apart(
        tuple(
            dealer.pile(
                f"{name}/seat{seat}",
                rules.undrawn(state.rules, state.tables, seat, state.marks.burnt[seat::2]),
                1,
            )
            for seat in (0, 1)
        )
    )


class _Apart:
    """C4 ``forty_each``: a deck for each seat."""

    __slots__ = ("_piles",)

    def __init__(self, piles: tuple[Pile[int], ...]) -> None:
        self._piles = piles

    def draw(self, seat: int) -> int:
        return self._piles[seat].draw(0)


def outcomes(state: Procedure) -> Odds:
    """The exact odds at the state's chance node."""
    if state.phase == DEAL:
        return hands_of(state.side_decks[state.turn])
    if state.phase == START:
        starters = state.next_starters()
        return tuple((STARTS[seat], Fraction(1, len(starters))) for seat in starters)
    if state.phase == OPENING:
        if state.rules.main_deck == "infinite":
            return draw_odds(TEN)
        return draw_odds(_opening_deck(state, state.turn))
    burnt = state.marks.burnt
    if state.rules.main_deck == "forty_each":
        burnt = burnt[state.turn :: 2]
    return draw_odds(rules.undrawn(state.rules, state.tables, state.turn, burnt))


@cache
def hands_of(side_deck: tuple[Card, ...]) -> Odds:
    """Every hand of four from a side deck."""
    hands = Counter(combinations(side_deck, HAND_SIZE))
    return tuple((deal(hand), Fraction(n, hands.total())) for hand, n in hands.items())


def draw_odds(deck: Sequence[int]) -> Odds:
    """Every value that may come from a deck."""
    values = Counter(deck)
    return tuple((DRAWS[v - 1], Fraction(values[v], len(deck))) for v in sorted(values))


def without(deck: Sequence[int], gone: Sequence[int]) -> tuple[int, ...]:
    """The deck less some of its cards."""
    left = Counter(deck)
    left.subtract(gone)
    return tuple(left.elements())

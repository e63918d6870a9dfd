"""Chance in Pazaak: the piles a dealer draws from, and the exact odds when chance is a player."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import cache, lru_cache
from itertools import combinations

from arena.core.chance.dealer import Dealer, Pile
from arena.games.pazaak.engine import rules
from arena.games.pazaak.engine.actions import DRAWS, STARTS, PazaakAction, deal
from arena.games.pazaak.engine.cards import FORTY, TEN, Card, in_order
from arena.games.pazaak.engine.history import events_of
from arena.games.pazaak.engine.rulesets import HAND_SIZE
from arena.games.pazaak.engine.stages import DEAL, OPENING, START
from arena.games.pazaak.engine.table import Table

Odds = tuple[tuple[PazaakAction, Fraction], ...]
"""Outcomes of a chance node with their probabilities."""


def draw_starter(table: Table, dealer: Dealer) -> int:
    """S14-S16: the seat that starts the next set, by lot where several may."""
    starters = table.next_starters()
    if len(starters) == 1:
        return starters[0]
    return dealer.source(f"starter/{table.set_number + 1}", starters, 1).draw(0)


def deal_hand(table: Table, dealer: Dealer) -> tuple[Card, ...]:
    """S11, C1: four cards from the side deck of the seat whose turn it is."""
    seat, number = table.turn, table.set_number
    name = f"hand/{seat}/{number}" if number else f"hand/{seat}"
    return in_order(dealer.deal(name, table.side_decks[seat], HAND_SIZE))


def opening_cards(table: Table, dealer: Dealer) -> Sequence[int]:
    """S14: the cards still to come in one attempt of the opening draw, seat 0's first."""
    name, seats = f"opening/{len(table.opening) // 2}", (0, 1)[table.turn :]
    if table.rules.main_deck == "forty_shared":
        return dealer.deal(name, _opening_deck(table, table.turn), len(seats))
    if table.rules.main_deck == "infinite":
        draw = dealer.source(name, TEN, 2).draw
        return [draw(seat) for seat in seats]
    decks = {seat: _opening_deck(table, seat) for seat in seats}
    return [dealer.deal(f"{name}/seat{seat}", deck, 1)[0] for seat, deck in decks.items()]


def _opening_deck(table: Table, seat: int) -> tuple[int, ...]:
    """Possible opening cards of a seat: the deck less those burnt or just drawn (A2, A15)."""
    gone = table.marks.burnt
    if table.rules.main_deck == "forty_each":
        gone = gone[seat::2]
    elif seat == 1 and not gone:
        gone = table.opening[-1:]
    return without(FORTY, gone) if gone else FORTY


def main_pile(table: Table, dealer: Dealer) -> Pile[int]:
    """S7: the shuffled main deck of the set, less what already lies on the tables."""
    name, kind = f"main/{table.set_number}", table.rules.main_deck
    if kind == "infinite":
        return dealer.source(name, TEN, 2)
    if kind == "forty_each":
        return _Apart([dealer.pile(f"{name}/seat{s}", _undrawn(table, s), 1) for s in (0, 1)])
    whole = not (table.tables[0] or table.tables[1] or table.marks.burnt)
    return dealer.pile(name, FORTY if whole else _undrawn(table, 0), 2)


def came(node: Table, later: Table) -> PazaakAction:
    """The outcome of a chance node that led to a later state of the match."""
    seat = node.turn
    if node.phase == DEAL:
        return deal(later.dealt[seat][len(node.dealt[seat])])
    seen = len(node.history)
    (event,) = events_of(later.history[seen : seen + 1])
    return STARTS[event.seat] if node.phase == START else DRAWS[event.value - 1]


def cards_left(table: Table) -> tuple[int, ...]:
    """The number of cards of each value 1..10 left in the deck of the seat whose turn it is."""
    return tuple(map(_undrawn(table, table.turn).count, TEN))


def _undrawn(table: Table, seat: int) -> tuple[int, ...]:
    return rules.undrawn(table.rules, table.tables, seat, table.marks.burnt)


class _Apart:
    """C4 ``forty_each``: a deck for each seat."""

    __slots__ = ("_piles",)

    def __init__(self, piles: Sequence[Pile[int]]) -> None:
        self._piles = piles

    def draw(self, seat: int) -> int:
        return self._piles[seat].draw(0)


def outcomes(table: Table) -> Odds:
    """The exact odds at the chance node."""
    if table.phase == DEAL:
        return hands_of(table.side_decks[table.turn])
    if table.phase == START:
        starters = table.next_starters()
        return tuple((STARTS[seat], Fraction(1, len(starters))) for seat in starters)
    if table.phase == OPENING:
        infinite = table.rules.main_deck == "infinite"
        return draw_odds(TEN if infinite else _opening_deck(table, table.turn))
    return draw_odds(_undrawn(table, table.turn))


@cache
def hands_of(side_deck: tuple[Card, ...]) -> Odds:
    """Every hand of four from a side deck."""
    hands = Counter(combinations(side_deck, HAND_SIZE))
    return tuple((deal(hand), Fraction(n, hands.total())) for hand, n in hands.items())


@lru_cache(maxsize=1024)
def draw_odds(deck: tuple[int, ...]) -> Odds:
    """Every value that may come from a deck."""
    values, size = Counter(deck), len(deck)
    return tuple([(DRAWS[v - 1], _share(values[v], size)) for v in sorted(values)])


_share = cache(Fraction)


def without(deck: Sequence[int], gone: Sequence[int]) -> tuple[int, ...]:
    """The deck less some of its cards."""
    left = Counter(deck)
    left.subtract(gone)
    return tuple(left.elements())

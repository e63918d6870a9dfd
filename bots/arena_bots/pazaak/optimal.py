"""Plays the set by dynamic programming, with hand cards at their price in the match.

Exact where it can be: with both hands empty every decision is that of the solved set
(``arena.games.pazaak.parts.solver``), with the next card's odds counted from the deck. With hand
cards, three approximations:

- the rest of the set is looked up in ``set_table``, which counts the cards that each
  seat holds and takes them for typical ones. The card to be played now is the real one, and so are
  the cards in hand for the next draw against a rival who stands;
- a card costs the loss in the match's value without it (``arena_bots.pazaak.match_values``);
- beyond the next card, which is counted exactly, the deck is unbound.

No opponent is modelled: the rival is assumed to play the same way. Source: backward induction
(Bellman, "Dynamic Programming", Princeton University Press, 1957); the prices of cards are our own.
"""

from __future__ import annotations

from collections import Counter
from functools import cache, lru_cache
from operator import mul

from arena.core.bot import Bot
from arena.core.observation import Offer
from arena.games.pazaak.engine.actions import END_TURN, STAND, PazaakAction
from arena.games.pazaak.engine.cards import Card
from arena.games.pazaak.engine.observation import PazaakObservation, SideDeckOffer
from arena.games.pazaak.engine.rules import counted_squares, flipped, tiebreak
from arena.games.pazaak.engine.rulesets import LIMIT, SQUARES
from arena.games.pazaak.parts.solver import margin, solver
from arena_bots.pazaak.careful_counter import total_after
from arena_bots.pazaak.counting import unseen
from arena_bots.pazaak.match_values import stakes
from arena_bots.pazaak.set_table import Kinds, SeatTable, Values, solve
from arena_bots.pazaak.side_decks import choose_side_deck

TYPICAL = (3, -3)
"""The values that a flip card or a Double is assumed to add while it is still in a hand."""


class Optimal(Bot[PazaakObservation]):
    """Plays every decision for the greatest value of the match."""

    def prepare(self, offer: Offer) -> object:
        return choose_side_deck(offer) if isinstance(offer, SideDeckOffer) else None

    def act(self, observation: PazaakObservation) -> PazaakAction:
        cards = observation.hand or observation.rival_cards or any(observation.marks.laid)
        if not cards:
            return _without_cards(observation)
        return _Decision(observation).best()


def _without_cards(seen: PazaakObservation) -> PazaakAction:
    """Returns the choice of the solved set, the next card counted, when no hand card is left."""
    total, rival = seen.total, _within(seen.rival_total)
    cards, its = len(seen.table), min(len(seen.rival_table), SQUARES - 1)
    if total >= LIMIT or cards >= SQUARES:
        return STAND
    total = _within(total)
    solved = solver(seen.ruleset.fill == "win")
    left = unseen(seen, own_draw=seen.rival_standing)
    if seen.rival_standing:
        stood = margin(solved.standing(total, cards, rival, its, True))
        ended = margin(solved.ahead(total, cards, rival, its, True, left))
    else:
        stood = -margin(solved.ahead(rival, its, total, cards, True, left))
        ended = -margin(solved.ahead(rival, its, total, cards, False, left))
    return STAND if stood >= ended else END_TURN


def _within(total: int) -> int:
    """Returns the nearest total that the tables cover; a flip on both tables may exceed it (A8)."""
    return min(max(total, 0), LIMIT)


@cache
def _kinds(side_deck: tuple[Card, ...]) -> Kinds:
    adds = Counter(card.values or TYPICAL for card in side_deck)
    return tuple((copies, values) for values, copies in adds.items())


@lru_cache(maxsize=32)
def _tables(
    kinds: Kinds, sets: int, rival_sets: int, last: bool, refilled: bool, rescue: bool
) -> tuple[SeatTable, SeatTable]:
    """Returns both seats' tables, cached for all matches of this process; a new score is solved."""
    if sets < rival_sets:
        its, mine = _tables(kinds, rival_sets, sets, last, refilled, rescue)
        return mine, its
    return solve(kinds, stakes(sets, rival_sets, last, refilled), rescue)


class _Decision:
    """Values every choice of one decision by the table entry after it."""

    def __init__(self, seen: PazaakObservation) -> None:
        rules = seen.ruleset
        self.seen = seen
        self.cards, self.rivals = len(seen.hand), seen.rival_cards
        self.mine, self.its = _tables(
            _kinds(seen.side_deck),
            seen.sets,
            seen.rival_sets,
            seen.set_number == rules.max_sets,
            rules.hand_scope == "set",
            rules.bust_check == "end_of_turn",
        )
        self.left = unseen(seen, own_draw=seen.rival_standing)
        self.number = sum(self.left)
        self.fills = rules.fill == "win"
        self.rival_squares = counted_squares(rules, seen.rival_table)

    def best(self) -> PazaakAction:
        """Returns the choice of the greatest value; of equals the one that spends least."""
        seen = self.seen
        squares = counted_squares(seen.ruleset, seen.table)
        value, ending = self.settle(seen.total, seen.rival_total, squares, self.cards)
        choice, spent = ending, 0
        for action in seen.legal_actions:
            card = action.card
            if card is None:
                continue
            total, rival_total = self._after(action, card)
            laid = squares + (seen.ruleset.specials_fill or not card.special)
            played, _ = self.settle(total, rival_total, laid, self.cards - 1, card)
            if played > value + 1e-9 or (
                spent and played > value - 1e-9 and len(card.values) < spent
            ):
                value, choice, spent = played, action, len(card.values)
        return choice

    def _after(self, action: PazaakAction, card: Card) -> tuple[int, int]:
        seen, rules, rivals = self.seen, self.seen.ruleset, self.seen.rival_total
        if card.flips and rules.flip_scope == "both":
            rivals = sum(sq.value for sq in flipped(rules, seen.rival_table, card.flips))
        return total_after(seen, action), rivals

    def settle(
        self, total: int, rival_total: int, squares: int, cards: int, laid: Card | None = None
    ) -> tuple[float, PazaakAction]:
        """Returns value and action of the better end of the turn; ``squares`` count toward nine."""
        stakes = self.mine.stakes
        if total > LIMIT:
            return stakes.lost[cards][self.rivals], STAND
        if squares >= SQUARES and self.fills:
            return stakes.won[cards][self.rivals], STAND
        if self.seen.rival_standing:
            return self._facing_stood(total, rival_total, squares, cards, laid)
        low, rival = _within(total), _within(rival_total)
        its = self.its.outdoing if self._breaks_ties(laid) else self.its.chasing
        stand = -self._drawn(its, cards, low, rival)
        if total == LIMIT or squares >= SQUARES:
            return stand, STAND
        end = -self._drawn(self.its.drawn, cards, low, rival)
        return (stand, STAND) if stand >= end else (end, END_TURN)

    def _breaks_ties(self, laid: Card | None) -> bool:
        """Returns whether a tie would go to this seat by a Tiebreaker, as far as is known now."""
        seat, marks = self.seen.seat, self.seen.marks.laid
        return marks[1 - seat] == 0 and bool(marks[seat] or (laid and laid.breaks_ties))

    def _drawn(self, values: Values, cards: int, total: int, rival: int) -> float:
        """Returns the rival's expected value when it draws next, against this total."""
        reached = values[self.rivals][cards][total][rival + 1 : rival + 11]
        if self.rival_squares == SQUARES - 1 and self.fills:
            reached = _filled(reached, rival, self.its.stakes.won[self.rivals][cards])
        return sum(map(mul, self.left, reached), 0.0) / self.number

    def _facing_stood(
        self, total: int, target: int, squares: int, cards: int, laid: Card | None
    ) -> tuple[float, PazaakAction]:
        stakes = self.mine.stakes
        if total > target:
            return stakes.won[cards][self.rivals], STAND
        stand = stakes.lost[cards][self.rivals]
        if total == target:
            stand = self._tie(cards, laid)
        if total == LIMIT or squares >= SQUARES:
            return stand, STAND
        low, target = _within(total), _within(target)
        if laid is None:
            reached = self._next(low, target)
        else:
            reached = self.mine.chasing[cards][self.rivals][target][low + 1 : low + 11]
        if squares == SQUARES - 1 and self.fills:
            reached = _filled(reached, low, stakes.won[cards][self.rivals])
        end = sum(map(mul, self.left, reached)) / self.number
        return (stand, STAND) if stand >= end else (end, END_TURN)

    def _tie(self, cards: int, laid: Card | None) -> float:
        """Returns the value of standing on the total that the rival stands on."""
        seen = self.seen
        marks = (
            seen.marks if laid is None or not laid.breaks_ties else seen.marks.with_laid(seen.seat)
        )
        tables = (seen.table, seen.rival_table)
        winner = tiebreak(seen.ruleset, tables if seen.seat == 0 else tables[::-1], marks.laid)
        stakes = self.mine.stakes
        grid = stakes.tied if winner is None else stakes.won if winner == seen.seat else stakes.lost
        return grid[cards][self.rivals]

    def _next(self, low: int, target: int) -> list[float]:
        """Returns the values of the next draws 1..10, with the very cards in hand."""
        cards = self.cards
        lost = self.mine.stakes.lost[cards][self.rivals]
        keeps = self.mine.chased[cards][self.rivals][target]
        if not cards:
            return self.mine.chasing[0][self.rivals][target][low + 1 : low + 11]
        spends = self.mine.chased[cards - 1][self.rivals][target]
        adds = {add for card in self.seen.hand for add in card.values or TYPICAL}
        values = []
        for total in range(low + 1, low + 11):
            value = keeps[total] if total <= LIMIT else lost
            for add in adds:
                if 0 <= total + add <= LIMIT and spends[total + add] > value:
                    value = spends[total + add]
            values.append(value)
        return values


def _filled(reached: list[float], total: int, won: float) -> list[float]:
    """Returns the same draws where the next card is the ninth, which wins within 20."""
    return [won if total + drawn <= LIMIT else value for drawn, value in enumerate(reached, 1)]

"""The values of a seat's actions by what it knows: its hand and the table, solved exactly.

The solved game: the seat plays its hand as well as possible, in this set and those after it,
against a rival without hand cards who plays the solved set (``solver``). So a hand card that is
played costs what it would have been worth later, and one that is kept may still save a total over
20. The rival's hand is hidden, and left out.

The odds of the next card are counted from the deck; later ones are 1 to 10 alike. A tied set counts
as half a won one, and nine cards on a table are left out. Decisions that hang on what is left out
are not evaluated: those with a flip card or a Double in hand, after a Tiebreaker or a lasting flip,
with more than six cards on a table, and those near the cap of sets.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from arena.core.parts.value import DecisionValues
from arena.games.pazaak.engine import rules
from arena.games.pazaak.engine.actions import PLAY_, STAND_, PazaakAction
from arena.games.pazaak.engine.cards import TEN, Card
from arena.games.pazaak.engine.rulesets import LIMIT, SETS_TO_WIN, PazaakRules
from arena.games.pazaak.engine.state import PazaakState
from arena.games.pazaak.parts.solver import solver

_Array: TypeAlias = NDArray[np.float64]
_Score: TypeAlias = tuple[int, int, int]
"""Sets won by the seat and by the rival, and who started the set (always 0 if it matters not)."""

MAX_SQUARES = 6
"""Cards on a table up to which the rule of nine cards hardly matters."""
_TOTALS = LIMIT + 11
"""Totals after a card was drawn: 0 to 30."""
_LIVE, _STOOD = 0, 1
"""The first index of a solved set: the rival continues, or stands."""


class OwnHand(DecisionValues[PazaakState]):
    """Values the actions of a seat by what it knows, in terms of the match's result.

    Args:
        ruleset: The rules in force.
    """

    name = "pazaak-own-hand 1"
    assumption = "were the rival without hand cards"

    def __init__(self, ruleset: PazaakRules) -> None:
        self._rules = ruleset

    def of(self, state: PazaakState) -> dict[PazaakAction, float]:
        seat = state.player
        if seat < 0 or not self._evaluates(state, seat):
            return {}
        dealt, hand = state.dealt[seat][-1], state.hands[seat]
        kept = _kept(dealt, hand)
        if kept is None:
            dealt, kept = hand, (1 << len(hand)) - 1
        position = _Position(_solved(self._rules, dealt, seat), state, seat)
        return {action: position.value(action, dealt, kept) for action in state.legal}

    def _evaluates(self, state: PazaakState, seat: int) -> bool:
        ruleset = self._rules
        return (
            all(card.values for card in (*state.dealt[seat][-1], *state.hands[seat]))
            and 0 <= state.totals[1 - seat] <= LIMIT
            and max(map(len, state.tables)) <= MAX_SQUARES
            and not any(state.marks.negated)
            and not any(state.marks.laid)
            and not 0 < ruleset.max_sets < state.set_number + 2 * SETS_TO_WIN - 1
        )


class _Position:
    """A decision: the solved sets at its score, with the next card counted from the deck."""

    def __init__(self, solved: _Solved, state: PazaakState, seat: int) -> None:
        rival = 1 - seat
        self._rules = state.rules
        self._total, self._against = state.totals[seat], state.totals[rival]
        self._stood = state.standing[rival]
        score = (state.sets[seat], state.sets[rival], solved.starter(state.starter))
        self._stakes, self._values = solved.stakes[score], solved.values[score]
        coming = seat if self._stood else rival
        deck = rules.undrawn(state.rules, state.tables, coming, state.marks.burnt)
        self._left = [deck.count(value) for value in TEN]
        self._odds = np.array(self._left) / len(deck)

    def value(self, action: PazaakAction, dealt: Sequence[Card], kept: int) -> float:
        """Returns the value of an action, with what is best after it in the same turn."""
        if action.kind != PLAY_:
            return self._stop(kept, self._total, stands=action.kind == STAND_)
        assert action.card is not None
        used = next(i for i, card in enumerate(dealt) if kept >> i & 1 and card is action.card)
        kept, total = kept & ~(1 << used), self._total + action.value
        stood = self._stop(kept, total, stands=True)
        if total == LIMIT and self._rules.auto_stand == "immediate":
            return stood
        return max(stood, self._stop(kept, total, stands=False))

    def _stop(self, kept: int, total: int, *, stands: bool) -> float:
        won, tied, lost = self._stakes[:, kept]
        if total > LIMIT:
            return float(lost)
        if stands or (total == LIMIT and self._rules.auto_stand != "off"):
            if self._stood:
                difference = total - self._against
                return float(won if difference > 0 else lost if difference else tied)
            theirs, mine = solver(True).ahead(
                *_seen(self._against), *_seen(total), True, self._left
            )
            return float(mine * won + theirs * lost + (1 - mine - theirs) * tied)
        if total < 0:
            return float(lost)
        values = self._values[kept]
        if self._stood:
            return float(self._odds @ values[_STOOD, total + 1 : total + 11, self._against])
        after = _rival_reaches(values[:, total + 1 : total + 11].mean(1), total)
        reached = np.append(after, np.full(10, won))[self._against + 1 : self._against + 11]
        return float(self._odds @ reached)


class _Solved:
    """All sets of a match, solved for one dealt hand by backward induction over the score.

    Attributes:
        stakes: By score: the value of the match after a set won, tied and lost, by what of the
            hand is left (a bit for each card).
        values: By score and by what is left of the hand: the value after a card was drawn, by
            whether the rival stands, the total, and the rival's.
    """

    def __init__(self, ruleset: PazaakRules, hand: tuple[Card, ...], seat: int) -> None:
        self._rules, self._hand, self._seat = ruleset, hand, seat
        self._follows = ruleset.next_set in ("alternate", "fixed")
        self.stakes: dict[_Score, _Array] = {}
        self.values: dict[_Score, NDArray[np.float32]] = {}
        self._starts: dict[_Score, tuple[_Array, _Array]] = {}
        for sets in range(2 * SETS_TO_WIN - 2, -1, -1):
            for own in range(max(0, sets - SETS_TO_WIN + 1), min(sets, SETS_TO_WIN - 1) + 1):
                for starter in (0, 1) if self._follows else (0,):
                    self._solve((own, sets - own, starter))

    def starter(self, starter: int) -> int:
        """Returns who started a set, as scores have it."""
        return starter if self._follows else 0

    def _solve(self, score: _Score) -> None:
        own, others, starter = score
        won = self._after(own + 1, others, self._seat, starter)
        lost = self._after(own, others + 1, 1 - self._seat, starter)
        self.stakes[score] = stakes = np.array([won, (won + lost) / 2, lost])
        shape = (len(won), 2, _TOTALS, LIMIT + 1)
        values, ends = np.empty(shape, np.float32), np.empty(shape)
        first, second = np.empty(len(won)), np.empty(len(won))
        for group in _by_size(len(self._hand)):  # a play leaves a card less
            plays = np.stack([self._plays(ends, kept) for kept in group])
            solved = _solve_sets(stakes[:, group], plays)
            ends[group], values[group], first[group], second[group] = solved
        self.values[score] = values
        self._starts[score] = (first, second)

    def _after(self, own: int, others: int, winner: int, starter: int) -> _Array:
        size = 1 << len(self._hand)
        if SETS_TO_WIN in (own, others):
            return np.full(size, 1.0 if own > others else -1.0)
        values = [
            self._starts[own, others, self.starter(next)][next != self._seat]
            for next in rules.next_starters(self._rules, winner, starter)
        ]
        value: _Array = np.mean(values, 0)
        return np.full(size, value[-1]) if self._rules.hand_scope == "set" else value

    def _plays(self, ends: _Array, kept: int) -> _Array:
        best = np.full(ends.shape[1:], -np.inf)
        for index, card in enumerate(self._hand):
            if kept >> index & 1:
                after = ends[kept & ~(1 << index)]
                for value in card.values:
                    here, there = max(0, -value), max(0, value)
                    width = _TOTALS - abs(value)
                    np.maximum(
                        best[:, here : here + width],
                        after[:, there : there + width],
                        out=best[:, here : here + width],
                    )
        if self._rules.bust_check == "immediate":
            best[:, LIMIT + 1 :] = -np.inf
        return best


def _solve_sets(stakes: _Array, plays: _Array) -> tuple[_Array, _Array, _Array, _Array]:
    """Solves a set for several rests of a hand at once.

    Args:
        stakes: The values after a set won, tied and lost, by rest.
        plays: The value of the best hand card, by rest, whether the rival stands, both totals.

    Returns:
        The value of the end of a turn, also; that after a card was drawn, also; and by rest
        the value of the set's start to the seat if it draws first, and if the rival does.
    """
    won, _, lost = stakes[:, :, None, None]
    stands = np.moveaxis(_standing() @ stakes, -1, 0)
    drawn = np.maximum(plays, lost[..., None])
    ends = np.full_like(drawn, lost[..., None])
    for total in range(LIMIT, -1, -1):
        before = drawn[:, :, total + 1 : total + 11].mean(2)
        waits = _rival_reaches(before, total) @ _draws().T + _busts() * won[:, 0]
        after = np.stack([waits, before[:, _STOOD]], 1)
        ends[:, :, total] = np.maximum(stands[:, :, total], after)
        drawn[:, :, total] = np.maximum(ends[:, :, total], plays[:, :, total])
    return ends, drawn, before[:, _LIVE, 0], waits[:, 0]


def _rival_reaches(before: _Array, total: int) -> _Array:
    """The value once the rival has drawn to each total: it stands, or ends its turn."""
    stood, live = before[..., _STOOD, :], before[..., _LIVE, :]
    reached: _Array = np.where(_rival_stands()[total], stood, live)
    return reached


def _seen(total: int) -> tuple[int, int]:
    return total, round(total / 5.5)


@cache
def _by_size(cards: int) -> list[list[int]]:
    """All rests of a hand of that many cards, a bit for each card, in groups from the smallest."""
    rests = range(1 << cards)
    return [[rest for rest in rests if rest.bit_count() == size] for size in range(cards + 1)]


@cache
def _rival_stands() -> NDArray[np.bool_]:
    """By the seat's total and the rival's, which has just drawn: whether the rival stands."""
    totals, solved = range(LIMIT + 1), solver(True)
    return np.array(
        [
            [rival == LIMIT or solved.stands(*_seen(rival), *_seen(own), False) for rival in totals]
            for own in totals
        ]
    )


@cache
def _standing() -> _Array:
    """By whether the rival stands and both totals: the odds to win, tie and lose by standing."""
    totals = np.arange(LIMIT + 1)
    difference = totals[:, None] - totals
    stood = np.stack([difference > 0, difference == 0, difference < 0], -1).astype(float)
    live = np.empty_like(stood)
    for own in totals:
        for rival in totals:
            theirs, mine = solver(True).drawing(*_seen(int(rival)), *_seen(int(own)), True)
            live[own, rival] = mine, 1 - mine - theirs, theirs
    return np.stack([live, stood])


@cache
def _draws() -> _Array:
    """By a total: the odds of each total up to 20 after one card."""
    totals = np.arange(LIMIT + 1)
    step = totals - totals[:, None]
    return ((step > 0) & (step <= 10)) / 10


@cache
def _busts() -> _Array:
    """By a total: the odds of more than 20 after one card."""
    odds: _Array = 1 - _draws().sum(1)
    return odds


def _kept(dealt: Sequence[Card], hand: Sequence[Card]) -> int | None:
    """The cards of a dealt hand that are left, a bit for each; ``None`` if others are held."""
    left, kept = list(hand), 0
    for index, card in enumerate(dealt):
        if card in left:
            left.remove(card)
            kept |= 1 << index
    return None if left else kept


@lru_cache(maxsize=32)
def _solved(ruleset: PazaakRules, hand: tuple[Card, ...], seat: int) -> _Solved:
    return _Solved(ruleset, hand, seat)

"""The values of a seat's actions by what it knows: its hand and the table, solved exactly.

The solved game: the seat plays its hand as well as possible, in this set and those after it,
against a rival with known odds of each turn (``rivals``). By default that rival has no hand cards
and plays the solved set. So a hand card that is played costs what it would have been worth
later, and one that is kept may still save a total over 20. The rival's hand is hidden, and is part
of those odds at most.

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
from arena.games.pazaak.parts.rivals import LIVE, SOLVED, STOOD, TOTALS, Array, Rival, draws

Score: TypeAlias = tuple[int, int, int]
"""Sets won by the seat and by the rival, and who started the set (always 0 if it matters not)."""

MAX_SQUARES = 6
"""Cards on a table up to which the rule of nine cards hardly matters."""
MAX_SOLVED = 64
"""Solved hands in memory, each up to 3 MB."""


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
        rival, last = self._rival(state, seat), self._last(state, seat)
        matters = self._rules.next_set in ("alternate", "fixed")
        solved = _solved(self._rules, dealt, seat if matters else 0, rival, last)
        position = _Position(solved, state, seat)
        if state.marks.laid[seat]:
            kept |= solved.tiebreaker
        return {action: position.value(action, dealt, kept) for action in state.legal}

    def _rival(self, state: PazaakState, seat: int) -> Rival:
        """Returns how the rival of a seat plays from here on."""
        return SOLVED

    def _last(self, state: PazaakState, seat: int) -> Score | None:
        """Returns the score if this is the last set of the match, by the cap of sets."""
        return None

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
        self._rival = solved.rival
        self._total = state.totals[seat]
        self._against = min(max(state.totals[rival], 0), LIMIT)
        self._laid = state.marks.laid[rival] > 0
        self._tiebreaker = solved.tiebreaker
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
        if action.card.breaks_ties:
            kept |= self._tiebreaker
        stood = self._stop(kept, total, stands=True)
        if total == LIMIT and self._rules.auto_stand == "immediate":
            return stood
        return max(stood, self._stop(kept, total, stands=False))

    def _stop(self, kept: int, total: int, *, stands: bool) -> float:
        won, tied, lost = self._stakes[:, kept]
        if total > LIMIT:
            return float(lost)
        if stands or (total == LIMIT and self._rules.auto_stand != "off"):
            mark = bool(kept & self._tiebreaker)
            if self._stood:
                at = self._rival.at(self._against, self._laid)
                odds = self._rival.standing()[int(mark), STOOD, max(total, 0), at]
                return float(odds @ (won, tied, lost))
            mine, theirs = self._rival.alone(total, mark, self._against, self._laid, self._left)
            return float(mine * won + theirs * lost + (1 - mine - theirs) * tied)
        if total < 0:
            return float(lost)
        values = self._values[kept]
        if self._stood:
            at = self._rival.at(self._against, self._laid)
            return float(self._odds @ values[STOOD, total + 1 : total + 11, at])
        after = self._rival.reached(values[:, total + 1 : total + 11].mean(1), total, won)
        return float(self._odds @ after[int(self._laid), self._against + 1 : self._against + 11])


class _Solved:
    """All sets of a match, solved for one dealt hand by backward induction over the score.

    Attributes:
        stakes: By score: the value of the match after a set won, tied and lost, by what of the
            hand is left (a bit for each card, and ``tiebreaker``).
        tiebreaker: The bit of a Tiebreaker that lies on the own table; 0 if it is left out.
        values: By score and by what is left of the hand: the value after a card was drawn, by
            whether the rival stands, the total, and where the rival is (``Rival.at``).
    """

    def __init__(
        self,
        ruleset: PazaakRules,
        hand: tuple[Card, ...],
        seat: int,
        rival: Rival,
        last: Score | None,
    ) -> None:
        self._rules, self._hand, self._seat, self.rival = ruleset, hand, seat, rival
        lays = rival.lays and any(card.breaks_ties for card in hand)
        self.tiebreaker = 1 << len(hand) if lays else 0
        self._alike = _alike(hand)
        self._size = 2 << len(hand) if lays else 1 << len(hand)
        self._follows = ruleset.next_set in ("alternate", "fixed")
        self.stakes: dict[Score, Array] = {}
        self.values: dict[Score, NDArray[np.float32]] = {}
        self._starts: dict[Score, tuple[Array, Array]] = {}
        if last is not None:
            self._solve(last, last=True)
            return
        for sets in range(2 * SETS_TO_WIN - 2, -1, -1):
            for own in range(max(0, sets - SETS_TO_WIN + 1), min(sets, SETS_TO_WIN - 1) + 1):
                for starter in (0, 1) if self._follows else (0,):
                    self._solve((own, sets - own, starter))

    def starter(self, starter: int) -> int:
        """Returns who started a set, as scores have it."""
        return starter if self._follows else 0

    def _solve(self, score: Score, last: bool = False) -> None:
        own, others, starter = score
        if last:
            leads = np.array([own + 1 - others, own - others, own - others - 1])
            stakes = np.tile(np.sign(leads)[:, None].astype(float), self._size)
        else:
            won = self._after(own + 1, others, self._seat, starter)
            lost = self._after(own, others + 1, 1 - self._seat, starter)
            stakes = np.array([won, (won + lost) / 2, lost])
        self.stakes[score] = stakes
        size = self._size
        shape = (size, 2, TOTALS, self.rival.places)
        values, ends = np.empty(shape, np.float32), np.empty(shape)
        first, second = np.empty(size), np.empty(size)
        for laid in (1, 0) if self.tiebreaker else (0,):
            for rests in self._by_size():  # a play leaves a card less
                group = [rest | laid * self.tiebreaker for rest in rests]
                plays = np.stack([self._plays(ends, kept) for kept in group])
                solved = _solve_sets(stakes[:, group], plays, self.rival, laid)
                ends[group], values[group], first[group], second[group] = solved
            alike = np.array(self._alike) | laid * self.tiebreaker
            every = slice(laid * self.tiebreaker, laid * self.tiebreaker + len(alike))
            ends[every], values[every] = ends[alike], values[alike]
            first[every], second[every] = first[alike], second[alike]
        self.values[score] = values
        bare = np.arange(size) & ~self.tiebreaker  # the next set begins without a Tiebreaker
        self._starts[score] = (first[bare], second[bare])

    def _by_size(self) -> list[list[int]]:
        """The rests of the hand that differ, in groups from the smallest."""
        rests, cards = sorted(set(self._alike)), range(len(self._hand) + 1)
        return [[rest for rest in rests if rest.bit_count() == size] for size in cards]

    def _after(self, own: int, others: int, winner: int, starter: int) -> Array:
        if SETS_TO_WIN in (own, others):
            return np.full(self._size, 1.0 if own > others else -1.0)
        values = [
            self._starts[own, others, self.starter(next)][next != self._seat]
            for next in rules.next_starters(self._rules, winner, starter)
        ]
        value: Array = np.mean(values, 0)
        return np.full(self._size, value[-1]) if self._rules.hand_scope == "set" else value

    def _plays(self, ends: Array, kept: int) -> Array:
        best = np.full(ends.shape[1:], -np.inf)
        for index, card in enumerate(self._hand):
            if kept >> index & 1:
                rest = self._alike[kept & ~self.tiebreaker & ~(1 << index)]
                laid = kept & self.tiebreaker or card.breaks_ties * self.tiebreaker
                after = ends[rest | laid]
                for value in card.values:
                    here, there = max(0, -value), max(0, value)
                    width = TOTALS - abs(value)
                    np.maximum(
                        best[:, here : here + width],
                        after[:, there : there + width],
                        out=best[:, here : here + width],
                    )
        if self._rules.bust_check == "immediate":
            best[:, LIMIT + 1 :] = -np.inf
        return best


def _solve_sets(
    stakes: Array, plays: Array, rival: Rival, laid: int
) -> tuple[Array, Array, Array, Array]:
    """Solves a set for several rests of a hand at once.

    Args:
        stakes: The values after a set won, tied and lost, by rest.
        plays: The value of the best hand card, by rest, whether the rival stands, the total, and
            where the rival is (``Rival.at``).
        rival: How the rival plays.
        laid: Whether a Tiebreaker lies on the own table.

    Returns:
        The value of the end of a turn, also; that after a card was drawn, also; and by rest
        the value of the set's start to the seat if it draws first, and if the rival does.
    """
    won, _, lost = stakes[:, :, None, None]
    stands = np.moveaxis(rival.standing()[laid] @ stakes, -1, 0)
    drawn = np.maximum(plays, lost[..., None])
    ends = np.full_like(drawn, lost[..., None])
    for total in range(LIMIT, -1, -1):
        before = drawn[:, :, total + 1 : total + 11].mean(2)
        drawn_to = rival.reached(before, total, won)
        waits = (drawn_to @ draws().T).reshape(len(drawn_to), rival.places)
        after = np.stack([waits, before[:, STOOD]], 1)
        ends[:, :, total] = np.maximum(stands[:, :, total], after)
        drawn[:, :, total] = np.maximum(ends[:, :, total], plays[:, :, total])
    return ends, drawn, before[:, LIVE, 0], waits[:, 0]


@cache
def _alike(hand: tuple[Card, ...]) -> list[int]:
    """Of each rest of a hand the first one with the same cards; equal cards stand together."""
    found = []
    for rest in range(1 << len(hand)):
        first = 0
        for index, card in enumerate(hand):
            if rest >> index & 1:
                place = hand.index(card)
                while first >> place & 1:
                    place += 1
                first |= 1 << place
        found.append(first)
    return found


def _kept(dealt: Sequence[Card], hand: Sequence[Card]) -> int | None:
    """The cards of a dealt hand that are left, a bit for each; ``None`` if others are held."""
    left, kept = list(hand), 0
    for index, card in enumerate(dealt):
        if card in left:
            left.remove(card)
            kept |= 1 << index
    return None if left else kept


_solved = lru_cache(maxsize=MAX_SOLVED)(_Solved)

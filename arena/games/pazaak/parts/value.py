"""The value of a match if no hand cards were played: by solved sets, then by sets won.

What is left of a set is worth what the solved set (``solver``) says to two seats without hand
cards; after it the match continues by sets, each of them with the odds of a solved set from its
start and the starter that the ruleset gives. Hand cards, Tiebreakers and flips yet to come are left
out, and so are cards drawn, but for the next one. So it is a cheap estimate, near for bots that
play few hand cards; the luck by it has mean zero all the same.
"""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from math import fsum
from operator import mul
from typing import TypeAlias

import msgspec

from arena.core.parts.value import ValueFunction
from arena.games.pazaak.engine import rules, stages
from arena.games.pazaak.engine.actions import STAND_
from arena.games.pazaak.engine.chance import cards_left
from arena.games.pazaak.engine.history import EVENTS, Event
from arena.games.pazaak.engine.rulesets import LIMIT, SETS_TO_WIN, SQUARES, PazaakRules
from arena.games.pazaak.engine.stages import NO_MARKS
from arena.games.pazaak.engine.state import PazaakState
from arena.games.pazaak.parts.solver import LOST, Odds, SetSolver

_HORIZON = 60
"""Sets after which luck takes a match for over; none comes near it."""
_Stakes: TypeAlias = tuple[float, float, float]
"""The values to seat 0 after a set: won by it, tied, lost."""


class NoHands(ValueFunction[PazaakState]):
    """Values a match by what lies on the tables, the deck, and the sets won.

    Args:
        ruleset: The rules in force.
    """

    name = "pazaak-no-hands 1"
    public = True

    def __init__(self, ruleset: PazaakRules) -> None:
        self._rules = ruleset
        self._solver, coefficients = _solved_set(ruleset.fill == "win")
        self._start = self._solver.drawing(0, 0, 0, 0, False)
        self._last = min(ruleset.max_sets or _HORIZON, _HORIZON)
        self._fills_first = ruleset.ninth_on_twenty == "fill"  # as the solver does
        self._values: dict[tuple[int, int, int, int], float] = {}
        self._ends: dict[tuple[int, int, int, int], _Stakes] = {}
        self.after = self._solver.after
        self._openings: dict[tuple[int, ...], float] = {}
        self._of_starters(1, 0, 0, (0, 1))  # computes the values of all scores
        self.hash = _hash([self.name, coefficients, sorted(self._values.items())])

    def value(self, state: PazaakState) -> tuple[float, float]:
        first = self._first(state)
        return first, 0.0 - first

    def expectation(self, node: PazaakState) -> tuple[float, ...]:
        phase = node.phase
        if phase == stages.DEAL:  # the same after every hand
            after = node.clone()
            after.apply_action(node.chance_outcomes()[0][0])
            return self.value(after)
        if phase == stages.OPENING:
            first = self._opening(node)
        elif phase == stages.DRAW and node.marks is NO_MARKS and self._fills_first:
            odds = self._solver.ahead(*self._facts(node, node.turn), cards_left(node))
            first = self._of_set(node, node.turn, odds)
        else:
            return super().expectation(node)
        return first, 0.0 - first

    def luck_until(self, end: PazaakState) -> tuple[float, float] | None:
        """Returns the luck of a match by its public events.

        ``None`` where totals and numbers of cards do not say all: under rules by which some squares
        do not fill a table or some cards are burnt, and after hand cards that do more than add.
        """
        row = self._rules
        if not self._fills_first or not row.specials_fill or row.opening_cards == "burn":
            return None
        if row.overshoot_spoils_fill:
            return None
        reading = _Reading(self, row)
        if not all(map(reading.take, end.history)):
            return None
        return reading.luck, 0.0 - reading.luck

    def before_set(self, number: int, sets: list[int], starters: tuple[int, ...]) -> float:
        """Returns the value to seat 0 before a set that any of these seats may start."""
        return self._of_starters(number, sets[0], sets[1], starters)

    def gains(self, number: int, sets: list[int], starter: int) -> tuple[float, float]:
        """Returns what the running set is worth to seat 0, won and lost, less a tie."""
        won, tied, lost = self._stakes(number, sets[0], sets[1], starter)
        return won - tied, lost - tied

    def _opening(self, node: PazaakState) -> float:
        found = self._openings.get(node.opening)
        if found is None:
            found = self._openings[node.opening] = super().expectation(node)[0]
        return found

    def _first(self, state: PazaakState) -> float:
        phase, number, (won, lost) = state.phase, state.set_number, state.sets
        if state.ending is not None:
            return state.ending.returns[0]
        if phase == stages.OPENING and state.turn == 1:
            return self._opening(state)
        if not number:
            starters = (0,) if self._rules.first_set == "seat_0" else (0, 1)
            return self._of_starters(1, won, lost, starters)
        if phase == stages.START:
            return self._of_starters(number + 1, won, lost, state.next_starters())
        if phase in (stages.DRAW, stages.DEAL):
            seat = state.turn if phase == stages.DRAW else state.starter
            return self._of_set(state, seat, self._solver.drawing(*self._facts(state, seat)))
        return self._of_set(state, state.turn, self._deciding(state))

    def _deciding(self, state: PazaakState) -> Odds:
        """The odds of the seat that decides, by its better choice; over 20 it has lost."""
        facts = self._facts(state, state.turn)
        return LOST if facts[0] > LIMIT else self._solver.deciding(*facts)

    def _facts(self, state: PazaakState, seat: int) -> tuple[int, int, int, int, bool]:
        rival, tables = 1 - seat, state.tables
        if self._rules.specials_fill:
            own, other = len(tables[seat]), len(tables[rival])
        else:
            own, other = (rules.counted_squares(self._rules, tables[s]) for s in (seat, rival))
        stood, against = state.standing[rival], state.totals[rival]
        if stood and against > LIMIT:  # after a flip of both tables (A8) that is nothing
            against = 0
        most = SQUARES - 1
        return state.totals[seat], min(own, most), against, min(other, most), stood

    def _of_set(self, state: PazaakState, seat: int, odds: Odds) -> float:
        """The value to seat 0 where a seat has these odds in the running set."""
        first, second = state.sets
        won, tied, lost = self._stakes(state.set_number, first, second, state.starter)
        mine, theirs = odds if seat == 0 else (odds[1], odds[0])
        return mine * won + theirs * lost + (1 - mine - theirs) * tied

    def _stakes(self, number: int, first: int, second: int, starter: int) -> _Stakes:
        key = number, first, second, starter
        found = self._ends.get(key)
        if found is None:
            won, tied, lost = (
                self._of_starters(
                    number + 1,
                    first + (winner == 0),
                    second + (winner == 1),
                    rules.next_starters(self._rules, winner, starter),
                )
                for winner in (0, None, 1)
            )
            found = self._ends[key] = won, tied, lost
        return found

    def _of_starters(
        self, number: int, first: int, second: int, starters: tuple[int, ...]
    ) -> float:
        """The value to seat 0 before a set that any of these seats may start."""
        values = [self._of_score(number, first, second, starter) for starter in starters]
        return sum(values) / len(values)

    def _of_score(self, number: int, first: int, second: int, starter: int) -> float:
        """The value to seat 0 before set ``number``, with that many sets won by each seat."""
        if SETS_TO_WIN in (first, second) or number > self._last:
            return float((first > second) - (first < second))
        key = number, first, second, starter
        found = self._values.get(key)
        if found is None:
            won, tied, lost = self._stakes(number, first, second, starter)
            mine, theirs = self._start if starter == 0 else (self._start[1], self._start[0])
            found = mine * won + theirs * lost + (1 - mine - theirs) * tied
            self._values[key] = found
        return found


_DREW, _PLAYED, _LAID, _STOOD, _STARTED, _ENDED, _OTHER, _UNREAD = range(8)
"""Kinds of public events, as far as luck is read off them."""


class _Reading:
    """Reads the luck of a match off its public events, one by one.

    Attributes:
        luck: That of seat 0 so far.
    """

    def __init__(self, values: NoHands, ruleset: PazaakRules) -> None:
        self._values, self._rules = values, ruleset
        self._spent = int(ruleset.main_deck != "infinite")
        self._sets, self._number = [0, 0], 0
        self._starters: tuple[int, ...] = (0,) if ruleset.first_set == "seat_0" else (0, 1)
        self._marks = NO_MARKS
        self.luck = 0.0

    def take(self, byte: int) -> bool:
        """Takes the next event; returns whether it can be read."""
        kind, seat, value = _READ[byte]
        if kind == _DREW:
            self._draw(seat, value)
        elif kind in (_PLAYED, _LAID):
            self._totals[seat] += value
            self._cards[seat] += 1
            if kind == _LAID:
                self._marks = self._marks.with_laid(seat)
        elif kind == _STOOD:
            self._stood[seat] = True
        elif kind == _STARTED:
            self._start(seat)
        elif kind == _ENDED:
            winner = seat if value else None
            if winner is not None:
                self._sets[winner] += 1
            self._starters = rules.next_starters(self._rules, winner, self._starter)
        return kind != _UNREAD and not (kind == _LAID and self._rules.tiebreaker_scope != "set")

    def _draw(self, seat: int, value: int) -> None:
        """Adds the luck of a deck card: its odds less their mean, by what the set is worth."""
        rival, totals, cards, left = 1 - seat, self._totals, self._cards, self._left[seat]
        won, lost = self._values.after(
            (totals[seat], cards[seat], totals[rival], cards[rival], self._stood[rival])
        )
        if self._marks is not NO_MARKS and self._stood[rival]:
            won, lost = self._tie_broken(seat, won, lost)
        size = sum(left)
        more = won[value - 1] - fsum(map(mul, left, won)) / size
        less = lost[value - 1] - fsum(map(mul, left, lost)) / size
        gain, loss = self._gains
        self.luck += more * gain + less * loss if seat == 0 else less * gain + more * loss
        totals[seat] += value
        cards[seat] += 1
        left[value - 1] -= self._spent

    def _tie_broken(
        self, seat: int, won: tuple[float, ...], lost: tuple[float, ...]
    ) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """Returns the odds with the card by which a Tiebreaker decides the set at once (S27)."""
        row, reached, drawn = self._rules, self._totals[1 - seat], self._cards[seat] + 1
        missing = reached - self._totals[seat]
        full = drawn >= SQUARES
        stands = full or (reached == LIMIT and row.auto_stand == "immediate")
        winner = rules.tiebreak(row, ((), ()), self._marks.laid)
        if not (1 <= missing <= 10 and stands) or winner is None or (full and row.fill == "win"):
            return won, lost
        at = missing - 1
        mine = float(winner == seat)
        return ((*won[:at], mine, *won[missing:]), (*lost[:at], 1.0 - mine, *lost[missing:]))

    def _start(self, starter: int) -> None:
        """Begins a set; who starts it is luck where several may."""
        self._number += 1
        number, sets, values = self._number, self._sets, self._values
        if len(self._starters) > 1:
            mean = values.before_set(number, sets, self._starters)
            self.luck += values.before_set(number, sets, (starter,)) - mean
        self._starter = starter
        self._gains = values.gains(number, sets, starter)
        self._totals, self._cards, self._stood = [0, 0], [0, 0], [False, False]
        self._marks = NO_MARKS
        deck = [4] * 10
        self._left = deck, [4] * 10 if self._rules.main_deck == "forty_each" else deck


def _read(event: Event | None) -> tuple[int, int, int]:
    if event is None:
        return _UNREAD, 0, 0
    action = event.action
    if action is not None and action.card is not None:
        adds = _LAID if action.card.breaks_ties else _PLAYED
        return adds if action.card.values else _UNREAD, event.seat, action.value
    stands = event.kind == "auto stand" or (action is not None and action.kind == STAND_)
    kinds = {"draw": _DREW, "start": _STARTED, "won": _ENDED, "tie": _ENDED}
    kind = _STOOD if stands else kinds.get(event.kind, _OTHER)
    return kind, event.seat, event.value or int(event.kind == "won")


_READ = tuple(map(_read, EVENTS))
"""The events of all bytes."""


@cache
def _solved_set(fill_wins: bool) -> tuple[SetSolver, str]:
    """The solved set, with the hash of the odds of every state that it can reach."""
    solver = SetSolver(fill_wins)
    solver.drawing(0, 0, 0, 0, False)
    return solver, _hash(solver.solved())


def _hash(coefficients: object) -> str:
    return sha256(msgspec.msgpack.encode(coefficients)).hexdigest()


@cache
def no_hands(ruleset: PazaakRules) -> NoHands:
    """The process's shared value function of a ruleset."""
    return NoHands(ruleset)

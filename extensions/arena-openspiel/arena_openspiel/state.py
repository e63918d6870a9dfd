"""The state of a match of an OpenSpiel game."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from math import lcm
from typing import TYPE_CHECKING, Self

from arena.core.actions import Action
from arena.core.chance.dealer import Dealer
from arena.core.errors import IllegalAction
from arena.core.outcome import Outcome
from arena.core.state import CHANCE, TERMINAL, State
from arena_openspiel.library import SpielState as Spiel
from arena_openspiel.notation import chance_action
from arena_openspiel.observation import SpielObservation
from arena_openspiel.rules import SpielRules
from arena_openspiel.told import Known, Taken, after_steps, at_start
from arena_openspiel.wording import plain_text

if TYPE_CHECKING:
    from arena_openspiel.game import SpielGame

_EXACT = 10**9
"""Odds that OpenSpiel gives as floats have at most such a denominator."""


class SpielState(State[SpielObservation]):
    """A match. What the seats have seen is found out when somebody asks.

    Args:
        game: The game.
        rules: The rules in force.
        spiel: OpenSpiel's state: before the deal, or where ``path`` leads.
        dealer: Answers chance; without one chance is a player.
        path: All actions from the deal on.
        known: What one seat knows after them.

    Attributes:
        spiel: OpenSpiel's state; it never changes, each action makes another.
    """

    __slots__ = (
        "_choices", "_dealer", "_draws", "_game", "_known", "_known_at", "_last", "_new", "_path",
        "_rules", "spiel",
    )  # fmt: skip

    def __init__(
        self,
        game: SpielGame,
        rules: SpielRules,
        spiel: Spiel,
        dealer: Dealer | None = None,
        path: Sequence[Taken] = (),
        known: Known | None = None,
    ) -> None:
        seats = range(spiel.num_players())
        self._game, self._rules, self.spiel, self._dealer = game, rules, spiel, dealer
        self._choices: tuple[tuple[Action, ...], Sequence[int]] | None = None
        self._last, self._draws = 0, (0,) * len(seats)
        self._known: tuple[Known | None, ...] = (
            tuple([known if seat == known.seat else None for seat in seats])
            if known
            else at_start(game, spiel)
        )
        self._known_at, self._path = spiel, tuple(path)
        self._new: tuple[Taken, ...] = ()
        self._let_deal()

    def known(self, seat: int) -> Known:
        """Returns what a seat knows; it is found out when somebody asks."""
        if self._new:
            self._known = after_steps(self._game, self._known_at, self._known, self._new)
            self._path, self._new, self._known_at = self._path + self._new, (), self.spiel
        known = self._known[seat]
        if known is None:
            start = self._game.started(self._rules, len(self._known))
            alone = [
                each if at == seat else None for at, each in enumerate(at_start(self._game, start))
            ]
            known = after_steps(self._game, start, alone, self._path)[seat]
            self._known = tuple(
                [known if at == seat else each for at, each in enumerate(self._known)]
            )
        assert known is not None  # all are known after a walk from the start
        return known

    def current_player(self) -> int:
        player: int = self.spiel.current_player()
        return player

    def legal_actions(self) -> tuple[Action, ...]:
        return self._legal()[0]

    def _legal(self) -> tuple[tuple[Action, ...], Sequence[int]]:
        """Returns the legal actions, and OpenSpiel's ids of them."""
        if self._choices is None:
            spiel, player = self.spiel, self.spiel.current_player()
            ids = () if player == TERMINAL else spiel.legal_actions()
            actions = [self._action(spiel, player, id) for id in ids]
            self._choices = tuple(actions), ids
        return self._choices

    def _action(self, spiel: Spiel, player: int, id: int) -> Action:
        if player == CHANCE:
            return chance_action(id, plain_text(spiel.action_to_string(CHANCE, id)))
        return self._game.action(spiel, player, id)

    def chance_outcomes(self) -> tuple[tuple[Action, Fraction], ...]:
        if not self.spiel.is_chance_node():
            return ()
        outcomes = self.spiel.chance_outcomes()
        odds = exact_odds([odd for _, odd in outcomes])
        by_id = dict(zip([id for id, _ in outcomes], odds, strict=True))
        actions, ids = self._legal()
        return tuple([(action, by_id[id]) for action, id in zip(actions, ids, strict=True)])

    def apply_action(self, action: Action) -> None:
        actions, ids = self._legal()
        for legal, id in zip(actions, ids, strict=True):
            if action is legal:
                self._take(id)
                self._let_deal()
                return
        known = action.text if isinstance(action, Action) else type(action).__name__
        raise IllegalAction(f"{known} is not one of: {', '.join(map(str, actions))}")

    def _take(self, id: int) -> None:
        """Applies an action."""
        player = self.spiel.current_player()
        self.spiel = self.spiel.clone()
        self.spiel.apply_action(id)
        self._choices = None
        self._new = (*self._new, Taken(id))
        if player >= 0:
            self._last = player

    def _let_deal(self) -> None:
        while self._dealer is not None and self.spiel.is_chance_node():
            ids, odds = zip(*self.spiel.chance_outcomes(), strict=True)
            name = f"chance/{self._last}/{self._draws[self._last]}"
            self._draws = tuple([n + (at == self._last) for at, n in enumerate(self._draws)])
            id = ids[_drawn(self._dealer, name, odds)]
            self._take(id)

    def outcome(self) -> Outcome:
        if not self.spiel.is_terminal():
            raise IllegalAction("the match is not over")
        return Outcome(tuple(map(float, self.spiel.returns())), self.scores())

    def scores(self) -> tuple[int, ...]:
        if not self.spiel.is_terminal():
            return (0,) * len(self._known)
        return tuple(map(round, self.spiel.returns()))

    def observation(self, seat: int) -> SpielObservation:
        if self.spiel.current_player() < 0:
            return self.told(seat)
        return self.told(seat, self._game.numbers(self._rules, self.spiel, seat))

    def told(self, seat: int, numbers: bytes = b"") -> SpielObservation:
        """Returns the observation of a seat, but with these numbers instead of OpenSpiel's."""
        turn, known = self.spiel.current_player(), self.known(seat)
        return SpielObservation(
            seat,
            self.legal_actions() if turn == seat else (),
            known.history,
            self._rules,
            len(self._known),
            known.view,
            turn,
            known.seen,
            known.own,
            known.dealt,
            numbers,
        )

    def clone(self, dealer: Dealer | None = None) -> Self:
        twin = object.__new__(type(self))
        for part in self.__slots__:  # nothing that they share changes: ``_take`` replaces it
            setattr(twin, part, getattr(self, part))
        twin._dealer = dealer
        twin._let_deal()
        return twin


def _drawn(dealer: Dealer, name: str, odds: Sequence[float]) -> int:
    """Returns the place of one of the odds, drawn by them."""
    if len({*odds}) == 1:
        return dealer.source(name, range(len(odds)), 1).draw(0)
    exact = exact_odds(odds)
    common = lcm(*(odd.denominator for odd in exact))
    point = dealer.source(name, range(common), 1).draw(0)
    below = accumulate(odd.numerator * (common // odd.denominator) for odd in exact)
    return next(place for place, end in enumerate(below) if point < end)


def exact_odds(odds: Sequence[float]) -> tuple[Fraction, ...]:
    """Returns odds given as floats as fractions that sum to 1."""
    if len({*odds}) == 1:
        return (Fraction(1, len(odds)),) * len(odds)
    return _fractions(tuple(odds))


@lru_cache(10_000)
def _fractions(odds: tuple[float, ...]) -> tuple[Fraction, ...]:
    close = [Fraction(odd).limit_denominator(_EXACT) for odd in odds]
    total = sum(close)
    return tuple([odd / total for odd in close])

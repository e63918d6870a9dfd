"""The state of a match of an OpenSpiel game."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import accumulate
from math import lcm
from typing import TYPE_CHECKING, Self, TypeVar

from arena.core.actions import Action
from arena.core.chance.dealer import Dealer
from arena.core.errors import IllegalAction
from arena.core.outcome import Outcome
from arena.core.state import CHANCE, TERMINAL, State
from arena_openspiel.library import SpielState as Spiel
from arena_openspiel.notation import chance_action, write_event
from arena_openspiel.observation import SpielObservation, digest
from arena_openspiel.rules import SpielRules
from arena_openspiel.wording import plain_text

if TYPE_CHECKING:
    from arena_openspiel.game import SpielGame

T = TypeVar("T")
_EXACT = 10**9
"""Odds that OpenSpiel gives as floats have at most such a denominator."""
HIDDEN = "something hidden"
"""The event of an action that others do not see in full."""


class SpielState(State[SpielObservation]):
    """A match, with what each seat has seen so far.

    Args:
        game: The game.
        rules: The rules in force.
        spiel: OpenSpiel's state before the deal.
        dealer: Answers chance; without one chance is a player.

    Attributes:
        spiel: OpenSpiel's state.
        history: By seat, the events that it knows: public ones, and of a game in which actions
            are not counted, that it may act again.
        own: By seat, the ids of its actions.
        seen: By seat, the digests of what it was shown.
        dealt: By seat, what chance dealt to it and not to all.
        knowing: The seats that know from what they were shown what happened last.
    """

    __slots__ = (
        "_choices", "_dealer", "_draws", "_game", "_last", "_noticed", "_rules", "_views",
        "dealt", "history", "knowing", "own", "seen", "spiel",
    )  # fmt: skip

    def __init__(
        self, game: SpielGame, rules: SpielRules, spiel: Spiel, dealer: Dealer | None = None
    ) -> None:
        seats = range(spiel.num_players())
        self._game, self._rules, self.spiel, self._dealer = game, rules, spiel, dealer
        self._choices: tuple[tuple[Action, ...], Sequence[int]] | None = None
        self._last, self._draws = 0, (0,) * len(seats)
        self._views = tuple([game.shown_to(spiel, seat) for seat in seats])
        self.history = (b"",) * len(seats)
        self._noticed = self.knowing = tuple(seats)
        self.seen: tuple[tuple[str, ...], ...] = tuple([(digest(view),) for view in self._views])
        self.own: tuple[tuple[int, ...], ...] = ((),) * len(seats)
        self.dealt: tuple[tuple[str, ...], ...] = ((),) * len(seats)
        self._let_deal()

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
                self._take(id, action)
                self._let_deal()
                return
        known = action.text if isinstance(action, Action) else type(action).__name__
        raise IllegalAction(f"{known} is not one of: {', '.join(map(str, actions))}")

    def _take(self, id: int, action: Action) -> None:
        """Applies an action, and notes what each seat sees of it."""
        before, player, seats = self.spiel, self.spiel.current_player(), range(len(self._views))
        spiel = self.spiel = before.clone()
        spiel.apply_action(id)
        self._choices = None
        views = tuple([self._game.shown_to(spiel, seat) for seat in seats])
        self._noticed = tuple([seat for seat in seats if views[seat] != self._views[seat]])
        self.knowing = _Seen(self._game, before, id, views).knowing(self._noticed)
        self._tell(player, action)
        if player >= 0:
            self._last = player
            self.own = _added(self.own, (player,), action.id)
        if spiel.is_terminal():  # OpenSpiel may show all hands now; what counts is the result
            for seat, gain in enumerate(spiel.returns()):
                self._note(seats, f"seat {seat}: {gain:+g}")
            return
        if player >= 0:
            self._reveal(player, views)
        for seat in self._noticed:
            self.seen = _added(self.seen, (seat,), digest(views[seat]))
        self._views = views

    def _tell(self, player: int, action: Action) -> None:
        """Adds an action to the public events, or chance's to what some seats were dealt."""
        seats = range(len(self._views))
        known = {*seats} <= {*self.knowing, player}
        if known:
            self._note(seats, f"{'chance' if player == CHANCE else f'seat {player}'}: {action}")
        elif player == CHANCE:
            self.dealt = _added(self.dealt, self.knowing, str(action))
        elif self._game.facts.counted:
            self._note(seats, f"seat {player}: {HIDDEN}")

    def _reveal(self, player: int, views: Sequence[str]) -> None:
        """Adds what seats are shown from now on, and whose turn it is if that tells something."""
        facts, seats, turn = self._game.facts, range(len(views)), self.spiel.current_player()
        if not facts.counted and player == turn:
            self._note((player,), f"seat {player}: acts again")
        if facts.turns and turn not in (player, (player + 1) % len(views)):
            self._note(seats, f"seat {turn}: is next")
        if not facts.shown:
            return
        was, now = [[re.search(facts.shown, view) for view in all] for all in (self._views, views)]
        shown = [
            "" if old or not new else " ".join(new[0].split())
            for old, new in zip(was, now, strict=True)
        ]
        if shown[0] and len({*shown}) == 1:
            self._note(seats, f"all seats see: {shown[0]}")
            return
        for seat in seats:
            if shown[seat]:
                self._note((seat,), f"seat {seat} sees: {shown[seat]}")

    def _note(self, seats: Iterable[int], event: str) -> None:
        chosen, line = {*seats}, write_event(event)
        self.history = tuple(
            [told + line if seat in chosen else told for seat, told in enumerate(self.history)]
        )

    def _let_deal(self) -> None:
        while self._dealer is not None and self.spiel.is_chance_node():
            ids, odds = zip(*self.spiel.chance_outcomes(), strict=True)
            name = f"chance/{self._last}/{self._draws[self._last]}"
            self._draws = tuple([n + (at == self._last) for at, n in enumerate(self._draws)])
            id = ids[_drawn(self._dealer, name, odds)]
            self._take(id, self._action(self.spiel, CHANCE, id))

    def outcome(self) -> Outcome:
        if not self.spiel.is_terminal():
            raise IllegalAction("the match is not over")
        return Outcome(tuple(map(float, self.spiel.returns())), self.scores())

    def scores(self) -> tuple[int, ...]:
        if not self.spiel.is_terminal():
            return (0,) * len(self._views)
        return tuple(map(round, self.spiel.returns()))

    def observation(self, seat: int) -> SpielObservation:
        turn = self.spiel.current_player()
        return SpielObservation(
            seat,
            self.legal_actions() if turn == seat else (),
            self.history[seat],
            self._rules,
            len(self._views),
            self._views[seat],
            turn,
            self.seen[seat],
            self.own[seat],
            self.dealt[seat],
        )

    def clone(self, dealer: Dealer | None = None) -> Self:
        twin = object.__new__(type(self))
        for part in self.__slots__:  # nothing that they share changes: ``_take`` replaces it
            setattr(twin, part, getattr(self, part))
        twin._dealer = dealer
        twin._let_deal()
        return twin


class _Seen:
    """Compares what seats saw of an action with what they would have seen of other actions.

    Args:
        before: OpenSpiel's state before it.
        id: OpenSpiel's id of the action.
        views: What each seat saw of it.
    """

    def __init__(self, game: SpielGame, before: Spiel, id: int, views: Sequence[str]) -> None:
        self._game, self._before, self._id, self._views = game, before, id, views

    def knowing(self, seats: Iterable[int]) -> tuple[int, ...]:
        """Returns those of some seats, which noticed the action, that know which it was."""
        left = [*seats]
        for id in self._before.legal_actions():
            if id == self._id or not left:
                continue
            other = self._before.clone()
            other.apply_action(id)
            left = [seat for seat in left if self._game.shown_to(other, seat) != self._views[seat]]
            if self._game.facts.open:
                break
        return tuple(left)


def _added(
    rows: tuple[tuple[T, ...], ...], seats: Iterable[int], item: T
) -> tuple[tuple[T, ...], ...]:
    """Returns the rows of all seats, with an item more in those of some."""
    chosen = {*seats}
    return tuple([(*row, item) if seat in chosen else row for seat, row in enumerate(rows)])


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
    close = [Fraction(odd).limit_denominator(_EXACT) for odd in odds]
    total = sum(close)
    return tuple([odd / total for odd in close])

"""The tree of a small game: every state, grouped by what the seat to decide knows."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, TypeAlias

import msgspec

from arena.core.actions import Action
from arena.core.errors import BadInput, BadPlugin
from arena.core.game import AnyGame, Ruleset
from arena.core.outcome import Outcome
from arena.core.state import CHANCE, TERMINAL, State

_Last: TypeAlias = tuple[tuple[int, int] | None, ...]
"""The last decision of each seat: information state and number of the action."""


class TooLarge(BadInput):
    """Raised for a game with too many states."""


class InformationState(msgspec.Struct, frozen=True):
    """One state of knowledge in which a seat decides.

    Attributes:
        key: Of the observation, with the seat: ``Observation.information_state``.
        legal: The legal actions.
        states: Indices of the states that look like this to the seat.
        before: The seat's decision before: index of the information state, and of the action
            that leads here; ``None`` for its first.
        depth: Number of the seat's decisions before.
    """

    seat: int
    key: Hashable
    legal: tuple[Action, ...]
    states: list[int]
    before: tuple[int, int] | None
    depth: int


class GameTree:
    """All states of a game, each before the states that follow it.

    The lists have an entry for each state.

    Attributes:
        players: The seat to decide, or ``CHANCE``, or ``TERMINAL``.
        places: Index of the information state in ``information``; -1 where no seat decides.
        following: Indices of the states after each action.
        odds: At chance nodes the probability of each action; else empty.
        amounts: At the end what each seat has won; else empty.
        parents: Index of the state before, -1 at the root.
        came: The action that led here; ``None`` at the root.
        information: The information states of all seats.
    """

    def __init__(self, seats: int) -> None:
        self.seats = seats
        self.players: list[int] = []
        self.places: list[int] = []
        self.following: list[list[int]] = []
        self.odds: list[tuple[float, ...]] = []
        self.amounts: list[tuple[float, ...]] = []
        self.parents: list[int] = []
        self.came: list[Action | None] = []
        self.information: list[InformationState] = []

    def way_to(self, place: int) -> tuple[Action, ...]:
        """Returns the actions of seats and chance to one state of an information state."""
        state, found = self.information[place].states[0], list[Action]()
        while (action := self.came[state]) is not None:
            found.append(action)
            state = self.parents[state]
        return tuple(reversed(found))

    def of_seat(self, seat: int) -> list[int]:
        """Returns the indices of a seat's information states."""
        return [at for at, each in enumerate(self.information) if each.seat == seat]


def game_tree(
    game: AnyGame, ruleset: Ruleset, loadouts: Sequence[bytes], max_states: int
) -> GameTree:
    """Walks through all states of a game.

    Args:
        loadouts: The loadout of each seat.
        max_states: The most states to look at.

    Raises:
        TooLarge: There are more.
        BadPlugin: Observations of the game break their contract: states that look alike differ in
            their legal actions, or in what the seat did before.
    """
    return _Walk(game, ruleset, GameTree(len(loadouts))).done(
        game.new_state(ruleset, loadouts), max_states
    )


class _Walk:
    def __init__(self, game: AnyGame, ruleset: Ruleset, tree: GameTree) -> None:
        self._game, self._tree = game, tree
        self._amounts: Callable[[Outcome], tuple[float, ...]] = lambda outcome: game.amounts.of(
            ruleset, outcome
        )
        self._found: dict[Hashable, int] = {}

    def done(self, root: State[Any], max_states: int) -> GameTree:
        """Returns the tree from this state on."""
        tree, nothing = self._tree, (None,) * self._tree.seats
        waiting: list[tuple[State[Any], int, Action | None, _Last]] = [(root, -1, None, nothing)]
        while waiting:
            if len(tree.players) == max_states:
                raise TooLarge(f"{self._game.name} has more than {max_states:,} states")
            state, parent, came, last = waiting.pop()
            index, player = len(tree.players), state.current_player()
            if parent >= 0:
                tree.following[parent].append(index)
            place = self._place(state, player, index, last) if player >= 0 else -1
            chances = state.chance_outcomes() if player == CHANCE else ()
            actions = [action for action, _ in chances] if chances else state.legal_actions()
            over = player == TERMINAL
            tree.players.append(player)
            tree.places.append(place)
            tree.following.append([])
            tree.odds.append(tuple([float(odds) for _, odds in chances]))
            tree.amounts.append(self._amounts(state.outcome()) if over else ())
            tree.parents.append(parent)
            tree.came.append(came)
            for number in reversed(range(0 if over else len(actions))):
                after = state.clone()
                after.apply_action(actions[number])
                done = last
                if player >= 0:
                    done = (*last[:player], (place, number), *last[player + 1 :])
                waiting.append((after, index, actions[number], done))
        return tree

    def _place(
        self, state: State[Any], seat: int, index: int, last: tuple[tuple[int, int] | None, ...]
    ) -> int:
        tree, observation = self._tree, state.observation(seat)
        key, legal = (seat, observation.information_state()), observation.legal_actions
        place = self._found.setdefault(key, len(tree.information))
        before = last[seat]
        if place == len(tree.information):
            depth = tree.information[before[0]].depth + 1 if before else 0
            tree.information.append(InformationState(seat, key, legal, [], before, depth))
        known = tree.information[place]
        if known.legal != legal or known.before != before:
            what = "legal actions" if known.legal != legal else "own decisions before"
            raise BadPlugin(
                f"{self._game.name}: observations of seat {seat} look alike with other {what}; "
                "see arena check game"
            )
        known.states.append(index)
        return place

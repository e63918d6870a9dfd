"""Arena's games as games of OpenSpiel: importing this module registers them.

``pyspiel.load_game("python_arena_pazaak(ruleset=wiki)")``. OpenSpiel takes a text with brackets
for a game, so the options of a ruleset are a parameter of their own, written
``max_sets:1;flip:toggle``.

A game of OpenSpiel's Python interface holds one object with our state, as OpenSpiel copies states
with ``deepcopy``. Chance has the numbers of its outcomes at the node. Seats have the numbers of the
game's view (``arena.core.parts.view``), which also writes what they know as tensors.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import accumulate
from typing import Any

import msgspec
import numpy as np
import pyspiel

from arena.core.actions import Action
from arena.core.errors import BadInput, IllegalAction
from arena.core.game import AnyGame, Ruleset
from arena.core.outcome import WIN_OR_LOSS
from arena.core.parts import View
from arena.core.state import CHANCE, State
from arena.games.pazaak.game import Pazaak
from arena.games.sabacc.game import Sabacc

MAX_OUTCOMES = 1 << 20
"""Bound of the outcomes of a chance node."""
LONGEST = 10_000
"""Bound of the decisions of a match whose rules have none."""
_encode = msgspec.json.Encoder().encode


class _Held:
    """One state of a match of ours; a deep copy is a clone."""

    __slots__ = ("state",)

    def __init__(self, state: State[Any]) -> None:
        self.state = state

    def __deepcopy__(self, memo: object) -> _Held:
        return _Held(self.state.clone())


class ArenaGame(pyspiel.Game):  # type: ignore[misc] # it has no type information
    """One of our games."""

    arena: AnyGame
    kind: Any

    def __init__(self, parameters: Mapping[str, Any] | None = None) -> None:
        given = dict(parameters or {})
        seats = int(given.get("players", self.arena.seats[0]))
        if seats not in self.arena.seats:
            least, most = self.arena.seats[0], self.arena.seats[-1]
            raise BadInput(f"{self.arena.name}: players={seats}; choices: {least} to {most}")
        self.rules = _ruleset(self.arena, given)
        payoffs = self.arena.amounts.payoffs(self.rules, seats) or WIN_OR_LOSS
        views = self.arena.view
        self.view = views.of(self.rules)
        about = pyspiel.GameInfo(
            num_distinct_actions=views.action_count(self.rules),
            max_chance_outcomes=MAX_OUTCOMES,
            num_players=seats,
            min_utility=payoffs.least,
            max_utility=payoffs.most,
            utility_sum=payoffs.total,
            max_game_length=views.max_decisions(self.rules) or LONGEST,
        )
        super().__init__(self.kind, about, given)

    def new_initial_state(self) -> ArenaState:
        return ArenaState(self)

    def make_py_observer(self, iig_obs_type: object = None, params: object = None) -> ArenaObserver:
        return ArenaObserver(self)


class ArenaState(pyspiel.State):  # type: ignore[misc]
    """A match of one of our games, with chance as a player."""

    def __init__(self, game: ArenaGame) -> None:
        super().__init__(game)
        loadout = game.arena.loadouts.accept(game.rules, None)
        loadouts = [loadout] * game.num_players()
        self.held = _Held(game.arena.new_state(game.rules, loadouts))
        self._arena = _Shared(game.arena, game.view)

    def current_player(self) -> Any:  # noqa: ANN401 - a seat, or OpenSpiel's own
        player = self.held.state.current_player()
        if player >= 0:
            return player
        return pyspiel.PlayerId.CHANCE if player == CHANCE else pyspiel.PlayerId.TERMINAL

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self._choices())

    def _choices(self) -> Mapping[int, Action]:
        """Returns the actions that are offered to the seat to decide, by number."""
        state = self.held.state
        return self._arena.view.choices(state.observation(state.current_player()))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Returns the numbers of the outcomes at this node, with their probabilities."""
        odds = self.held.state.chance_outcomes()
        return [(place, float(odd)) for place, (_, odd) in enumerate(odds)]

    def _apply_action(self, action: int) -> None:
        state = self.held.state
        state.apply_action(self._meant(state.current_player(), action))

    def _meant(self, player: int, action: int) -> Any:  # noqa: ANN401
        """Returns our action by OpenSpiel's number."""
        state = self.held.state
        if player == CHANCE:
            return state.chance_outcomes()[action][0]
        choices = self._choices()
        if action not in choices:
            offered = ", ".join(f"{number} ({meant})" for number, meant in choices.items())
            raise IllegalAction(f"{action} is not one of: {offered}")
        return choices[action]

    def _action_to_string(self, player: int, action: int) -> str:
        return str(self._meant(player, action))

    def is_terminal(self) -> bool:
        return self.held.state.is_terminal()

    def returns(self) -> list[float]:
        state = self.held.state
        return [*state.returns()] if state.is_terminal() else [0.0] * self.num_players()

    def seen(self, player: int) -> str:
        """Returns everything that a seat knows as JSON; little while nobody is to decide."""
        state = self.held.state
        if state.current_player() < 0:
            return f"seat {player} waits" if not state.is_terminal() else f"seat {player} is done"
        described = self._arena.game.wire.describe(state.observation(player))
        return _encode(described).decode()

    def __str__(self) -> str:
        return f"{self._arena.game.board.text(self.held.state, range(self.num_players()))}\n"


class _Shared:
    """A game of ours and its view, which copies of a state share."""

    def __init__(self, game: AnyGame, view: View[Any]) -> None:
        self.game, self.view = game, view

    def __deepcopy__(self, memo: object) -> _Shared:
        return self


class ArenaObserver:
    """Gives what a seat knows, as text and as the numbers of the game's view.

    Attributes:
        tensor: The numbers.
        dict: The pieces of the view in it, by name.
    """

    def __init__(self, game: ArenaGame) -> None:
        self._view = game.view
        self.tensor = np.zeros(game.view.size, np.float32)
        ends = accumulate(piece.size for piece in game.view.pieces)
        self.dict = {
            piece.name: self.tensor[end - piece.size : end].reshape(piece.shape)
            for piece, end in zip(game.view.pieces, ends, strict=True)
        }

    def set_from(self, state: ArenaState, player: int) -> None:
        """Writes what a seat knows into ``tensor``; zeros while nobody is to decide."""
        ours = state.held.state
        if ours.current_player() < 0:
            self.tensor.fill(0)
        else:
            self._view.write(ours.observation(player), self.tensor)

    def string_from(self, state: ArenaState, player: int) -> str:
        """Returns what a seat knows."""
        return state.seen(player)


def _ruleset(game: AnyGame, given: Mapping[str, Any]) -> Ruleset:
    """Returns the ruleset of OpenSpiel's parameters; raises ``BadInput``."""
    row, options = given.get("ruleset", ""), given.get("options", "")
    row = row or next(iter(game.rulesets))
    pairs = ", ".join(part.replace(":", "=", 1) for part in options.split(";"))
    rules: Ruleset = game.ruleset(f"{row}({pairs})" if options else row)
    return rules


class ArenaPazaak(ArenaGame):
    """Pazaak."""

    arena = Pazaak()


class ArenaSabacc(ArenaGame):
    """Sabacc for 2 to 6 players; with chips, the stakes of the view's menu are offered."""

    arena = Sabacc()


def _register(made: type[ArenaGame]) -> None:
    """Registers a game of ours as ``python_arena_NAME``."""
    game, types = made.arena, pyspiel.GameType
    parameters: dict[str, Any] = {"ruleset": "", "options": ""}
    if len(game.seats) > 1:
        parameters["players"] = game.seats[0]
    made.kind = types(
        short_name=f"python_arena_{game.name}",
        long_name=f"Arena: {game.name}",
        dynamics=types.Dynamics.SEQUENTIAL,
        chance_mode=types.ChanceMode.EXPLICIT_STOCHASTIC,
        information=types.Information.IMPERFECT_INFORMATION,
        utility=types.Utility.ZERO_SUM,
        reward_model=types.RewardModel.TERMINAL,
        max_num_players=game.seats[-1],
        min_num_players=game.seats[0],
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=parameters,
    )
    pyspiel.register_game(made.kind, made)


_register(ArenaPazaak)
_register(ArenaSabacc)

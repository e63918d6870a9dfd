"""Policies from files: probabilities of actions by information state, checked before they play."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Collection, Mapping
from difflib import get_close_matches
from functools import cache
from math import isclose
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from arena.core.errors import BadInput, BadPlugin, ParseError, UnknownName
from arena_openspiel.games import game_class
from arena_openspiel.rules import started

if TYPE_CHECKING:
    from arena_openspiel.game import SpielGame
    from arena_openspiel.library import SpielState
    from arena_openspiel.rules import SpielRules

Policy: TypeAlias = Mapping[str, Mapping[str, float]]
"""The probability of each action by its text, for each information state of OpenSpiel."""
LOOKED_THROUGH = 10_000
"""Positions of the largest game whose information states are compared with those of a file."""
NO_ACTION = -1
"""No action of OpenSpiel has this id."""
_TOLERANCE = 1e-6
_Look = TypeVar("_Look")


def read_policy(path: Path) -> Policy:
    """Reads a policy; raises ``BadInput`` if it is not one."""
    try:
        table = json.loads(path.read_text())
    except (OSError, ValueError) as error:
        raise BadInput(f"policy {path}: {error}") from None
    if not isinstance(table, dict):
        raise BadInput(f"policy {path}: expected a table of information states")
    for state, row in table.items():
        where = f"policy {path}, state {state!r:.80}"
        if not (isinstance(row, dict) and all(map(_is_probability, row.values()))):
            raise BadInput(f"{where}: expected probabilities from 0 to 1 by action")
        if not isclose(total := sum(row.values()), 1, rel_tol=0, abs_tol=_TOLERANCE):
            raise BadInput(f"{where}: the sum of its probabilities is {total:g}, not 1")
    return table


def _is_probability(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1


def check_policy(
    name: str, policy: Policy, game: SpielGame, ruleset: SpielRules, seats: int
) -> None:
    """Compares a policy with a game: all its actions, and in a small game also its states.

    Args:
        name: Name of the policy in errors.

    Raises:
        BadInput: The game has no such state or action.
        UnknownName: The state has no such action.
    """
    try:
        choices = _choices(game.name, ruleset, seats)
    except BadPlugin:  # a bot's process may have no OpenSpiel
        choices = None
    for state, row in policy.items():
        if choices is None:
            _check_texts(name, state, row, game)
        elif state in choices:
            check_actions(name, state, row, choices[state])
        else:
            near = get_close_matches(state, choices, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"there is {next(iter(choices))!r}"
            raise BadInput(f"{name}: {game.name} has no information state {state!r:.80}; {hint}")


def _check_texts(name: str, state: str, row: Mapping[str, float], game: SpielGame) -> None:
    for text in row:
        try:
            game.notation.action(text)
        except ParseError as error:
            raise BadInput(f"{name}, state {state!r:.80}: {error}") from None


def check_actions(
    name: str, state: str, row: Mapping[str, float], choices: Collection[str]
) -> None:
    """Refuses actions of one state of a policy that are not among the choices.

    Raises:
        UnknownName: An action is not.
    """
    for text in row:
        if text not in choices:
            raise UnknownName(f"action in {name}, state {state!r:.80}", text, choices)


@cache
def _choices(name: str, ruleset: SpielRules, seats: int) -> Mapping[str, tuple[str, ...]] | None:
    """Returns the legal actions in each information state; ``None`` if the game is large."""
    game = game_class(name)()

    def look(spiel: SpielState) -> tuple[str, tuple[str, ...]]:
        player = spiel.current_player()
        legal = [game.action(spiel, player, id).text for id in spiel.legal_actions()]
        return game.shown_to(spiel, player), tuple(legal)

    looks = at_decisions(started(name, ruleset, seats), LOOKED_THROUGH, look)
    return None if looks is None else dict(looks)


def at_decisions(start: Any, most: int, look: Callable[[Any], _Look]) -> list[_Look] | None:  # noqa: ANN401
    """Returns what a function finds in every state of OpenSpiel in which a seat decides.

    Args:
        start: The state to begin with.
        most: ``None`` is returned if there are more positions, those of chance and ends included.
        look: The function.
    """
    count, found = 1, []
    waiting = deque([(start, NO_ACTION)])
    while waiting:
        before, id = waiting.popleft()  # the first ones first: large games show soon that they are
        state = before if id == NO_ACTION else before.child(id)
        if state.current_player() >= 0:
            found.append(look(state))
        ids = () if state.is_terminal() else state.legal_actions()
        count += len(ids)
        if count > most:
            return None
        waiting.extend((state, id) for id in ids)
    return found

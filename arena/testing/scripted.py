"""Two bots for tests: one takes scripted actions, one any legal action."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from arena.core.actions import Action
from arena.core.bot import Bot, MatchContext
from arena.core.observation import Observation, Offer

if TYPE_CHECKING:
    from random import Random


class ScriptedBot(Bot[Any]):
    """Takes the given actions in order, legal or not, in every match from the beginning.

    When they are used up it raises ``LookupError``.

    Args:
        actions: The actions in the game's notation, e.g. ``("play +3", "stand")``.
        loadout: Its loadout for the match; ``None`` takes the game's default.
    """

    def __init__(self, actions: Iterable[str], loadout: object = None) -> None:
        self._actions = tuple(actions)
        self._loadout = loadout

    def start(self, context: MatchContext) -> None:
        super().start(context)
        self._left = iter(self._actions)

    def prepare(self, offer: Offer) -> object:
        return self._loadout

    def act(self, observation: Observation) -> Action:
        for text in self._left:
            return self.context.game.notation.action(text)
        raise LookupError(f"the script of {len(self._actions)} actions is used up")


class RandomBot(Bot[Any]):
    """Any legal action, all equally likely, drawn from its private seed."""

    def start(self, context: MatchContext) -> None:
        super().start(context)
        self._rng: Random = context.rng()

    def act(self, observation: Observation) -> Action:
        return self._rng.choice(observation.legal_actions)

"""Described situations, and the answers of bots to them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from arena.core.actions import Action
from arena.core.bot import Bot, MatchContext
from arena.core.errors import BadInput
from arena.core.game import AnyGame, Ruleset
from arena.core.state import CHANCE, TERMINAL, State


class Position(msgspec.Struct, frozen=True):
    """A situation in which a seat has to decide.

    Attributes:
        game: The game.
        ruleset: The rules in force.
        state: The situation; asking bots does not change it.
    """

    game: AnyGame
    ruleset: Ruleset
    state: State[Any]

    @classmethod
    def described(cls, game: AnyGame, ruleset: Ruleset, **situation: object) -> Position:
        """Returns a position from the arguments of the game's ``position`` function.

        Args:
            ruleset: The rules in force.
            situation: Its arguments, e.g. ``tables`` and ``hands`` in Pazaak.

        Raises:
            BadInput: The game offers no positions, or nobody decides in that situation.
        """
        position = cls(game, ruleset, game.positions.state(ruleset, **situation))
        position.seat  # noqa: B018 - it raises
        return position

    @property
    def seat(self) -> int:
        """The seat to decide; raises ``BadInput`` without one."""
        seat = self.state.current_player()
        if seat == CHANCE:
            raise BadInput("nobody decides here: chance is next; give a dealer, or a later phase")
        if seat == TERMINAL:
            raise BadInput("nobody decides here: the match is over")
        return seat

    @property
    def text(self) -> str:
        """The view of the seat to decide, as text."""
        return self.game.render(self.state.observation(self.seat))

    def ask(self, bot: Callable[[], Bot[Any]] | Bot[Any], seed: int = 0) -> str:
        """Returns a bot's answer to the situation, in the game's notation.

        The bot is seated as in a match (``start``, and ``prepare`` if it has a choice). Its
        exceptions come through.

        Args:
            bot: Its class, a function that makes one, or a bot.
            seed: Its private seed.

        Raises:
            IllegalAction: The rules forbid its answer.
            IllegalLoadout: The rules forbid its loadout.
        """
        mine = bot if isinstance(bot, Bot) else bot()
        seats = len(self.state.scores())
        mine.start(MatchContext(self.game, self.ruleset.name, self.seat, seats, seed))
        offer = self.game.loadouts.offer(self.ruleset, self.seat)
        if offer is not None:
            self.game.loadouts.accept(self.ruleset, mine.prepare(offer))
        answer: Action = mine.act(self.state.observation(self.seat))
        self.state.clone().apply_action(answer)
        return answer.text

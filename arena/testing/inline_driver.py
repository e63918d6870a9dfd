"""A driver that calls bots in this process; only for trusted bots.

Checks and hosts do not import each other, so the function that plays is passed in.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeAlias

import msgspec

from arena.core.bot import Bot
from arena.core.game import AnyGame, Ruleset
from arena.core.record import PlayedMatch
from arena.core.tournaments.format import Job
from arena.match.limits import Limits
from arena.match.requests import Played

BotFactory: TypeAlias = Callable[[], Bot[Any]]
"""Makes a fresh bot object."""


class PlayMatch(Protocol):
    """Plays one match with new bots: ``arena.host.bot.inline.play_inline``, or alike."""

    def __call__(
        self,
        game: AnyGame,
        ruleset: Ruleset,
        seed: int,
        bot_seed: int,
        makers: Sequence[BotFactory],
        names: Sequence[str],
        limits: Limits,
    ) -> Played:
        """The record and the measurement of the match."""


class InlineDriver(msgspec.Struct, frozen=True):
    """A ``BotDriver`` over one function that plays a match, one after the other."""

    play: PlayMatch
    game: AnyGame
    ruleset: Ruleset
    makers: Sequence[BotFactory]
    """Make the bots of the field."""
    names: Sequence[str] = ("bot", "opponent")
    """Names of the members of the field in records."""
    limits: Limits | None = None

    def __call__(self, jobs: Sequence[Job]) -> list[PlayedMatch]:
        """The played matches, in the order of the jobs."""
        return [self._played(job) for job in jobs]

    def _played(self, job: Job) -> PlayedMatch:
        makers = [self.makers[member] for member in job.seats]
        names = [self.names[member] for member in job.seats]
        record, measurement = self.play(
            self.game, self.ruleset, job.seed, job.bot_seed, makers, names, self.limits or Limits()
        )
        return PlayedMatch(job.key, record, measurement)

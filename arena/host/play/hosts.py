"""Hosts play the matches of one field; ``open_host`` chooses between the two kinds."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from time import perf_counter
from typing import TYPE_CHECKING, Protocol

from arena.core.errors import BadPlugin
from arena.core.record import PlayedMatch
from arena.core.tournaments.format import Job
from arena.host.bot.inline import play_inline
from arena.host.bot.watch import Watch
from arena.host.process.launch import MatchSettings
from arena.plugins.entries import BotSource
from arena.plugins.loading import LoadBot, check_unchanged, load_bot

if TYPE_CHECKING:  # workers of trusted bots start without the event loop
    from arena.host.play.confined import ConfinedHost
    from arena.host.play.endpoints import EndpointAccess

TICK_SECONDS = 0.05
"""Time between two looks of the watchdog at a trusted bot's decision."""


class Host(AbstractContextManager["Host"], Protocol):
    """Plays matches of one field of fixed settings; use it as a context."""

    def play(self, jobs: Sequence[Job], seconds: float) -> list[PlayedMatch]:
        """Plays matches, at least one, and begins none after that time; returns them in order.

        Raises:
            HarnessFault: The harness failed; none of these matches counts.
        """

    def close(self) -> None:
        """Ends whatever it has started."""


def open_host(
    settings: MatchSettings,
    bots: Sequence[BotSource],
    load: LoadBot = load_bot,
    access: EndpointAccess | None = None,
) -> Host:
    """Opens the host for that field: inline if all bots are trusted, else confined.

    With a referee of its own, or with a person, it is confined, too, and calls trusted bots in this
    process, loaded by ``load``.

    Args:
        access: How endpoints are asked.

    Raises:
        BadPlugin: A trusted bot cannot be loaded here, a bot has changed since it was entered, or
            endpoints cannot be asked here.
    """
    if settings.referee is None and all(bot.answered_by == "host" for bot in bots):
        watch = Watch(settings.limits.decision_ns, TICK_SECONDS)
        return InlineHost(settings, bots, watch, load)
    return open_confined(settings, bots, load, access)


def open_confined(
    settings: MatchSettings,
    bots: Sequence[BotSource],
    load: LoadBot = load_bot,
    access: EndpointAccess | None = None,
) -> ConfinedHost:
    """Opens a host for bots, people and endpoints; see ``open_host``."""
    from arena.host.play.confined import ConfinedHost

    for bot in bots:
        if bot.answered_by == "process":  # others are compared where they are loaded
            check_unchanged(bot)
        elif bot.answered_by == "endpoint" and access is None:
            name = bot.participant.name
            raise BadPlugin(f"bot {name} is an endpoint, and endpoints cannot be asked here")
    watch = Watch(settings.limits.decision_ns, TICK_SECONDS)
    return ConfinedHost(settings, bots, watch, load, access)


class InlineHost(AbstractContextManager["InlineHost"]):
    """Plays match after match with bots called in this process; see ``open_host``."""

    def __init__(
        self, settings: MatchSettings, bots: Sequence[BotSource], watch: Watch, load: LoadBot
    ) -> None:
        self._settings, self._watch = settings, watch
        self._makers = [load(bot) for bot in bots]
        self._keys = [bot.participant.key for bot in bots]
        self._loadouts = [settings.loadout(bot) for bot in bots]

    def __exit__(self, *error: object) -> None:
        self.close()

    def play(self, jobs: Sequence[Job], seconds: float) -> list[PlayedMatch]:
        """Plays one match after the other; see ``Host``."""
        end = perf_counter() + seconds
        played: list[PlayedMatch] = []
        with self._watch:
            for job in jobs:
                played.append(self._play(job))
                if perf_counter() > end:
                    break
        return played

    def close(self) -> None:
        """Does nothing: there is nothing to end."""

    def _play(self, job: Job) -> PlayedMatch:
        settings = self._settings
        record, measurement = play_inline(
            settings.game,
            settings.ruleset,
            job.seed,
            job.bot_seed,
            [self._makers[entrant] for entrant in job.seats],
            [self._keys[entrant] for entrant in job.seats],
            settings.limits,
            watch=self._watch,
            loadouts=[self._loadouts[entrant] for entrant in job.seats],
        )
        return PlayedMatch(job.key, record, measurement)

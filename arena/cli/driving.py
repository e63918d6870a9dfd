"""Has matches of a small field played where its bots belong: the judge's way to a host."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, redirect_stdout
from sys import stderr

from arena.cli.isolating import start_trouble
from arena.core.driver import BotDriver
from arena.core.game import AnyGame, Ruleset
from arena.core.record import PlayedMatch
from arena.core.tournament import Job
from arena.host.box.levels import Level
from arena.host.hosts import Host, open_host
from arena.host.launch import MatchSettings, Resources
from arena.match.clock import Limits
from arena.plugins.entries import BotSource


@contextmanager
def open_driver(settings: MatchSettings, field: Sequence[BotSource]) -> Iterator[BotDriver]:
    """A driver of matches among that field, for as long as the context lasts.

    Args:
        settings: What all matches have in common.
        field: The bots; those that are not trusted run in processes of their own.

    Raises:
        BadPlugin: A bot cannot be started; notes of the error are its traceback or its log.
    """
    for trouble in start_trouble(settings, field):
        raise trouble
    # What trusted bots print while they are imported must not get into a document on stdout.
    with redirect_stdout(stderr):
        host = open_host(settings, field)
    with host:
        yield _Driver(host)


class _Driver:
    """A ``BotDriver`` over a host."""

    def __init__(self, host: Host) -> None:
        self._host = host

    def __call__(self, jobs: Sequence[Job]) -> list[PlayedMatch]:
        with redirect_stdout(stderr):
            return self._host.play(jobs, math.inf)


def driver_at(level: Level) -> Callable[..., AbstractContextManager[BotDriver]]:
    """``open_driver`` at a level, with the usual limits: what qualification needs."""

    def open_there(
        game: AnyGame, ruleset: Ruleset, field: Sequence[BotSource]
    ) -> AbstractContextManager[BotDriver]:
        return open_driver(MatchSettings(game, ruleset, Limits(), Resources(), level), field)

    return open_there

"""Has matches of a small field played where its bots belong: the judge's way to a host."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, redirect_stdout
from sys import stderr

from arena_tournaments.spec import read_spec

from arena.cli.options import given
from arena.cli.output import say
from arena.core.driver import BotDriver
from arena.core.errors import BadSpec
from arena.core.game import AnyGame, Ruleset
from arena.core.record import PlayedMatch
from arena.core.tournament import Job
from arena.host.box.levels import Level
from arena.host.hosts import Host, open_host
from arena.host.launch import MatchSettings, Resources
from arena.match.clock import Limits
from arena.plugins.entries import BotSource
from arena.service.levels import choose_level, start_errors


@contextmanager
def open_driver(settings: MatchSettings, field: Sequence[BotSource]) -> Iterator[BotDriver]:
    """A driver of matches among that field, for as long as the context lasts.

    Args:
        settings: What all matches have in common.
        field: The bots; those that are not trusted run in processes of their own.

    Raises:
        BadPlugin: A bot cannot be started; notes of the error are its traceback or its log.
    """
    for trouble in start_errors(settings, field):
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


def level_asked_for(isolation: str | None, require: str | None) -> Level:
    """The level for a bot that nobody vouches for, from the options of a verb.

    Raises:
        BadSpec: An option is no level, or the bot would run in process.
        BadInput: The level cannot be had on this machine, or is less than required.
    """
    problems: list[str] = []
    spec = read_spec(given(isolation=isolation, require=require), problems)
    if spec.isolation == Level.TRUSTED.value:
        problems.append("isolation: what is submitted is never trusted")
    if problems:
        raise BadSpec("command line", problems)
    return choose_level(spec.isolation, spec.require, say)

"""Plays the matches of a small field where its bots belong, for checks and qualifications."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from arena.core.record import PlayedMatch
from arena.core.tournaments.format import BotDriver, Job
from arena.host.play.hosts import open_host
from arena.host.process.launch import MatchSettings
from arena.plugins.entries import BotSource
from arena.plugins.loading import LoadBot, load_bot
from arena.service.lookup.isolation import start_errors


@contextmanager
def open_driver(
    settings: MatchSettings, field: Sequence[BotSource], load: LoadBot = load_bot
) -> Iterator[BotDriver]:
    """A driver of matches among that field, for as long as the context lasts.

    Bots that are not trusted run in processes of their own; ``load`` loads the others.

    Raises:
        BadPlugin: A bot cannot be started; notes of the error (``add_note``) are its traceback and
            its log.
    """
    for error in start_errors(settings, field):
        raise error
    with open_host(settings, field, load) as host:

        def drive(jobs: Sequence[Job]) -> list[PlayedMatch]:
            return host.play(jobs, math.inf)

        yield drive

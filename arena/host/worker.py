"""What a worker process runs: chunks of matches of one tournament, bots called inline.

Only bytes cross the process boundary: the setup of the tournament, then chunk by chunk the jobs,
and back the played matches. Nothing of one match is left for another: every match has new bots.
"""

from __future__ import annotations

import gc
import math
import os
import signal
from collections.abc import Callable, Iterable
from functools import lru_cache
from time import perf_counter
from typing import Any

import msgspec

from arena.core.actions import type_name
from arena.core.bot import Bot
from arena.core.errors import ArenaError, BadPlugin, HarnessFault
from arena.core.game import AnyGame, Ruleset
from arena.core.record import PlayedMatch
from arena.core.tournament import Job
from arena.core.wire import decode_jobs, encode
from arena.host.inline import play_inline
from arena.host.watch import Watch
from arena.match.clock import Limits
from arena.plugins.entries import BotSource
from arena.plugins.loading import load_bot
from arena.plugins.registry import Registry

TICK_SECONDS = 0.05
"""How often the watchdog looks whether a decision is over its time."""


class Setup(msgspec.Struct, frozen=True):
    """All that the matches of a tournament have in common.

    Attributes:
        game: Name of the game.
        ruleset: Name of the ruleset, with its options.
        bots: The field, in entry order.
        limits: What each seat may use.
    """

    game: str
    ruleset: str
    bots: tuple[BotSource, ...]
    limits: Limits

    def to_bytes(self) -> bytes:
        """For the way to a worker."""
        return msgspec.msgpack.encode(self)


class _Table(msgspec.Struct, frozen=True):
    """A setup made ready in this process."""

    game: AnyGame
    ruleset: Ruleset
    makers: tuple[Callable[[], Bot[Any]], ...]
    keys: tuple[str, ...]
    limits: Limits


def start_worker() -> bool:
    """Readies a worker process.

    The user's Ctrl-C is the parent's to answer, and so is stdout, where the parent writes its
    document: what a bot prints goes to stderr.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.dup2(2, 1)
    gc.freeze()
    return True


def play_chunk(setup: bytes, jobs: bytes, seconds: float = math.inf) -> bytes:
    """Plays matches of a tournament, one after the other, until the time is up.

    Args:
        setup: ``Setup.to_bytes()``.
        jobs: The jobs, as ``arena.core.wire.encode`` writes them.
        seconds: No match begins later than this, except the first.

    Returns:
        The played matches in the order of the jobs, at least one, for
        ``arena.core.wire.decode_matches``.

    Raises:
        HarnessFault: The harness failed; none of these matches counts.
        BadPlugin: A bot cannot be loaded here.
    """
    try:
        return encode(_play_until(perf_counter() + seconds, _table(setup), decode_jobs(jobs)))
    except BadPlugin as error:
        trouble: ArenaError = BadPlugin(str(error))
    except HarnessFault as fault:
        trouble = HarnessFault(str(fault))
    except BaseException as fault:
        # Among them: a tick of the watchdog that came too late for its bot.
        trouble = HarnessFault(f"a worker failed: {type_name(fault)}")
    # Raised here, it drags along no cause, which might not survive the way to the parent.
    raise trouble


def _play_until(end: float, table: _Table, jobs: Iterable[Job]) -> list[PlayedMatch]:
    played: list[PlayedMatch] = []
    with Watch(table.limits.decision_ns, TICK_SECONDS) as watch:
        for job in jobs:
            played.append(_play(table, job, watch))
            if perf_counter() > end:
                break
    return played


def _play(table: _Table, job: Job, watch: Watch) -> PlayedMatch:
    record, measurement = play_inline(
        table.game,
        table.ruleset,
        job.seed,
        job.bot_seed,
        [table.makers[entrant] for entrant in job.seats],
        [table.keys[entrant] for entrant in job.seats],
        table.limits,
        watch=watch,
    )
    return PlayedMatch(job.place, record, measurement)


@lru_cache(maxsize=2)
def _table(setup: bytes) -> _Table:
    """Loads games and bots once a worker, not once a chunk."""
    wanted = msgspec.msgpack.decode(setup, type=Setup)
    game = Registry().game(wanted.game)
    return _Table(
        game,
        game.ruleset(wanted.ruleset),
        tuple(load_bot(source) for source in wanted.bots),
        tuple(source.participant.key for source in wanted.bots),
        wanted.limits,
    )

"""Workers are processes that play chunks of matches of one tournament.

Only bytes cross the process boundary: the setup, then chunk by chunk the jobs and the played
matches. Every match has new bots.
"""

from __future__ import annotations

import gc
import math
import os
import signal
from functools import lru_cache

import msgspec

from arena.core.actions import type_name
from arena.core.described import described
from arena.core.errors import ArenaError, BadPlugin, HarnessFault
from arena.core.tournaments.wire import decode_jobs, encode
from arena.host.box.levels import Level
from arena.host.play.hosts import Host, open_host
from arena.host.process.launch import WIDTH, MatchSettings, Resources
from arena.match.limits import Limits
from arena.plugins.entries import BotSource
from arena.plugins.registry import Registry

COLLECT_AFTER = 200_000
"""New objects before a garbage collection: matches in progress are many objects in use."""


class Setup(msgspec.Struct, frozen=True):
    """The setup that all matches of a tournament have in common.

    Attributes:
        game: Name of the game.
        ruleset: Name of the ruleset, with its options.
        bots: The field, in entry order; the others are as in ``MatchSettings``.
    """

    game: str
    ruleset: str
    bots: tuple[BotSource, ...]
    limits: Limits
    resources: Resources = Resources()
    level: Level = Level.CONFINED
    width: int = WIDTH
    apart: tuple[str, ...] = ()

    def to_bytes(self) -> bytes:
        """Encodes the setup for a worker."""
        return msgspec.msgpack.encode(self)

    def open(self) -> Host:
        """Opens the host of these matches.

        Raises:
            BadPlugin: A trusted bot cannot be loaded here.
        """
        game = Registry().game(self.game)
        ruleset = game.ruleset(self.ruleset)
        settings = MatchSettings(
            game, ruleset, self.limits, self.resources, self.level, self.width, self.apart
        )
        return open_host(settings, self.bots)


def start_worker() -> bool:
    """Readies a worker process.

    It leaves the terminal's signals and stdout to the parent: output of bots goes to stderr.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for number in (signal.SIGHUP, signal.SIGQUIT, signal.SIGTERM):
        # Not ignored: programs that a trusted bot starts would inherit that.
        signal.signal(number, lambda *_: None)
    os.dup2(2, 1)
    gc.freeze()
    gc.set_threshold(COLLECT_AFTER, 20, 100)
    return True


def play_chunk(setup: bytes, jobs: bytes, seconds: float = math.inf) -> bytes:
    """Plays matches of a tournament, at least one, and begins none after those seconds.

    Args:
        setup: ``Setup.to_bytes()``.
        jobs: The jobs, as ``arena.core.tournaments.wire.encode`` writes them.
        seconds: Time in which matches begin.

    Returns:
        The played matches in the order of the jobs, for ``wire.decode_matches``.

    Raises:
        HarnessFault: The harness failed; none of these matches counts.
        BadPlugin: A bot cannot be loaded here.
    """
    try:
        return encode(_host(setup).play(decode_jobs(jobs), seconds))
    except BadPlugin as error:
        failure: ArenaError = BadPlugin(str(error))
    except HarnessFault as fault:
        failure = HarnessFault(str(fault))
    except BaseException as fault:
        # Among them: a tick of the watchdog that came too late for its bot.
        failure = HarnessFault(f"a worker failed: {type_name(fault)}")
    # Raised here, it drags along no cause, which might not survive the way to the parent.
    raise failure


@lru_cache(maxsize=1)
def _host(setup: bytes) -> Host:
    return msgspec.msgpack.decode(setup, type=described(Setup)).open()

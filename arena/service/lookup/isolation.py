"""Isolation of untrusted bots in one run: their level, their limits, and a first start of each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from arena_tournaments.spec.keys import TournamentSpec

from arena.core.errors import BadInput, BadPlugin
from arena.core.text.printable import printable_text
from arena.host.box.levels import Level
from arena.host.box.probing.probe import best_level, probe
from arena.host.builds.job import BuildLimits
from arena.host.process.handshake import handshakes
from arena.host.process.launch import MEBIBYTE, MatchSettings, Resources
from arena.host.wire.messages import Ready
from arena.match.limits import Limits
from arena.plugins.entries import BotSource
from arena.plugins.options import option

KIBIBYTE = 1 << 10
NANO = 1_000_000_000
AUTO = "auto"

Warn: TypeAlias = Callable[[str], None]
"""Takes a warning for people: one line."""


def ignore(warning: str) -> None:
    """A ``Warn`` that drops the warning."""


def choose_level(isolation: str, require: str | None = None, warn: Warn = ignore) -> Level:
    """The level at which untrusted bots run; a fallback to no confinement is always warned of.

    Args:
        isolation: A level, or ``"auto"`` for the highest that passes the probe.
        require: The least that will do.

    Raises:
        BadInput: The level is unavailable on this machine, or is less than required.
    """
    if isolation == AUTO:
        choice = best_level()
        level = choice.level
        why = "; ".join(f"{better}: {reason}" for better, reason in choice.missing)
    else:
        level = Level(isolation)
        report = probe(level)
        why = report.verdict
        if not report.holds:
            raise BadInput(
                f"level {level} is unavailable on this machine: {why}; see: arena doctor"
            )
    if require is not None and level.rank < Level(require).rank:
        raise BadInput(
            f"isolation {require} is required, and there is only {level} "
            f"({why or 'as asked for'}); see: arena doctor"
        )
    if level is Level.PROCESS:
        warn(
            "WARNING: untrusted bots are NOT CONFINED: they have processes of their own, but "
            f"run with your rights ({why or 'as asked for'}); see: arena doctor"
        )
    return level


def limits_of(spec: TournamentSpec) -> Limits:
    """Returns the limits of a seat by the match clock."""
    return Limits(
        decision_ns=int(spec.decision_seconds * NANO), match_ns=int(spec.match_seconds * NANO)
    )


def resources_of(spec: TournamentSpec) -> Resources:
    """Returns the further limits of the process of an untrusted bot."""
    return Resources(
        startup_ns=int(spec.startup_seconds * NANO),
        decision_cpu_ns=int((spec.decision_cpu_seconds or spec.decision_seconds) * NANO),
        match_cpu_ns=int((spec.match_cpu_seconds or spec.match_seconds) * NANO),
        memory=spec.memory_mb * MEBIBYTE,
        threads=spec.threads,
        output=spec.output_kb * KIBIBYTE,
        log=spec.log_kb * KIBIBYTE,
        all_logs=spec.all_logs,
        incidents=spec.incidents,
    )


def build_limits_of(spec: TournamentSpec) -> BuildLimits:
    """Returns the limits of the build of an untrusted bot."""
    return BuildLimits(seconds=spec.build_seconds, memory=spec.build_memory_mb * MEBIBYTE)


def start_errors(settings: MatchSettings, bots: Sequence[BotSource]) -> list[BadPlugin]:
    """Starts every untrusted bot once; an error for each that cannot play.

    Notes of an error are the bot's traceback, or the end of its log.
    """
    untrusted = [bot for bot in bots if bot.answered_by == "process"]
    errors: list[BadPlugin] = []
    for bot, answer in zip(untrusted, handshakes(settings, untrusted), strict=True):
        name, game = bot.participant.name, settings.game.name
        if not isinstance(answer, Ready):
            # Our own runtime names the bot in its reason; a program only gives the reason.
            whose, reason = f"bot {name} of {bot.origin} ", answer.reason
            if not reason.startswith(whose):
                reason = f"{whose}cannot be started: {reason}"
            error = BadPlugin(reason)
            error.add_note(printable_text(answer.error))
        elif answer.games and game not in answer.games:
            remedy = f"give {option('game', answer.games[0])}"
            error = BadPlugin(f"bot {name} plays {', '.join(answer.games)}, not {game}; {remedy}")
        else:
            continue
        errors.append(error)
    return errors

"""How bots from outside are kept apart in this run: the level, what they may use, their start."""

from __future__ import annotations

from collections.abc import Sequence

from arena_tournaments.spec import TournamentSpec, read_spec

from arena.cli.options import given
from arena.cli.output import say
from arena.core.errors import BadInput, BadPlugin, BadSpec
from arena.core.printable import printable_text
from arena.host.box.levels import Level
from arena.host.box.probe import best_level, probe
from arena.host.handshake import handshakes
from arena.host.launch import MEBIBYTE, MatchSettings, Resources
from arena.host.messages import Ready
from arena.match.clock import Limits
from arena.plugins.entries import BotSource

KIBIBYTE = 1 << 10
NANO = 1_000_000_000
AUTO = "auto"


def choose_level(isolation: str, require: str | None = None) -> Level:
    """The level at which bots from outside run; nothing falls back in silence.

    Args:
        isolation: A level, or ``"auto"`` for the highest that passes the probe.
        require: The least that will do.

    Raises:
        BadInput: The level cannot be had on this machine, or is less than required.
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
            raise BadInput(f"isolation {level} cannot be had here: {why}; see: arena doctor")
    if require is not None and level.rank < Level(require).rank:
        raise BadInput(
            f"isolation {require} is required, and there is only {level} "
            f"({why or 'as asked for'}); see: arena doctor"
        )
    if level is Level.PROCESS:
        say(
            "WARNING: bots from outside are NOT CONFINED: they have processes of their own, but "
            f"run with your rights ({why or 'as asked for'}); see: arena doctor"
        )
    return level


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
    return choose_level(spec.isolation, spec.require)


def limits_of(spec: TournamentSpec) -> Limits:
    """What a seat may use by the match clock."""
    return Limits(
        decision_ns=int(spec.decision_seconds * NANO), match_ns=int(spec.match_seconds * NANO)
    )


def resources_of(spec: TournamentSpec) -> Resources:
    """What the process of a bot from outside may use besides."""
    return Resources(
        startup_ns=int(spec.startup_seconds * NANO),
        decision_cpu_ns=int((spec.decision_cpu_seconds or spec.decision_seconds) * NANO),
        match_cpu_ns=int((spec.match_cpu_seconds or spec.match_seconds) * NANO),
        memory=spec.memory_mb * MEBIBYTE,
        threads=spec.threads,
        output=spec.output_kb * KIBIBYTE,
        log=spec.log_kb * KIBIBYTE,
        incidents=spec.incidents,
    )


def start_trouble(settings: MatchSettings, bots: Sequence[BotSource]) -> list[BadPlugin]:
    """Starts every bot from outside once; what is wrong with those that cannot play.

    Notes of an error are the bot's traceback, or the end of its log.
    """
    strangers = [bot for bot in bots if not bot.trusted]
    troubles: list[BadPlugin] = []
    for bot, said in zip(strangers, handshakes(settings, strangers), strict=True):
        name, game = bot.participant.name, settings.game.name
        if not isinstance(said, Ready):
            # Our own runtime says whose trouble it is; a program only what it is.
            whose, told = f"bot {name} of {bot.origin} ", said.reason
            if not told.startswith(whose):
                told = f"{whose}cannot be started: {told}"
            trouble = BadPlugin(told)
            trouble.add_note(printable_text(said.error))
        elif said.games and game not in said.games:
            trouble = BadPlugin(f"bot {name} plays {', '.join(said.games)}, not {game}")
        else:
            continue
        troubles.append(trouble)
    return troubles

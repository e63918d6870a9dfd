"""Checks a bot by real matches where it would run in a tournament."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack

from arena_results.file.database import Database
from arena_tournaments.spec.keys import TournamentSpec, read_spec

from arena.core.defaults import CHECK_MATCHES
from arena.core.errors import BadInput, BadPlugin
from arena.host.box.levels import Level
from arena.host.process.launch import MatchSettings
from arena.plugins.botfile import names_file
from arena.plugins.command import command_source
from arena.plugins.entries import BotSource
from arena.plugins.options import either, option
from arena.plugins.registry import Registry
from arena.service.answers.errors import COMMAND_LINE, spec_error
from arena.service.bots.endpoint_check import EndpointReport, check_endpoint
from arena.service.lookup.drivers import open_driver
from arena.service.lookup.isolation import (
    Warn,
    build_limits_of,
    choose_level,
    ignore,
    limits_of,
    resources_of,
)
from arena.service.lookup.python_bots import LocalBot
from arena.service.lookup.resolver import BotResolver, is_package
from arena.service.storage.databases import existing_database
from arena.testing.check_bot import BotReport, OnPlayed
from arena.testing.check_bot import check_bot as play_and_check

OPPONENT = "random"


def check_bot(
    registry: Registry,
    bot: str | None = None,
    *,
    command: str | None = None,
    game: str = "pazaak",
    ruleset: str = "",
    matches: int = CHECK_MATCHES,
    seed: int = 0,
    keys: Mapping[str, object] | None = None,
    url: str = "",
    local: Sequence[LocalBot] = (),
    warn: Warn = ignore,
    played: OnPlayed = lambda of, done, faults: None,
) -> BotReport | EndpointReport:
    """Plays a bot against random play in every seat, twice, or asks an endpoint one question.

    Args:
        bot: A bot as ``BotResolver.find`` takes it, a folder, or a wheel.
        command: In place of ``bot``: a program that speaks docs/reference/protocol.md.
        ruleset: Name of the ruleset; empty for the game's first.
        matches: Matches of each of the two runs.
        seed: Everything follows from it.
        keys: Limits, ``trust``, ``isolation`` and ``allow`` as in a tournament's spec.
        url: Address of the database in which a submitted bot is looked for.
        local: ``bot``, if it is a bot of this program.
        warn: Called when the bot is not confined.
        played: Called after some matches.

    Raises:
        BadInput: There is no such bot, game or ruleset, or a key is wrong.
        BadPlugin: The bot cannot be started; notes of the error are its traceback and its log.
        HarnessFault: A match was void.
    """
    problems: list[str] = []
    spec = read_spec(keys or {}, problems)
    if problems:
        raise spec_error(either(COMMAND_LINE, "arguments"), problems)
    chosen = registry.game(game)
    rules = chosen.ruleset(ruleset)
    with ExitStack() as stack:
        store = _store(registry, bot, url, local)
        store = stack.enter_context(store) if store else None
        resolver = stack.enter_context(BotResolver(registry, store, local=local))
        source = _source(resolver, bot, command, spec)
        if source.endpoint is not None:
            return check_endpoint(source.endpoint, [*registry.games()])
        apart = source.answered_by == "process"
        level = choose_level(spec.isolation, warn=warn) if apart else Level.TRUSTED
        if level is Level.TRUSTED and apart:
            raise BadPlugin(
                f"bot {source.participant.name} is not trusted; add {option('trust', ...)}, "
                f"or leave {option('isolation')} at auto"
            )
        settings = MatchSettings(
            chosen, rules, limits_of(spec), resources_of(spec), level, apart=resolver.apart
        )
        field = (source, registry.resolve_bot(OPPONENT))
        with open_driver(settings, field, resolver.load) as driver:
            return play_and_check(driver, chosen, rules, matches, seed, played)


def _store(
    registry: Registry, bot: str | None, url: str, local: Sequence[LocalBot]
) -> Database | None:
    if bot is None or not url or local or is_package(bot) or names_file(bot):
        return None
    return existing_database(url)


def _source(
    resolver: BotResolver, bot: str | None, command: str | None, spec: TournamentSpec
) -> BotSource:
    if bot is not None and command is None:
        if is_package(bot):
            return resolver.find_package(bot, spec.allow, build_limits_of(spec))
        return resolver.find(bot, spec.trust, spec.allow)
    if bot is None and command is not None:
        return command_source(command)
    either_way = either("BOT, or --cmd COMMAND for a program", "bot, or command='...'")
    raise BadInput(f"check bot needs a bot: {either_way}")

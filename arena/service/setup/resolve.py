"""Resolves a tournament's spec: every name found, every bot loaded or started once."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from arena_results.schema.rows import EntryRow, NewTournament, StoredTournament
from arena_tournaments.play.runner import Plan
from arena_tournaments.play.schedule import LuckOf, Schedule
from arena_tournaments.play.volume import Volume
from arena_tournaments.spec.files import BY_HASH, placed
from arena_tournaments.spec.keys import TournamentSpec, gathered, read_spec

from arena.core.chance.seeding import SeedOrigin, SeedSource, fresh_key
from arena.core.errors import BadPlugin
from arena.core.game import AnyGame, Ruleset
from arena.core.parts.value import ValueFunction
from arena.core.tournaments.format import Format, Job, Tables, shown_names
from arena.core.tournaments.rulings import Ruling
from arena.host.box.levels import Level
from arena.host.play.endpoints import EndpointAccess
from arena.host.play.worker import Setup
from arena.host.process.launch import MatchSettings
from arena.match.learned.file import ValueFile
from arena.plugins.entries import BotSource
from arena.plugins.loading import LoadBot, load_bot
from arena.plugins.options import option
from arena.plugins.registry import Registry
from arena.service.answers.engine import cores
from arena.service.answers.errors import COMMAND_LINE, Problems, spec_error
from arena.service.lookup.isolation import (
    Warn,
    choose_level,
    ignore,
    limits_of,
    resources_of,
    start_errors,
)
from arena.service.lookup.resolver import BotResolver
from arena.service.lookup.same_code import refuse_alike
from arena.service.match.luck import FrozenValues, luck_of_matches
from arena.service.setup.amounts import by_amount
from arena.service.setup.byes import byes_of
from arena.service.setup.field import enter, expanded
from arena.service.setup.formats import (
    check_budget,
    check_format,
    checked_format,
    crowded,
    entrants_of,
    game_of,
    make_volumes,
    ruleset_of,
    settled_games,
    settled_tables,
    stored_schedule,
)
from arena.service.setup.money import check_models
from arena.service.setup.stored_field import changes_since
from arena.testing.reasons import in_one_line

START_SECONDS = 30.0
"""Seconds that a worker may take to start, on a busy machine."""

_WARNINGS = {
    SeedOrigin.OPEN_SEED: "a bot can find an open seed by trying, and every card with it; "
    "leave the seed out to draw a secret key",
    SeedOrigin.GIVEN_KEY: "an author who knows the given key knows every card; "
    "leave the key out to draw a secret one",
}


class ResolvedTournament(msgspec.Struct, frozen=True, kw_only=True):
    """A tournament whose names are all found; keep its ``BotResolver`` open while it is played.

    Attributes:
        spec: The spec with seats and games settled, and the bots in initial order.
        bots: The field in initial order.
        volumes: How many matches per pairing plays, round by round.
        level: The isolation of bots that are not trusted.
        apart: Files that no such bot is ever granted.
        resolver: Found the bots; it finds them again when the field changes.
        learned: The value function that a new tournament fixes in place of the game's.
        access: How endpoints are asked; ``None`` for the usual way.
    """

    spec: TournamentSpec
    seeds: SeedSource
    game: AnyGame
    ruleset: Ruleset
    format: Format
    tables: Tables
    rounds: int
    volumes: tuple[Volume, ...]
    bots: tuple[BotSource, ...]
    level: Level
    resolver: BotResolver
    apart: tuple[str, ...] = ()
    load: LoadBot = load_bot
    learned: ValueFile | None = None
    access: EndpointAccess | None = None

    @property
    def fixed(self) -> ValueFile | ValueFunction[Any] | None:
        """The value function that a new tournament fixes, or its file."""
        return self.learned or self.game.luck.value_function(self.ruleset)

    def _deciding_luck(self) -> LuckOf | None:
        if not self.spec.adjusted:
            return None
        game, frozen = self.game, FrozenValues(file=self.learned)
        return luck_of_matches(game, frozen.checked(game, game.version, self.ruleset.name))

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the field as they are shown."""
        return shown_names([bot.participant for bot in self.bots])

    def settings(self) -> MatchSettings:
        """The settings that its matches share, for a host in this process."""
        limits, resources = limits_of(self.spec), resources_of(self.spec)
        return MatchSettings(
            self.game, self.ruleset, limits, resources, self.level, apart=self.apart
        )

    def setup(self) -> bytes:
        """The setup of the worker processes (``arena.host.play.worker``), packed."""
        return Setup(
            game=self.game.name,
            ruleset=self.ruleset.name,
            bots=self.bots,
            limits=limits_of(self.spec),
            resources=resources_of(self.spec),
            level=self.level,
            apart=self.apart,
        ).to_bytes()

    def patience(self) -> float:
        """Seconds after which a worker must have answered: it started, and played one match.

        With bots in processes of their own a worker always answers: their time is limited there.
        """
        apart = any(bot.answered_by == "process" for bot in self.bots)
        return math.inf if apart else self.longest()

    def longest(self) -> float:
        """Seconds that one match can take in a worker that has just started."""
        spec = self.spec
        match = self.tables.most * (spec.match_seconds + 2 * spec.decision_seconds)
        starts = 0.0 if self.level is Level.TRUSTED else self.tables.most * spec.startup_seconds
        return START_SECONDS + starts + match

    def entries(self, ratings: Sequence[float]) -> list[EntryRow]:
        """The field's entries with these ratings."""
        return [
            EntryRow(bot.participant, rating, bot.author)
            for bot, rating in zip(self.bots, ratings, strict=True)
        ]

    def plan(self, entries: Sequence[EntryRow], rulings: tuple[Ruling, ...] = ()) -> Plan:
        """The plan that the runner plays, with the entry of each bot of the field."""
        priced = by_amount(self.spec, self.game, self.ruleset)
        return Plan(
            format=self.format,
            field=entrants_of(self.spec, self.names, entries),
            rounds=self.rounds,
            schedule=Schedule(
                self.seeds.keys(),
                self.spec.mirrored,
                self.volumes,
                priced.amounts if priced else None,
                self._deciding_luck(),
            ),
            tables=self.tables,
            rulings=rulings,
        )

    @property
    def workers(self) -> int:
        """The number of worker processes that play it: by default one a core."""
        return self.spec.concurrency or cores()

    def with_games(self, games: int) -> ResolvedTournament:
        """The same with that many matches per pairing in place of its budget."""
        spec = msgspec.structs.replace(self.spec, games=games, budget="")
        volumes = make_volumes(spec, self.format, self.tables, len(self.bots), self.rounds)
        return msgspec.structs.replace(self, spec=spec, volumes=volumes)

    def describe(self, job: Job) -> str:
        """Names a match in errors: its place, and its players."""
        names = [self.names[entrant] for entrant in job.seats]
        return f"match {job.key} ({' against '.join(names)})"

    def in_order(self, order: Sequence[int]) -> ResolvedTournament:
        """The same with another initial order: indices into the present field."""
        bots = tuple(self.bots[index] for index in order)
        spelled = tuple(self.spec.bots[index] for index in order)
        spec = msgspec.structs.replace(self.spec, bots=spelled)
        return msgspec.structs.replace(self, spec=spec, bots=bots)

    def new(self) -> NewTournament:
        """The row of a new tournament."""
        spec, values = self.spec, self.fixed
        return NewTournament(
            name=spec.name,
            game=self.game.name,
            ruleset=self.ruleset.name,
            engine=self.game.version,
            format=self.format.name,
            games=max(volume.games for volume in self.volumes),
            mirrored=spec.mirrored,
            rounds=self.rounds,
            seed=self.seeds.seed,
            key=self.seeds.key,
            seed_origin=self.seeds.origin,
            nonce=self.seeds.nonce,
            commitment=self.seeds.commitment,
            value_function=values.name if values else None,
            value_hash=values.hash if values else None,
            stake=spec.stake,
            purse=spec.purse,
            spec=spec.to_json(),
        )

    @property
    def crowded(self) -> tuple[tuple[str, int], ...]:
        """The authors whose bots cannot all sit apart, with how many bots they have."""
        sizes = self.tables.sizes(len(self.bots))
        return crowded(self.spec, [bot.author for bot in self.bots], sizes)

    @property
    def seeds_warning(self) -> str | None:
        """A warning when bots that are not trusted play deals that could be known."""
        untrusted = [bot for bot in self.bots if bot.answered_by == "process"]
        names = [bot.participant.name for bot in untrusted if bot.kind != "house"]
        if not names or not self.seeds.open:
            return None
        return f"{', '.join(names)}: {_WARNINGS[self.seeds.origin]}"


def resolve(
    resolver: BotResolver,
    keys: Mapping[str, object],
    where: str = COMMAND_LINE,
    warn: Warn = ignore,
) -> ResolvedTournament:
    """Reads the keys of a spec, finds every name, and starts every bot once.

    Draws a key if no seed is given. Trusted bots are imported here, so what their modules print
    comes out on this process's stdout.

    Args:
        keys: The keys of a tournament file (``TournamentSpec``), e.g. ``{"bots": [...]}``.
        where: The file, or ``COMMAND_LINE``, for the error.
        warn: Called when untrusted bots are not confined.

    Raises:
        BadSpec: With every problem at once, each with its key.
    """
    problems = Problems()
    spec = expanded(resolver, read_spec(gathered(keys), problems), problems)
    return _resolve(resolver, spec, where, problems, warn)


_NOT_INDEPENDENT = (
    "it was learned from a tournament with these deals, so that its luck would not have the mean "
    "0; draw another key, or learn from other tournaments"
)


def _resolve(
    resolver: BotResolver, spec: TournamentSpec, where: str, problems: Sequence[str], warn: Warn
) -> ResolvedTournament:
    found = Problems(problems)
    registry = resolver.registry
    game = found.attempt("game", lambda: game_of(registry, spec))
    ruleset = found.attempt("ruleset", lambda: ruleset_of(game, spec)) if game else None
    spec, format = checked_format(registry, spec, game, ruleset, found)
    found.attempt("executor", lambda: registry.executor(spec.executor))
    bots = enter(resolver, spec, game, ruleset, found)
    if format:
        people = any(bot.answered_by == "person" for bot in bots)
        key = "stages" if spec.stages else "format"
        found.attempt(key, lambda: check_format(spec, format, people))
    learned = _learned(resolver, spec, game, ruleset, found)
    if spec.seed is not None and spec.key is not None:
        found.append(f"key: cannot be combined with {option('seed')}; give one of them")
    found.attempt("budget", lambda: check_budget(spec))
    tables, rounds, volumes = _sizes(registry, spec, game, format, found)
    if format and rounds and len(bots) == len(spec.bots):
        names = shown_names([bot.participant for bot in bots])
        found.attempt("format", lambda: format.check_field(names))
        found.attempt("byes", lambda: byes_of(spec, format, names, rounds))
    if len(spec.bots) < 2 and not any(problem.startswith("bots") for problem in problems):
        found.append(f"bots: expected at least two bots, not {len(spec.bots)}")
    found.attempt("bots", lambda: check_models(spec, bots))
    if spec.test:
        found.attempt("bots", lambda: refuse_alike(bots))
    if found or not (game and ruleset and format and tables and rounds and volumes):
        raise spec_error(where, found)
    seeds = _seeds(spec)
    if learned and learned.independent_of(seeds.deals) is False:
        found.append(f"value_function: {_NOT_INDEPENDENT}")
    level = _level(spec, bots, found, warn)
    if level.rank > Level.TRUSTED.rank:
        settings = MatchSettings(
            game, ruleset, limits_of(spec), resources_of(spec), level, apart=resolver.apart
        )
        for error in start_errors(settings, bots):
            log = "\n".join(getattr(error, "__notes__", ()))
            found.append(f"bots: {in_one_line(str(error), log)}")
    if found:
        raise spec_error(where, found)
    return ResolvedTournament(
        spec=_settled(spec, format, tables, [*map(resolver.spelling, spec.bots, bots)], learned),
        seeds=seeds,
        game=game,
        ruleset=ruleset,
        format=format,
        tables=tables,
        rounds=rounds,
        volumes=volumes,
        bots=tuple(bots),
        level=level,
        resolver=resolver,
        apart=resolver.apart,
        load=resolver.load,
        learned=learned,
    )


def _learned(
    resolver: BotResolver,
    spec: TournamentSpec,
    game: AnyGame | None,
    ruleset: Ruleset | None,
    found: Problems,
) -> ValueFile | None:
    if game is None or ruleset is None:
        return None
    if named := spec.value_function:
        return found.attempt("value_function", partial(resolver.value_file, named, game, ruleset))
    if spec.adjusted and not game.luck.value_function(ruleset):
        found.append(f"adjusted: {game.name} has no value function; learn one (value_function)")
    return None


def _sizes(
    registry: Registry,
    spec: TournamentSpec,
    game: AnyGame | None,
    format: Format | None,
    found: Problems,
) -> tuple[Tables | None, int | None, tuple[Volume, ...] | None]:
    entrants = len(spec.bots)
    if game is None or format is None:
        return None, None, None
    tables = found.attempt("seats", lambda: settled_tables(registry, spec, game, format))
    if tables is None or entrants < 2:
        return tables, None, None
    key = "rounds" if spec.rounds is not None else "stages" if spec.stages else "format"
    rounds = found.attempt(key, lambda: format.rounds(entrants, spec.rounds, tables))
    if rounds is None:
        return tables, None, None
    if not spec.authors_apart and tables.most == 2:
        found.append("authors_apart: at tables of two any two bots meet; leave it out")
    volumes = found.attempt("games", lambda: make_volumes(spec, format, tables, entrants, rounds))
    return tables, rounds, volumes


def _level(spec: TournamentSpec, bots: Sequence[BotSource], found: Problems, warn: Warn) -> Level:
    """The level at which bots run that are not trusted; ``TRUSTED`` if there are none."""
    vouched = [bot for bot in bots if bot.answered_by == "host" and bot.kind != "house"]
    if spec.require not in (None, "trusted"):
        for bot in vouched:
            found.append(f"require: {bot.participant.name} is trusted, not {spec.require}")
    if not any(bot.answered_by == "process" for bot in bots):
        return Level.TRUSTED
    level = found.attempt("isolation", lambda: choose_level(spec.isolation, spec.require, warn))
    return level or Level.TRUSTED


def _seeds(spec: TournamentSpec) -> SeedSource:
    if spec.seed is not None:
        return SeedSource(SeedOrigin.OPEN_SEED, seed=spec.seed)
    if spec.key is not None:
        return SeedSource(SeedOrigin.GIVEN_KEY, key=spec.key.lower())
    return SeedSource(SeedOrigin.DRAWN_KEY, key=fresh_key(), nonce=fresh_key())


def _settled(
    spec: TournamentSpec,
    format: Format,
    tables: Tables,
    bots: Sequence[str],
    learned: ValueFile | None,
) -> TournamentSpec:
    """The spec that is stored: nothing left open, and paths that hold wherever it is resumed."""
    here = Path.cwd()
    return msgspec.structs.replace(
        spec,
        seats=tables.most,
        games=settled_games(spec, format, tables, len(spec.bots)),
        bots=tuple(placed(bot, here) for bot in bots),
        trust=tuple(placed(name, here) for name in spec.trust),
        value_function=f"{BY_HASH}{learned.hash}" if learned else "",
    )


def resolve_stored(
    resolver: BotResolver, stored: StoredTournament, warn: Warn = ignore
) -> ResolvedTournament:
    """Resolves a stored tournament, so that it can continue where it stopped.

    Args:
        resolver: Made with ``resumes=`` its number.
        warn: Called when untrusted bots are not confined.

    Raises:
        BadPlugin: Bots, rules or the game's engine are not what they were when the tournament
            began; the message names them all.
        BadSpec: Something of it cannot be found any more.
    """
    spec = TournamentSpec.from_json(stored.summary.spec)
    if not spec.adjusted:
        spec = msgspec.structs.replace(spec, value_function="")  # it was fixed when it began
    resolved = _resolve(resolver, spec, f"tournament {stored.summary.id}", (), warn)
    summary = stored.summary
    field = [entry.participant for entry in stored.field]
    hash = resolved.fixed.hash if spec.adjusted and resolved.fixed else summary.value_hash
    game, rules, bots = resolved.game, resolved.ruleset.name, resolved.bots
    if changes := changes_since(summary, field, game, rules, hash, bots):
        raise BadPlugin(
            f"tournament {summary.id} cannot go on: {'; '.join(changes)}; bring that back, or play "
            f"the field as it is now in a new tournament: arena tournament fork {summary.id}"
            f"{resolver.db_option}"
        )
    return msgspec.structs.replace(
        resolved,
        rounds=summary.rounds,
        volumes=stored_schedule(summary, spec, resolved.format, None).volumes,
        seeds=summary.seeds,
    )

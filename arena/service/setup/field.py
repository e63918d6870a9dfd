"""The field of a tournament: its names and patterns, and every bot of it found and checked."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from contextlib import nullcontext
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path
from shlex import quote
from typing import IO

import msgspec
from arena_tournaments.spec.files import placed
from arena_tournaments.spec.keys import LOCAL, TournamentSpec

from arena.core.bot import MatchContext
from arena.core.errors import BadInput, BadPlugin, IllegalLoadout, ParseError, UnknownName
from arena.core.game import AnyGame, Ruleset
from arena.core.text.bot_names import INSTALLED
from arena.core.text.decoding import decode_text
from arena.core.text.parsing import split_loadout, split_version
from arena.core.tournaments.format import shown_names
from arena.host.builds.builder import BuildFailed
from arena.plugins.entries import BotSource
from arena.plugins.options import option
from arena.service.answers.errors import Problems
from arena.service.lookup.isolation import build_limits_of
from arena.service.lookup.resolver import BotResolver
from arena.service.lookup.same_code import one_program

_PATTERN = re.compile(r"[\w.+!@*?-]*[*?][\w.+!@*?-]*")
_COMMENT = re.compile(r"(^|\s)#.*")
_MAX_LENGTH = 1_000_000
"""Bytes of a file of names."""


def is_pattern(spelling: str) -> bool:
    """True for a name with ``*`` or ``?``, which stands for every enabled bot that it fits."""
    return _PATTERN.fullmatch(spelling) is not None


def read_names(path: Path) -> list[str]:
    """Reads a file of bots: a spelling a line, comments after ``#``; files are next to it first.

    Raises:
        BadInput: It cannot be read, or names no bot.
    """
    names = [placed(name, path.resolve().parent) for _, name in lines_of(str(path), path)]
    if not names:
        raise BadInput(f"{path} names no bot; write one a line")
    return names


def lines_of(name: str, source: Path | IO[bytes]) -> list[tuple[str, str]]:
    """Reads the lines of a text file without comments and blanks: the place and text of each.

    Args:
        name: Its name in errors.

    Raises:
        BadInput: It cannot be read, is too long, or a line cannot be shown.
    """
    try:
        with source.open("rb") if isinstance(source, Path) else nullcontext(source) as file:
            data = file.read(_MAX_LENGTH + 1)
    except OSError as error:
        raise BadInput(f"{name} cannot be read: {error.strerror}") from None
    if len(data) > _MAX_LENGTH:
        raise BadInput(f"{name} is longer than {_MAX_LENGTH} bytes")
    try:
        text = decode_text(data, wide=True)
    except ParseError as error:
        raise BadInput(f"{name} {error}") from None
    found = []
    for number, line in enumerate(text.split("\n"), 1):
        if words := _COMMENT.sub("", line).strip():
            if not words.isprintable():
                raise BadInput(f"{name}, line {number}: {words!r} cannot be shown")
            found.append((f"{name}, line {number}", words))
    return found


def at_one_table(bots: Sequence[str], keys: Mapping[str, object]) -> dict[str, object]:
    """The keys of a tournament in which these bots sit at one table.

    Raises:
        BadInput: The keys have bots or seats of their own.
    """
    for key in ("bots", "bots_from", "seats"):
        if key in keys:
            raise BadInput(f"{key}: give the bots as arguments, one for each seat")
    for bot in filter(is_pattern, bots):
        raise BadInput(f"{bot!r}: name every bot of a match; patterns are for tournaments")
    table = {"format": "tables"} if len(bots) > 2 else {}
    return {**table, **keys, "bots": bots, "seats": len(bots) or None}


def expanded(resolver: BotResolver, spec: TournamentSpec, found: Problems) -> TournamentSpec:
    """The spec with the bots of its file, and those that its patterns fit, in ``bots``.

    A pattern adds nobody who is named as well, or fits a pattern before it.
    """
    listed: Sequence[str] = ()
    if spec.bots_from:
        listed = found.attempt("bots_from", lambda: read_names(Path(spec.bots_from))) or ()
    given = (*spec.bots, *listed)
    patterns = [spelling for spelling in given if is_pattern(spelling)]
    if patterns:
        choices, outdone = resolver.enabled(spec.game), resolver.outdone()
        latest = dict(choices)  # of each name the last

        def version(spelling: str) -> tuple[str, str]:
            name, version = split_version(spelling)
            return name, version or latest.get(name, "")

        taken = {version(spelling) for spelling in given if spelling not in patterns}
        bots: list[str] = []
        for spelling in given:
            fits = [spelling]
            if spelling in patterns:
                fit = partial(_fitting, resolver, spelling, choices, outdone)
                fits = found.attempt("bots", fit) or []
                fits = [each for each in fits if version(each) not in taken]
                taken.update(map(version, fits))
            bots += fits
        given = tuple(bots)
    return msgspec.structs.replace(spec, bots=given, bots_from="")


def _fitting(
    resolver: BotResolver,
    pattern: str,
    choices: Sequence[tuple[str, str]],
    outdone: Collection[str],
) -> list[str]:
    """The names as typed that a pattern fits: of names, or with ``@`` of single versions.

    Args:
        pattern: As typed.
        choices: Names and versions of the bots that can be entered.
        outdone: Names of installed bots that would be shown as a version that the registry has;
            they are entered by ``@installed`` alone.
    """
    shared = {name for name, version in choices if version == INSTALLED}
    if not pattern.endswith(f"@{INSTALLED}"):
        stored = {name for name, version in choices if version != INSTALLED}
        choices = [
            (name, version)
            for name, version in choices
            if version != INSTALLED or name not in stored.intersection(outdone)
        ]
    latest = dict(choices)

    def spelled(name: str, version: str) -> str:
        """The name alone stands for the latest version, unless two bots have it."""
        if "@" in pattern or version == INSTALLED:
            return f"{name}@{version}"
        return f"{name}@{latest[name]}" if name in shared else name

    spellings = [
        (spelled(name, version), name if "@" not in pattern else f"{name}@{version}")
        for name, version in choices
    ]
    fits = [spelling for spelling, matched in spellings if fnmatchcase(matched, pattern)]
    if not fits:
        resolver.check_left_out(pattern)
        raise UnknownName("bot", pattern, dict.fromkeys(spelling for spelling, _ in spellings))
    return list(dict.fromkeys(fits))


def enter(
    resolver: BotResolver,
    spec: TournamentSpec,
    game: AnyGame | None,
    ruleset: Ruleset | None,
    found: Problems,
) -> list[BotSource]:
    """The bots of a spec that can play; ``found`` gets what is wrong with the others."""
    bots = [bot for name in spec.bots if (bot := _bot(resolver, spec, name, found))]
    if game and ruleset:
        for bot in (bot for bot in bots if bot.loadout):
            found.attempt("bots", partial(_check_loadout, game, ruleset, bot))
        seats = spec.seats or min(game.seats)
        for bot in bots:
            if bot.endpoint is not None and seats in game.seats:
                found.attempt("bots", partial(_try_prompts, game, ruleset, seats, bot))
    bots = beside_endpoints(spec, bots, found)
    names = shown_names([bot.participant for bot in bots])
    twice = {
        bots[index].participant.name for index, name in enumerate(names) if name in names[:index]
    }
    for name in sorted(twice):
        alike = [bot for bot in bots if bot.participant.name == name]
        found.append(f"bots: {_entered_twice(alike)}")
    if not twice:
        found += [f"bots: {problem}" for problem in one_program(bots)]
    if game and ruleset and seats in game.seats and not found:
        for bot in (bot for bot in bots if bot.trusted and bot.parameters):
            found.attempt("bots", partial(_try_start, resolver, game, ruleset, seats, bot))
    return bots


def beside_endpoints(
    spec: TournamentSpec, bots: list[BotSource], found: Problems
) -> list[BotSource]:
    """Returns the field; if there are endpoints, built-in bots have processes of their own.

    One that computes for long would hold up all questions to these.
    """
    if not any(bot.answered_by == "endpoint" for bot in bots):
        return bots
    found.attempt("executor", lambda: check_executor(spec.executor, bots))
    if spec.isolation == "trusted":
        return bots
    return [
        msgspec.structs.replace(bot, trusted=False) if bot.kind == "house" else bot for bot in bots
    ]


def check_executor(executor: str, bots: Sequence[BotSource]) -> None:
    """Refuses endpoints where an executor is to play: they are asked from this process."""
    asked = [bot.participant.name for bot in bots if bot.answered_by == "endpoint"]
    if asked and executor != LOCAL:
        raise BadInput(
            f"{' and '.join(asked)}: endpoints are asked from here; leave out {option('executor')}"
        )


def _entered_twice(alike: Sequence[BotSource]) -> str:
    called, origins = alike[0].participant, dict.fromkeys(bot.origin for bot in alike)
    if len({bot.participant.content for bot in alike}) > 1:
        return (
            f"{' and '.join(origins)} are both {called.name} {called.version}, with other code; "
            "give one of them another version"
        )
    return (
        f"{called.name} is entered twice; enter one of them as 'NAME(key=value)', "
        "'NAME with LOADOUT' or NAME@VERSION"
    )


def _try_prompts(game: AnyGame, ruleset: Ruleset, seats: int, bot: BotSource) -> None:
    from arena.host.prompts.trial import try_template

    assert bot.endpoint is not None
    try:
        try_template(bot.endpoint, game, ruleset, seats)
    except BadInput as error:
        raise BadInput(f"{bot.participant.name}: {error}") from None


def _try_start(
    resolver: BotResolver, game: AnyGame, ruleset: Ruleset, seats: int, bot: BotSource
) -> None:
    """Starts a trusted bot with arguments once: they may not fit the ruleset or the table."""
    try:
        resolver.load(bot)().start(MatchContext(game, ruleset.name, 0, seats, 0))
    except BadInput as error:
        raise BadInput(f"{bot.participant.name}: {error}") from None
    except Exception:
        return  # it loses its matches by the same


def _check_loadout(game: AnyGame, ruleset: Ruleset, bot: BotSource) -> None:
    if game.loadouts.offer(ruleset, 0) is None:
        raise BadInput(
            f"{bot.participant.name}: in {game.name} {ruleset.name} there is nothing to bring; "
            f"leave out 'with {bot.loadout}'"
        )
    try:
        game.loadouts.accept(ruleset, game.loadouts.parse(bot.loadout))
    except (BadInput, IllegalLoadout) as error:
        raise BadInput(f"{bot.participant.name}: {error}") from None


def _bot(
    resolver: BotResolver, spec: TournamentSpec, name: str, found: Problems
) -> BotSource | None:

    def find() -> BotSource:
        try:
            bot = resolver.find(
                name,
                spec.trust,
                spec.allow,
                confine_house=spec.confine_house,
                build=build_limits_of(spec),
            )
        except UnknownName as unknown:
            raise _of_game(resolver, spec.game, unknown) from None
        except BuildFailed as error:
            path = quote(split_loadout(name)[0])
            raise BadInput(f"{error}; its output: arena check bot {path}") from None
        if spec.isolation == "trusted":
            check_trusted_only(bot)
        return bot

    source = found.attempt("bots", find)
    if source is None:
        return None
    make = found.attempt("bots", lambda: resolver.load(source)) if source.trusted else None
    if source.trusted and make is None:
        return None
    entry = next((e for e in resolver.registry.bots() if e.target == source.target), None)
    # An unknown game is a problem of its own.
    known = spec.game in [game.name for game in resolver.registry.games()]
    if known and entry is not None and entry.games and spec.game not in entry.games:
        found.append(f"bots: {entry.name} plays {', '.join(entry.games)}, not {spec.game}")
    elif known and make and source.parameters:
        games = make().games
        if games and spec.game not in games:
            found.append(
                f"bots: {source.participant.name} plays {', '.join(games)}, not {spec.game}"
            )
    return source


def _of_game(resolver: BotResolver, game: str, unknown: UnknownName) -> UnknownName:
    """Returns the error of an unknown bot with only the choices that play the game."""
    if unknown.kind != "bot":
        return unknown
    fits = {name for name, _ in resolver.enabled(game)}.intersection(unknown.choices)
    return UnknownName("bot", unknown.name, fits or unknown.choices)


def check_trusted_only(bot: BotSource) -> None:
    """Refuses an untrusted bot in a run at level ``trusted`` by ``BadPlugin``."""
    if bot.answered_by == "process":
        name = bot.participant.name
        raise BadPlugin(
            f"bot {name} of {bot.origin} is untrusted, and isolation is 'trusted'; to run "
            f"it with your rights add {option('trust', [name])}, or leave "
            f"{option('isolation')} at auto"
        )

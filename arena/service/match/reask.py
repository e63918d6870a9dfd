"""Asks a bot the stored decisions of another one, and compares the answers."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from itertools import islice

import msgspec
from arena_results.file.database import Database
from arena_results.schema.rows import StoredTournament
from arena_results.store.queries import matches, tournament
from arena_tournaments.spec.keys import TournamentSpec

from arena.core.actions import unpack_ids
from arena.core.chance.seeding import derive_seed
from arena.core.errors import BadInput, UnknownName
from arena.core.game import AnyGame
from arena.core.record import MatchKey, MatchRecord, PlayedMatch
from arena.core.text.parsing import join_version
from arena.core.tournaments.format import Job, Participant
from arena.host.box.levels import Level
from arena.host.process.launch import MatchSettings
from arena.match.course import Course
from arena.match.reask import ask_again
from arena.match.replay import replay
from arena.match.requests import Referee, View
from arena.plugins.entries import BotSource
from arena.plugins.options import either
from arena.service.answers.defaults import REASKED_MATCHES
from arena.service.answers.rows import Document
from arena.service.lookup.drivers import open_driver
from arena.service.lookup.isolation import Warn, choose_level, ignore, limits_of, resources_of
from arena.service.lookup.resolver import BotResolver
from arena.service.match.analysis import evaluator_of
from arena.service.match.listing import is_named
from arena.service.match.luck import frozen_values
from arena.service.match.replays import replay_command


class Change(msgspec.Struct, frozen=True):
    """One decision in which a bot would act otherwise.

    Attributes:
        match: The match.
        move: The number of decisions before it.
        then: The action of the record.
        now: The action of the bot that was asked.
        change: The win probability after the one less that after the other, by what the seat knew;
            ``None`` if the decision is not evaluated.
        replay: The command that shows it.
    """

    match: str
    move: int
    seat: int
    then: str
    now: str
    change: float | None
    replay: str


class Failed(msgspec.Struct, frozen=True):
    """A match in which the bot that was asked failed; it was asked nothing more of it."""

    match: str
    move: int
    cause: str
    reason: str


class Reasked(msgspec.Struct, frozen=True, kw_only=True):
    """The answers of a bot to the decisions of another.

    Attributes:
        bot: The bot that was asked, with its version.
        old: The bot that took the decisions, with its version.
        more: Whether it has further matches in the tournament.
        matches: Number of checked matches.
        decisions: Number of decisions that were asked.
        same: Number of equal answers.
        evaluated: Number of other answers with a known change.
        change: The sum of these changes.
        by: Name of the evaluator; ``None`` if the game has none.
        changes: The decisions with another answer, in schedule order.
        failed: The matches in which it failed.
    """

    bot: str
    old: str
    tournament: int
    more: bool
    matches: int = 0
    decisions: int = 0
    same: int = 0
    evaluated: int = 0
    change: float = 0.0
    by: str | None = None
    changes: tuple[Change, ...] = ()
    failed: tuple[Failed, ...] = ()

    def document(self) -> Document:
        """The JSON document of ``arena reask``."""
        found: Document = msgspec.to_builtins(self)
        return found


def reask(
    resolver: BotResolver,
    database: Database,
    spelling: str,
    number: int,
    *,
    old: str = "",
    matches: int = REASKED_MATCHES,
    trust: Collection[str] = (),
    isolation: str = "auto",
    require: str | None = None,
    allow: Collection[str] = (),
    warn: Warn = ignore,
) -> Reasked:
    """Asks a bot the decisions that another one took in a tournament, in the same positions.

    It runs as in a match, with the limits of the tournament. It sees the other's view and has the
    other's loadout. The match continues as it was played.

    Args:
        spelling: The bot, as for a tournament; ``number`` is that of the tournament.
        old: The other bot; by default the bot of the same name.
        matches: The most matches to check, the first ones.
        trust: Untrusted bots that the operator vouches for.
        isolation: As for a tournament, and so are ``require`` and ``allow``.
        warn: Called when it is not confined.

    Raises:
        BadInput: The bot or tournament does not exist, the other played no match in it, or the bot
            is an endpoint.
        BadPlugin: The bot cannot be started.
    """
    if matches < 1:
        raise BadInput(f"{matches} matches: expected a number from 1")
    source = resolver.find(spelling, trust, allow)
    _check_asked_again(source)
    stored = tournament(database, number)
    entrant = _entrant(stored, old, source.participant.name)
    found = list(islice(_own_matches(database, stored, entrant), matches + 1))
    if not found:
        raise BadInput(f"{stored.names[entrant]} has no decisions in tournament {number} yet")
    game = resolver.registry.game(stored.summary.game)
    apart = source.answered_by == "process"
    level = choose_level(isolation, require, warn) if apart else Level.TRUSTED
    asked = {played.key: (played.record, seat) for seat, played in found[:matches]}
    settings = _settings(game, stored, level, resolver.apart, asked)
    jobs = [
        Job(key, record.seed, derive_seed(0, "reask", str(key)), (0,) * len(record.seats))
        for key, (record, _) in asked.items()
    ]
    with open_driver(settings, [source], resolver.load) as drive:
        answers = {played.key: played.record for played in drive(jobs)}
    empty = Reasked(
        bot=_named(source.participant),
        old=_named(stored.field[entrant].participant),
        tournament=number,
        more=len(found) > matches,
    )
    return _compared(empty, game, stored, asked, answers)


def _check_asked_again(source: BotSource) -> None:
    if source.answered_by == "endpoint":
        shown = either("arena transcripts show MATCH", "tournament.transcripts(match)")
        raise BadInput(
            f"{source.participant.name}: a language model is asked no stored decisions, as it "
            f"answers differently each time and each question costs money; {shown} has its answers"
        )


def _entrant(stored: StoredTournament, old: str, name: str) -> int:
    pattern = old or name
    fitting = [at for at, entry in enumerate(stored.field) if is_named(entry, pattern)]
    if not fitting:
        raise UnknownName(f"bot of tournament {stored.summary.id}", pattern, stored.names)
    if len(fitting) > 1:
        named = " and ".join(_named(stored.field[at].participant) for at in fitting)
        raise BadInput(f"{pattern!r} is {named} in tournament {stored.summary.id}: name one")
    return fitting[0]


def _named(participant: Participant) -> str:
    return join_version(participant.name, participant.version)


def _own_matches(
    database: Database, stored: StoredTournament, entrant: int
) -> Iterator[tuple[int, PlayedMatch]]:
    boards = [
        (made.number, number)
        for made in stored.rounds
        for number, pairing in enumerate(made.pairings, 1)
        if entrant in pairing.seats
    ]
    for row, played in matches(database, stored.summary.id, boards=boards):
        if len(played.record.loadouts) == len(played.record.seats) and played.record.actions:
            yield row.seats.index(entrant), played


def _settings(
    game: AnyGame,
    stored: StoredTournament,
    level: Level,
    apart: tuple[str, ...],
    asked: Mapping[MatchKey, tuple[MatchRecord, int]],
) -> MatchSettings:
    spec = TournamentSpec.from_json(stored.summary.spec)
    limits = limits_of(spec)

    def begin(job: Job, view: View | None, course: Course) -> Referee:
        record, seat = asked[job.key]
        return ask_again(game.at_version(record.engine), record, seat, limits, view, course)

    ruleset = game.ruleset(stored.summary.ruleset)
    resources = resources_of(spec)
    return MatchSettings(game, ruleset, limits, resources, level, apart=apart, referee=begin)


def _compared(
    empty: Reasked,
    game: AnyGame,
    stored: StoredTournament,
    asked: Mapping[MatchKey, tuple[MatchRecord, int]],
    answers: Mapping[MatchKey, MatchRecord],
) -> Reasked:
    changes: list[Change] = []
    failed: list[Failed] = []
    decisions = 0
    evaluator, values_fixed = None, None  # learned values may stand in for a game's own
    with suppress(BadInput):
        about = stored.summary
        values_fixed = frozen_values(stored).checked(game, about.engine, about.ruleset)
    for key, (record, seat) in asked.items():
        evaluator = evaluator or evaluator_of(game, record, values_fixed)
        match, again = f"{empty.tournament}.{key}", answers[key]
        played = game.at_version(record.engine)
        own = (step for step in replay(played, record) if step.seat == seat)
        for step, id in zip(own, unpack_ids(again.actions), strict=False):
            decisions += 1
            assert step.action is not None
            if step.action.id != id:
                values = evaluator.of(step.state) if evaluator else {}
                now = played.notation.action_of(id)
                changes.append(
                    Change(
                        match=match,
                        move=step.move,
                        seat=seat,
                        then=step.action.text,
                        now=now.text,
                        change=(values[now] - values[step.action]) / 2 if values else None,
                        replay=replay_command(empty.tournament, key, step.move),
                    )
                )
        fault = again.outcome
        if fault != record.outcome and fault.move is not None:
            failed.append(Failed(match, fault.move, fault.termination.value, fault.reason))
    known = [each.change for each in changes if each.change is not None]
    return msgspec.structs.replace(
        empty,
        matches=len(asked),
        decisions=decisions,
        same=decisions - len(changes),
        evaluated=len(known),
        change=sum(known),
        by=evaluator.name if evaluator else None,
        changes=tuple(changes),
        failed=tuple(failed),
    )

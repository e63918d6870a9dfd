"""Matches of a learner against bots, refereed as everywhere in Arena."""

from __future__ import annotations

import math
import threading
import warnings
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from os import PathLike, fspath
from queue import SimpleQueue
from typing import Any, NamedTuple, Protocol, TypeAlias

import msgspec
from arena_results.file.database import existing_database

from arena.core.actions import Action
from arena.core.bot import Bot, MatchContext
from arena.core.chance.seeding import private_seeds
from arena.core.errors import BadInput, BadPlugin
from arena.core.observation import Observation
from arena.core.outcome import RULE_ENDINGS, Outcome
from arena.core.record import MatchKey
from arena.core.tournaments.format import Job
from arena.host.bot.inline import InlineSeat
from arena.host.bot.watch import LeftTable
from arena.host.play.hosts import open_host
from arena.match.play import play_match
from arena.match.requests import Referee, Seating, SeatRequest
from arena.plugins.entries import BotSource
from arena.plugins.registry import Registry
from arena.rl.rules import Rules, rules_of, with_view
from arena.service.lookup.python_bots import AnyBot, PythonBot, named_bots
from arena.service.lookup.resolver import BotResolver
from arena.service.run.endpoints import without_journal
from arena.service.setup.field import at_one_table
from arena.service.setup.resolve import ResolvedTournament, resolve
from arena.service.storage.databases import database_url

_Event: TypeAlias = Observation | Outcome | BaseException
"""Something that the thread of a table reports: a question, the end, or an error."""
LEARNER = "learner"
"""The name of the learner in its matches."""
_TRIES = 100
_PATIENCE_NS = 10**18
"""Nanoseconds that a learner may take for a decision: it is on no clock."""


class Table(Protocol):
    """One match after the other, of a learner and its opponents.

    Attributes:
        outcome: The outcome of the match; ``None`` before its end.
    """

    outcome: Outcome | None

    def begin(self, seat: int, deal: int, bot_seed: int) -> Observation | None:
        """Begins a match, leaves the one before, and plays to the learner's first decision.

        Args:
            seat: The learner's seat.
            deal: Seed of the deal.
            bot_seed: The private seeds of the bots follow from it.

        Returns:
            What the learner sees; ``None`` when the match is over.
        """

    def answer(self, action: Action) -> Observation | None:
        """Takes the learner's decision, and plays to its next one, or to the end."""

    def close(self) -> None:
        """Leaves the match, and ends the processes of its bots."""


class Field(NamedTuple):
    """The bots of a table: the learner's stand-in, then the others in the order of their seats."""

    resolved: ResolvedTournament
    bots: list[BotSource]


class Opponents:
    """The bots of an environment, found as on the command line.

    Args:
        game: Name of the game.
        bots: One for each seat but the learner's.
        db: The database that contains submitted bots, if one is named.
        keys: Keys of a tournament that concern one match.

    Attributes:
        rules: The game.
        seats: Number of seats.

    Raises:
        BadInput: Something of it cannot be found.
    """

    def __init__(
        self,
        game: str,
        bots: Sequence[AnyBot] | str,
        db: str | PathLike[str] | None,
        keys: Mapping[str, object],
    ) -> None:
        named = [bots] if isinstance(bots, str) else list(bots)
        registry = Registry()
        names, local = named_bots([PythonBot(_Absent, LEARNER), *named])
        rules = rules_of(registry, game, str(keys.get("ruleset", "")))
        self.seats = len(names)
        if self.seats not in rules.game.seats:
            wanted = ", ".join(str(seats - 1) for seats in rules.game.seats)
            raise BadInput(f"opponents: {game} is played against {wanted}, not {len(named)}")
        once = [*dict.fromkeys(names)]  # a field has each bot once, a table may have it again
        with ExitStack() as stack:
            store = existing_database(database_url(fspath(db))) if db is not None else None
            if store is not None:
                stack.enter_context(store)
            resolver = stack.enter_context(BotResolver(registry, store, local=local))
            settled = at_one_table(once, {**keys, "game": game})
            resolved = without_journal(resolve(resolver, settled, "arena.rl", _warn))
            self.rules: Rules = with_view(resolved.game, resolved.ruleset)
            self._field = Field(resolved, [resolved.bots[once.index(name)] for name in names])
            self._open = stack.pop_all()
        for problem in registry.new_problems():
            _warn(problem)

    def processes(self) -> list[str]:
        """Returns the names of the bots that do not run in this process."""
        bots = self._field.bots
        return [bot.participant.name for bot in bots if bot.answered_by != "host"]

    def table(self) -> Table:
        """Returns a table: in this process if all bots may run in it."""
        return ProcessTable(self._field) if self.processes() else InlineTable(self._field)

    def close(self) -> None:
        """Removes the files that were unpacked for the bots."""
        self._open.close()


def _warn(text: str) -> None:
    warnings.warn(text, stacklevel=4)


class _Absent(Bot[Any]):
    """Stands for the learner in the field; the table answers for it."""


def _order(seats: int, seat: int) -> tuple[int, ...]:
    """Returns by seat the member of the field: the learner, number 0, in its seat."""
    others = iter(range(1, seats))
    return tuple([0 if each == seat else next(others) for each in range(seats)])


class InlineTable:
    """A table of bots that run in this process; see ``Table``."""

    def __init__(self, field: Field) -> None:
        resolved, bots = field
        self._settings = resolved.settings()
        self._makers = [resolved.load(bot) for bot in bots]
        self._names = [bot.participant.key for bot in bots]
        self._loadouts = [self._settings.loadout(bot) for bot in bots]
        self._loop: Referee | None = None
        self.outcome: Outcome | None = None

    def begin(self, seat: int, deal: int, bot_seed: int) -> Observation | None:
        self.close()
        settings, seats = self._settings, len(self._names)
        order = _order(seats, seat)
        seeds = private_seeds(bot_seed, seats)
        game, ruleset = settings.game, settings.ruleset
        self._seat, self.outcome = seat, None
        self._bots = [
            InlineSeat(
                self._makers[member], MatchContext(game, ruleset.name, each, seats, seeds[each])
            )
            for each, member in enumerate(order)
        ]
        loop = self._loop = play_match(
            game,
            ruleset,
            deal,
            [self._names[member] for member in order],
            settings.limits,
            loadouts=[self._loadouts[member] for member in order],
        )
        try:
            request = next(loop)
            while type(request) is Seating:
                own = request.seat == seat
                request = loop.send(
                    (None, 0) if own else self._bots[request.seat].sit_down(request)
                )
        except StopIteration as end:
            self._end(end.value[0].outcome)
            return None
        return self._continue(request)

    def answer(self, action: Action) -> Observation | None:
        assert self._loop is not None
        try:
            request = self._loop.send((action, 0))
        except StopIteration as end:
            self._end(end.value[0].outcome)
            return None
        return self._continue(request)

    def close(self) -> None:
        if self._loop is not None:
            self._loop.close()
            self._loop = None

    def _continue(self, request: SeatRequest) -> Observation | None:
        assert self._loop is not None
        asked: Any = request
        try:
            while asked.seat != self._seat:
                asked = self._loop.send(self._bots[asked.seat].decide(asked))
        except StopIteration as end:
            self._end(end.value[0].outcome)
            return None
        seen: Observation = asked
        return seen

    def _end(self, outcome: Outcome) -> None:
        self.outcome, self._loop = outcome, None
        for bot in self._bots:
            bot.finish(outcome)


def begun(table: Table, seat: int, deal: int, bot_seed: int) -> Observation:
    """Begins a match in which the learner decides; see ``Table.begin``.

    Where it is over before, by its rules, the next deal is played.

    Raises:
        BadPlugin: A bot failed before the learner's first decision.
    """
    for more in range(_TRIES):
        seen = table.begin(seat, deal + more, bot_seed)
        if seen is not None:
            return seen
        ending = table.outcome
        if ending is not None and ending.termination not in RULE_ENDINGS:
            raise BadPlugin(f"seat {ending.offender} failed at its start: {ending.reason}")
    raise BadPlugin(f"{_TRIES} matches in a row were over before the learner's first decision")


class ProcessTable:
    """A table of which some bots run in processes of their own; see ``Table``.

    A host plays its matches in a thread, where the learner has the seat of a person. It is one
    thread for all, as the processes end with the thread that started them.
    """

    def __init__(self, field: Field) -> None:
        self._field = field
        self._jobs: SimpleQueue[Job | None] = SimpleQueue()
        self._events: SimpleQueue[_Event] = SimpleQueue()
        self._answers: SimpleQueue[Action | None] = SimpleQueue()
        self._asked = False
        self.outcome: Outcome | None = None
        self._thread = threading.Thread(target=self._play, daemon=True)
        self._thread.start()

    def begin(self, seat: int, deal: int, bot_seed: int) -> Observation | None:
        self._leave()
        order = _order(len(self._field.bots), seat)
        self._jobs.put(Job(MatchKey(1, 1, 1), deal, bot_seed, order))
        self.outcome = None
        return self._next()

    def answer(self, action: Action) -> Observation | None:
        self._answers.put(action)
        return self._next()

    def close(self) -> None:
        self._leave()
        self._jobs.put(None)
        self._thread.join()

    def _play(self) -> None:
        """Plays matches until the table is closed; runs in its thread."""
        resolved, (stand_in, *others) = self._field
        learner = msgspec.structs.replace(stand_in, person_ns=_PATIENCE_NS)

        def load(source: BotSource) -> Callable[[], Bot[Any]]:
            return self._sit_down if source is learner else resolved.load(source)

        try:
            settings = resolved.settings()
            with open_host(settings, (learner, *others), load, resolved.access) as host:
                while (job := self._jobs.get()) is not None:
                    (played,) = host.play([job], math.inf)
                    self._events.put(played.record.outcome)
        except BaseException as error:  # raised again where the environment is called
            self._events.put(error)

    def _sit_down(self) -> Bot[Any]:
        return _Asked(self._events, self._answers)

    def _next(self) -> Observation | None:
        event = self._events.get()
        self._asked = isinstance(event, Observation)
        if isinstance(event, BaseException):
            self._events.put(event)  # the thread has ended: there is nothing else to come
            raise event
        if isinstance(event, Outcome):
            self.outcome = event
            return None
        return event

    def _leave(self) -> None:
        while self._asked:
            self._answers.put(None)
            self._next()


class _Asked(Bot[Any]):
    """The learner's seat in a match of a host: hands on each question, and waits."""

    def __init__(self, events: SimpleQueue[_Event], answers: SimpleQueue[Action | None]) -> None:
        self._events, self._answers = events, answers

    def act(self, observation: Observation) -> Action:
        self._events.put(observation)
        answer = self._answers.get()
        if answer is None:
            raise LeftTable
        return answer

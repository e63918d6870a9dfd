"""Matches of a learner against bots, refereed as everywhere in Arena."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from os import PathLike, fspath
from typing import Any

from arena_results.file.database import existing_database

from arena.core.actions import Action
from arena.core.bot import Bot, MatchContext
from arena.core.chance.seeding import private_seeds
from arena.core.errors import BadInput
from arena.core.observation import Observation
from arena.core.outcome import Outcome
from arena.host.bot.inline import InlineSeat
from arena.match.play import play_match
from arena.match.requests import Referee, Seating, SeatRequest
from arena.plugins.registry import Registry
from arena.rl.faults import Faults
from arena.rl.rules import Rules, rules_of, with_view
from arena.rl.tables import LEARNER, Field, Table, seating
from arena.service.lookup.python_bots import AnyBot, PythonBot, named_bots
from arena.service.lookup.resolver import BotResolver
from arena.service.run.executors.endpoints import without_journal
from arena.service.setup.field import at_one_table
from arena.service.setup.resolve import resolve
from arena.service.storage.databases import database_url


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
        faults: What watches them while they play; it begins their matches.

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
        spare = [PythonBot(_Absent, f"{LEARNER}-{n}") for n in range(len(once), self.seats)]
        filled, absent = named_bots(spare)  # a field is as large as its table
        with ExitStack() as stack:
            store = existing_database(database_url(fspath(db))) if db is not None else None
            if store is not None:
                stack.enter_context(store)
            resolver = stack.enter_context(BotResolver(registry, store, local=[*local, *absent]))
            settled = at_one_table([*once, *filled], {**keys, "game": game})
            resolved = without_journal(resolve(resolver, settled, "arena.rl", _warn))
            self.rules: Rules = with_view(resolved.game, resolved.ruleset)
            self._field = Field(resolved, [once.index(name) for name in names])
            self.faults = Faults(self._field)
            self._open = stack.pop_all()
        for problem in registry.new_problems():
            _warn(problem)

    def tables(self, number: int) -> list[Table]:
        """Returns tables: in this process if all bots may run in it.

        They are left, and the processes of bots end, when the opponents are closed.
        """
        tables: list[Table]
        if all(bot.answered_by == "host" for bot in self._field.bots):
            tables = [InlineTable(self._field) for _ in range(number)]
            for table in tables:
                self._open.callback(table.close)
            return tables
        from arena.rl.confined import Hall, ProcessTable

        hall = Hall(self._field)
        self._open.callback(hall.close)
        return [ProcessTable(hall) for _ in range(number)]

    def close(self) -> None:
        """Ends the processes of the bots, and removes the files that were unpacked for them."""
        self._open.close()


def _warn(text: str) -> None:
    warnings.warn(text, stacklevel=4)


class _Absent(Bot[Any]):
    """Stands for the learner in the field; the table answers for it."""


class InlineTable:
    """A table of bots that run in this process; see ``Table``."""

    def __init__(self, field: Field) -> None:
        resolved, bots = field.resolved, field.bots
        self._settings = resolved.settings()
        self._makers = [resolved.load(bot) for bot in bots]
        self._names = [bot.participant.key for bot in bots]
        self._loadouts = [self._settings.loadout(bot) for bot in bots]
        self._loop: Referee | None = None
        self.outcome: Outcome | None = None

    def begin(self, seat: int, deal: int, bot_seed: int) -> Observation | None:
        self.close()
        settings, seats = self._settings, len(self._names)
        order = seating(seats, seat)
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

    def send(self, action: Action) -> None:
        self._action = action

    def receive(self) -> Observation | None:
        assert self._loop is not None
        try:
            request = self._loop.send((self._action, 0))
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

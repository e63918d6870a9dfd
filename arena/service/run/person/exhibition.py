"""Exhibition matches: a person against bots at one table, stored and verifiable, never rated."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeAlias

import msgspec
import trio
from arena_results.file.database import Database
from arena_results.schema.rows import Status
from arena_results.store.queries import summary

from arena.core.bot import Bot
from arena.core.errors import BadInput, HarnessFault
from arena.core.record import MatchKey
from arena.core.text.bot_names import PERSON
from arena.core.text.parsing import join_loadout
from arena.core.tournaments.format import EXHIBITION, Participant
from arena.plugins.options import option
from arena.plugins.registry import Registry
from arena.plugins.submissions.submission import check_name
from arena.service.answers.defaults import DECISION_SECONDS
from arena.service.answers.errors import COMMAND_LINE
from arena.service.lookup.isolation import Warn, ignore
from arena.service.lookup.python_bots import PERSON_CONTENT, LocalBot
from arena.service.lookup.resolver import BotResolver
from arena.service.match.person import HumanSeat
from arena.service.match.replays import Match, stored_match
from arena.service.run.executors.endpoints import calibrated
from arena.service.run.run import Run, begin, play
from arena.service.run.watching.progress import Progress
from arena.service.setup.field import at_one_table
from arena.service.setup.resolve import ResolvedTournament, resolve

OWN_KEYS = ("format", "games", "mirrored", "name")
"""Keys of a tournament that an exhibition sets itself."""

OnBegin: TypeAlias = Callable[[Run], object]
"""Gets the stored tournament before the first card is dealt, with the commitment to its key."""


class Seats(msgspec.Struct, frozen=True, kw_only=True):
    """The table of an exhibition match.

    Attributes:
        bots: Spellings of the bots, in the order of the seats that the person leaves.
        seat: The person's seat, from 0.
        name: The person's name, by the rule for bots.
        loadout: What the person brings, in the game's notation; empty to be asked.
        seconds: Time of the person for a decision.
    """

    bots: Sequence[str]
    seat: int = 0
    name: str = PERSON
    loadout: str = ""
    seconds: float = DECISION_SECONDS

    def field(self) -> list[str]:
        """The names as typed of all seats, in order.

        Raises:
            BadInput: There is no such seat, no bot, or the name cannot be used.
        """
        check_name(self.name, "1", "the person's name ")
        if not self.bots:
            raise BadInput("name at least one bot to play against")
        if not 0 <= self.seat <= len(self.bots):
            raise BadInput(f"there is no seat {self.seat}: seats are 0 to {len(self.bots)}")
        own = join_loadout(self.name, self.loadout) if self.loadout else self.name
        return [*self.bots[: self.seat], own, *self.bots[self.seat :]]

    def turned(self) -> Seats:
        """The table with everybody moved by one seat: of two they are swapped."""
        field = self.field()
        field = [*field[1:], field[0]]
        seat = (self.seat - 1) % len(field)
        bots = tuple(bot for number, bot in enumerate(field) if number != seat)
        return msgspec.structs.replace(self, bots=bots, seat=seat)


class Exhibition(msgspec.Struct, frozen=True):
    """A match of a person against bots, which is stored as a tournament of its own.

    Attributes:
        registry: Knows games and bots.
        database: Where it is stored.
        seats: Who sits where.
        keys: Keys of a tournament that concern one match.
        where: The source of the keys in errors.
        local: Bots of this program that the seats name.
        warn: Called when untrusted bots are not confined.
    """

    registry: Registry
    database: Database
    seats: Seats
    keys: Mapping[str, object]
    where: str = COMMAND_LINE
    local: Sequence[LocalBot] = ()
    warn: Warn = ignore

    def play(self, person: Bot[Any], on_begin: OnBegin = lambda run: None) -> Match:
        """Plays it; blocks until the match is over, with its loop of trio in this thread.

        Args:
            person: Asked like a bot, in a thread of its own (``HumanSeat``).
            on_begin: Called before the match.

        Raises:
            BadSpec: With every problem of the bots and the keys; nothing was stored.
            HarnessFault: The harness failed; the match counts nowhere.
        """
        with self._resolved(person) as resolved:
            run = trio.run(begin, self.database, resolved)
            on_begin(run)
            pace, lines = run.pace(), list[str]()
            pace.notice = lines.append
            trio.run(play, run, Progress(run.plan, run.stored.sums), pace)
        if summary(self.database, run.number).status is not Status.FINISHED:
            why = "".join(f": {line.removeprefix('pausing: ')}" for line in lines[-1:])
            raise HarnessFault(f"the match was stopped and counts nowhere{why}")
        return stored_match(self.registry, self.database, run.number, MatchKey(1, 1, 1))

    def check(self, *, asks: bool = False) -> float:
        """Checks all that ``play`` would refuse, and raises what that does; stores nothing.

        Args:
            asks: Whether language models are asked a first question, too.

        Returns:
            Dollars that the questions have cost, as far as it is known.
        """
        with self._resolved(HumanSeat()) as resolved:
            asked = trio.run(calibrated, resolved) if asks else []
        return sum(each.cost or 0.0 for each in asked)

    @contextmanager
    def _resolved(self, person: Bot[Any]) -> Iterator[ResolvedTournament]:
        for key in OWN_KEYS:
            if key in self.keys:
                raise BadInput(f"{option(key)}: not available for an exhibition match")
        fixed = {"format": EXHIBITION, "games": 1, "mirrored": False, "name": EXHIBITION}
        table = {**at_one_table(self.seats.field(), self.keys), **fixed}
        human = LocalBot(
            Participant(self.seats.name, "1", PERSON_CONTENT),
            lambda: person,
            person_ns=int(self.seats.seconds * 1_000_000_000),
        )
        local = [human, *self.local]
        with BotResolver(self.registry, self.database, local=local) as resolver:
            yield resolve(resolver, table, self.where, self.warn)

"""An answerer that waits, answers with the first legal action, and fails as it is told."""

from __future__ import annotations

from collections import Counter
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
import trio
from arena_results.file.database import Database
from arena_results.store.queries import tournament

from arena.core.errors import EndpointFailed
from arena.core.tournaments.format import Participant
from arena.host.play.endpoints import EndpointAccess
from arena.match.requests import Seating
from arena.plugins.endpoints.spec import Endpoint
from arena.plugins.entries import BotSource
from arena.plugins.registry import Registry
from arena.service.lookup.resolver import BotResolver
from arena.service.run.run import Run, play
from arena.service.run.watching.progress import Progress
from arena.service.setup.resolve import ResolvedTournament, resolve


def endpoint(name: str, parallel: int = 8) -> BotSource:
    """An entered endpoint, which nobody can reach."""
    spec = Endpoint(url="http://127.0.0.1:1/v1/chat/completions", model=name, parallel=parallel)
    participant = Participant(name, "1", "e" * 64)
    return BotSource("endpoint", "", {}, participant, f"file {name}.toml", endpoint=spec)


BOTS = ["random", "stand(at=17)", "stand(at=18)"]


class Answers:
    """Answers any number of endpoints; each question is asked once, as long as its answer arrives.

    Args:
        seconds: Time of a call.
        fails: Raises, or returns ``None``, by the number of the call.
        kept: A file that keeps what was asked and answered, over the end of the process.

    Attributes:
        asked: How often each question was asked.
        most: Most calls at a time.
    """

    def __init__(self, seconds=0.0, fails=lambda call: None, kept: Path | None = None) -> None:
        self.seconds, self.fails, self.kept = seconds, fails, kept
        self.asked, self.answered, self.calls, self.now, self.most = Counter(), set(), 0, 0, 0
        if kept and kept.exists():
            for line in kept.read_text().splitlines():
                kind, question = line.split(" ", 1)
                if kind == "asked":
                    self.asked[question] += 1
                else:
                    self.answered.add(question)

    @property
    def access(self) -> EndpointAccess:
        return EndpointAccess(self.open)

    @asynccontextmanager
    async def open(self):
        yield self

    def open_seat(self, entrant, match, context):
        return Seat(self, f"{match}/{context.seat}")

    async def ask(self, question: str) -> None:
        if question in self.answered:
            return
        self.calls += 1
        call = self.calls
        self.asked[question] += 1
        self.note("asked", question)
        self.now += 1
        self.most = max(self.most, self.now)
        try:
            await trio.sleep(self.seconds)
            self.fails(call)
        finally:
            self.now -= 1
        self.note("answered", question)
        self.answered.add(question)

    def note(self, kind: str, question: str) -> None:
        if self.kept:
            with self.kept.open("a") as file:
                file.write(f"{kind} {question}\n")


class Seat:
    def __init__(self, answers, name) -> None:
        self.answers, self.name, self.number = answers, name, 0

    async def answer(self, request):
        if type(request) is Seating:
            return None
        self.number += 1
        await self.answers.ask(f"{self.name}/{self.number}")
        return request.legal_actions[0]


def failing_each(nth: int):
    def fails(call: int) -> None:
        if call % nth == 0:
            raise EndpointFailed("gpt: HTTP 529", wait_seconds=0.0)

    return fails


def resolved(database: Database, **keys: object) -> ResolvedTournament:
    """A tournament of built-in bots, which have processes of their own."""
    keys = {"bots": BOTS, "isolation": "process", "confine_house": True, "games": 8, **keys}
    with BotResolver(Registry(), database) as resolver:
        return resolve(resolver, keys)


def with_endpoints(
    resolved: ResolvedTournament, endpoints: list[BotSource], answers: Answers
) -> ResolvedTournament:
    """The same with endpoints in place of its first bots."""
    bots = (*endpoints, *resolved.bots[len(endpoints) :])
    return msgspec.structs.replace(resolved, bots=bots, access=answers.access)


async def played_on(run: Run, answers: Answers | None = None, pace=None, progress=None):
    """Plays what is left of a run, with others' answers if some are given; returns them stored."""
    stored, resolved = tournament(run.database, run.number), run.resolved
    if answers:
        resolved = msgspec.structs.replace(resolved, access=answers.access)
    run = msgspec.structs.replace(run, stored=stored, resolved=resolved)
    await play(run, progress or Progress(run.plan, stored.sums), pace)
    return tournament(run.database, run.number)

"""A tournament at 50 simulated places, without processes: many fail, come late, or lie later."""

from __future__ import annotations

import re
import sys
from contextlib import asynccontextmanager
from functools import partial

import msgspec
import pytest
import trio
from arena_results.file.database import open_database
from arena_results.schema.rows import Status
from arena_results.store.places import places
from arena_results.store.queries import tournament

from arena.core.errors import PlaceFailed
from arena.core.tournaments import lanes
from arena.core.tournaments.executor import NoOptions
from arena.core.tournaments.lanes import Lanes
from arena.core.tournaments.wire import PlayedChunk, decode_matches, encode
from arena.plugins.registry import Registry
from arena.service.lookup.resolver import BotResolver
from arena.service.run.executors import checked
from arena.service.run.run import begin, play
from arena.service.run.watching.progress import Progress
from arena.service.setup.resolve import resolve
from tests.plugins.distributions import put_distribution

PLACES = 50
KINDS = {"dead": 3, "flaky": 4, "tardy": 3, "garbled": 3, "liar": 3, "late": 10}
"""Number of places by what is wrong with them; the others are good."""
LIES_AFTER = 1
"""Chunks that a liar plays well."""
KEYS = {"bots": ["random", "stand(at=17)", "stand(at=18)"], "games": 120, "seed": 7}


class Place:
    """A place; it plays in this process, and is busy for a moment."""

    def __init__(self, name: str, kind: str) -> None:
        self.name, self.kind, self.chunks, self.busy = name, kind, 0, False

    async def play(self, chunk, play) -> PlayedChunk:
        self.chunks, self.busy = self.chunks + 1, True
        try:
            await trio.sleep(0.005)
            return PlayedChunk(await self._answer(chunk, play), self.name)
        finally:
            self.busy = False

    async def _answer(self, chunk, play) -> bytes:
        if self.kind == "dead" or (self.kind == "flaky" and self.chunks % 2):
            raise PlaceFailed(self.name, "is lost")
        played = play(chunk.jobs, 0.002)
        if self.kind == "tardy" and self.chunks == 2:
            with trio.CancelScope(shield=True):  # it comes when nobody waits any more
                await trio.sleep(chunk.deadline + 2 * lanes.NAME_SECONDS)
        if self.kind == "garbled":
            return encode(decode_matches(played) * 2)
        if self.kind == "liar" and self.chunks > LIES_AFTER:
            return encode([forged(match) for match in decode_matches(played)])
        return played


def forged(match):
    outcome = match.record.outcome
    changed = msgspec.structs.replace(outcome, returns=outcome.returns[::-1])
    record = msgspec.structs.replace(match.record, outcome=changed)
    return msgspec.structs.replace(match, record=record)


class Simulated:
    """The kind of executor: the late places come when the others have played some chunks."""

    name, summary, options = "simulated", "places that are none", NoOptions

    def __init__(self) -> None:
        kinds = [kind for kind, number in KINDS.items() for _ in range(number)]
        kinds += ["good"] * (PLACES - len(kinds))
        self.places = [Place(f"{kind} {number}", kind) for number, kind in enumerate(kinds)]

    def there(self) -> list[Place]:
        chunks = sum(place.chunks for place in self.places)
        return [place for place in self.places if place.kind != "late" or chunks > PLACES]

    @asynccontextmanager
    async def open(self, work, options):
        async def play_chunk(chunk) -> PlayedChunk:
            while True:
                there = self.there()
                better = [place for place in there if place.name not in chunk.avoid] or there
                if free := [place for place in better if not place.busy]:
                    least = min(free, key=lambda place: place.chunks)
                    return await least.play(chunk, partial(work.play, work.setup))
                await trio.sleep(0.005)

        quick = msgspec.structs.replace(work, longest=0.5)
        yield Lanes(quick, play_chunk, lambda: len(self.there()), 0.002, late_seconds=2.0)


@pytest.fixture
def database(tmp_path, monkeypatch):
    put_distribution(
        tmp_path / "site",
        "arena-simulated",
        {"arena": {"simulated": "arena_simulated"}},
        {
            "arena_simulated.py": f"from {__name__} import Simulated\n"
            "def arena_executors(): return [Simulated()]\n"
        },
    )
    monkeypatch.syspath_prepend(tmp_path / "site")
    monkeypatch.setattr(lanes, "MAX_WAIT_SECONDS", 0.2)
    monkeypatch.setattr(lanes, "TRIES", 8)  # with so many bad places a match may meet several
    monkeypatch.setattr(lanes, "NAME_SECONDS", 0.05)
    monkeypatch.setattr(checked, "SHARE", 1)
    with open_database(f"sqlite:///{tmp_path}/many.db") as database:
        yield database
    sys.modules.pop("arena_simulated", None)


async def play_to_the_end(database, **keys):
    """Plays the tournament; returns it as stored, and the lines about places."""
    lines = []
    with BotResolver(Registry(), database) as resolver:
        resolved = await trio.to_thread.run_sync(resolve, resolver, KEYS | keys)
        run = await begin(database, resolved)
        pace = run.pace()
        pace.notice = lines.append
        await play(run, Progress(run.plan), pace)
    return tournament(database, run.number), lines


async def test_fifty_places_play_each_match_once_and_as_this_machine(database):
    local, _ = await play_to_the_end(database)
    stored, lines = await play_to_the_end(database, executor="simulated")
    assert stored.summary.status is Status.FINISHED
    assert (stored.chain, stored.void) == (local.chain, ())
    assert stored.summary.matches == 3 * KEYS["games"]
    caught = {re.findall(r"place (liar \d+) is not", line)[0] for line in lines}
    assert len(caught) == len(lines) == KINDS["liar"]
    trusted = {place for place in places(database, stored.summary.id) if place}
    kinds = {place.partition(" ")[0] for place in trusted}
    assert kinds >= {"good", "flaky", "late", "liar", "tardy"}
    assert not kinds & {"dead", "garbled"}

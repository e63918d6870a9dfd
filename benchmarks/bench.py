"""Measures the cost of a match: matches/s per core, µs a decision, storage, two workers, start-up.

Run by ``make bench``. Figures of one core are medians in processor time, with their ratio to the
calibration loop (``benchmarks.timing``), by which machines compare; those of worker processes
are the fastest run by the clock. Quote ratios, as the machine may be shared. Threshold bots (stand
at 17 against stand at 16), standard rules, everything on: views, legality, clock, seeding, records.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import trio
from arena_results.file.database import open_database
from arena_results.schema.rows import EntryRow, NewTournament
from arena_results.store.store import Store
from arena_tournaments.executors.local import open_local_executor
from arena_tournaments.play.runner import Storage

from arena.core.record import PlayedMatch
from arena.core.tournaments.executor import Pace, Work
from arena.core.tournaments.format import Job
from arena.core.tournaments.lanes import Lanes
from arena.core.tournaments.wire import decode_matches, encode
from arena.host.play.worker import Setup, play_chunk, start_worker
from arena.match.limits import Limits
from arena.plugins.entries import BotSource
from arena.plugins.loading import load_bot
from arena.plugins.registry import Registry
from arena.service.answers.engine import engine
from benchmarks.measuring import jobs_of_round, one_pairing
from benchmarks.timing import RUNS, best, print_calibration, speed

MATCHES = 6_000
"""Matches of one timed run."""


def threshold_bots() -> tuple[BotSource, ...]:
    """The two bots of every figure."""
    registry = Registry()
    return tuple(registry.resolve_bot(name) for name in ("stand(at=17)", "stand(at=16)"))


def one_core(bots: tuple[BotSource, ...], setup: bytes, jobs: bytes) -> None:
    """In memory, in this process."""
    matches = decode_matches(play_chunk(setup, jobs))
    decisions = sum(sum(match.measurement.requests) - 2 for match in matches)
    found = speed(lambda: play_chunk(setup, jobs), MATCHES)
    seconds = MATCHES / found.rate
    calls = decisions // 2
    makers = [load_bot(bot) for bot in bots]
    acts = [make().act for make in makers]
    seen = _observations(calls)
    bare = best(lambda: [act(o) for act in acts for o in seen])
    print(f"in memory, one core     {found.rate:10,.0f} matches/s, {found.ratio:,.0f} a loop")
    print(f"a decision              {seconds / decisions * 1e6:10.2f} µs, everything on")
    print(f"the two bots bare       {bare / decisions * 1e6:10.2f} µs a decision")
    print(f"decisions a match       {decisions / MATCHES:10.1f}")


def _observations(number: int) -> list[object]:
    """As many real observations as one bot of the pair answers."""
    from arena.core.chance.dealer import SeatStreams
    from arena.games.pazaak.game import Pazaak

    game = Pazaak()
    rules = game.ruleset()
    deck = game.loadouts.accept(rules, None)
    states = (game.new_state(rules, (deck, deck), SeatStreams(seed)) for seed in range(500))
    some = [state.observation(state.current_player()) for state in states]
    return [some[index % len(some)] for index in range(number)]


async def pool(
    setup: bytes, workers: int, store: bool, folder: Path, bots: tuple[BotSource, ...]
) -> float:
    """Matches a second with that many workers, in memory or stored, workers warm."""
    games = 12 * MATCHES
    made = one_pairing(2)
    storage = None
    if store:
        database = open_database(f"sqlite:///{folder / f'bench{workers}-{time.time_ns()}.db'}")
        new = NewTournament(
            name="bench", game="pazaak", ruleset="standard", engine="1", format="round-robin",
            games=games, mirrored=True, rounds=1, seed=7,
        )  # fmt: skip
        writer = Store(database)
        number = await writer.create_tournament(new, [EntryRow(bot.participant) for bot in bots])
        await writer.save_round(number, made)
        storage = writer.sink(number)
    work = Work(play=play_chunk, setup=setup, pace=Pace(workers), start_worker=start_worker)
    async with open_local_executor(work) as executor:
        await _drain(executor, jobs_of_round(made, 200), None)
        began = time.perf_counter()
        await _drain(executor, jobs_of_round(made, games), storage)
        return games / (time.perf_counter() - began)


async def _drain(executor: Lanes, jobs: Sequence[Job], storage: Storage | None) -> None:
    send, receive = trio.open_memory_channel[list[PlayedMatch]](0)
    async with trio.open_nursery() as nursery, receive:
        nursery.start_soon(executor.play, jobs, send)
        async for matches in receive:
            if storage is not None:
                await storage.write(matches)


def start_up(label: str, *arguments: str) -> None:
    """Prints the time of one command, from start to exit."""
    command = [str(Path(sys.executable).with_name("arena")), *arguments]
    work = partial(subprocess.run, command, stdout=subprocess.DEVNULL, check=True)
    print(f"{label:23} {best(work) * 1000:10.0f} ms, {speed(work, 1).ratio:.2f} a loop")


def main() -> None:
    """Prints every figure."""
    bots = threshold_bots()
    setup = Setup("pazaak", "standard", bots, Limits()).to_bytes()
    jobs = encode(jobs_of_round(one_pairing(2), MATCHES))
    print(f"Python {sys.version.split()[0]}, {engine()}, {RUNS} runs of {MATCHES:,} matches")
    print_calibration()
    one_core(bots, setup, jobs)
    with tempfile.TemporaryDirectory() as folder:
        for store, label in ((False, "in memory"), (True, "stored")):
            rates = [
                max(trio.run(pool, setup, workers, store, Path(folder), bots) for _ in range(2))
                for workers in (1, 2)
            ]
            ratio = rates[1] / rates[0]
            print(f"{label + ', 1 worker':23} {rates[0]:10,.0f} matches/s")
            print(f"{label + ', 2 workers':23} {rates[1]:10,.0f} matches/s ({ratio:.2f}x)")
    cases = Path(__file__).parents[1] / "tests" / "conformance" / "data" / "pazaak.json"
    start_up("arena --help", "--help")
    start_up("arena check cases", "check", "cases", str(cases))


if __name__ == "__main__":
    main()

"""The parts about the web site: pages of large results, and pages that stay open."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import trio
from arena_results.file.database import open_database
from arena_results.store.store import Store

import benchmarks.web
from benchmarks.scaling.filling import fill
from benchmarks.scaling.parts import Measured
from benchmarks.web import Bench, memory, used, write

FIELD, ROUNDS = 100, 10
"""Bots and rounds of a large tournament: 500 pairings."""
READY = "/events"
"""Address that is visited first, as the server loads modules for its first page."""
PAGES = {
    "leaderboard": "/g/pazaak/standard",
    "home": "/",
    "tournament": "/t/1",
    "rounds": "/t/1/rounds",
    "matches": "/t/1/matches",
    "bot": "/b/bot-00001",
}
"""Addresses of the pages."""
SECONDS = 8.0
"""Time of the clock for which listeners are served."""


def of_matches(matches: int) -> Measured:
    """Measures the first visit of each page, when nothing is cached, in processor time."""
    with TemporaryDirectory() as folder:
        database = f"sqlite:///{folder}/pages.db"
        with open_database(database) as opened:
            fill(opened, FIELD, ROUNDS, matches // (FIELD // 2) // ROUNDS)
        with served(database) as (port, process):
            bench = Bench(port)
            trio.run(bench.seconds, READY)
            for name, address in PAGES.items():
                before = of_all(process)
                trio.run(bench.seconds, address)
                yield name, of_all(process) - before


def of_listeners(listeners: int) -> Measured:
    """Measures the server's share of a processor while open pages get 5 events per second each."""
    with TemporaryDirectory() as folder:
        database = f"sqlite:///{folder}/live.db"
        trio.run(_fill_live, database)
        with served(database) as (port, process):
            before = memory(process)
            busy, after = trio.run(_listened, database, port, process, listeners)
            yield "server busy", busy
            yield "memory", max(1, after - before) * 1024.0**2


async def _fill_live(database: str) -> None:
    """Stores two tournaments: the second is unfinished, and gets matches."""
    with open_database(database) as results:
        writer = Store(results)
        for _ in range(2):
            number, _field = await benchmarks.web.begin(writer, 4, 1)
            await writer.save_round(
                number, benchmarks.web.Round(1, (benchmarks.web.Pairing((0, 1)),))
            )


async def _listened(database: str, port: int, process: int, listeners: int) -> tuple[float, int]:
    bench = Bench(port)
    async with trio.open_nursery() as nursery:
        for _ in range(listeners):
            await nursery.start(bench.listen)
        nursery.start_soon(write, database)
        began, worked, events = perf_counter(), of_all(process), bench.events
        await trio.sleep(SECONDS)
        busy = (of_all(process) - worked) / (perf_counter() - began)
        assert bench.events > events
        nursery.cancel_scope.cancel()
    return busy, memory(process)


@contextmanager
def served(database: str) -> Iterator[tuple[int, int]]:
    """Serves a database; gives the port and the process."""
    command = [sys.executable, benchmarks.web.__file__, "serve", database]
    one = os.environ | {"OPENBLAS_NUM_THREADS": "1"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=one) as server:
        assert server.stdout is not None
        try:
            yield int(server.stdout.readline().strip().rstrip("/").rpartition(":")[2]), server.pid
        finally:
            server.send_signal(signal.SIGTERM)


def of_all(process: int) -> float:
    """Returns the processor seconds of a process and of every process that it started."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    ended = (int(fields[13]) + int(fields[14])) / os.sysconf("SC_CLK_TCK")
    children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    return used(process)[1] + ended + sum(map(of_all, map(int, children)))

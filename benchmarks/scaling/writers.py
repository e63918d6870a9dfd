"""The part about writers: processes that store tournaments of their own on one PostgreSQL server.

Each stores real rows in transactions as a run has them, with checksums and sums. The server is a
new one in a folder on the disk, for which it waits at each commit.
"""

from __future__ import annotations

from multiprocessing import get_context
from multiprocessing.synchronize import Barrier
from time import perf_counter

from arena_results.file.database import open_database

from benchmarks.scaling.filling import fill, pool
from benchmarks.scaling.parts import Measured
from tests.postgres_server import PostgresServer

BOTS, ROUNDS, GAMES = 20, 10, 400
MATCHES = BOTS // 2 * ROUNDS * GAMES
"""Matches that each writer stores."""


def write(url: str, ready: Barrier) -> None:
    """Stores a tournament, when all are ready."""
    with open_database(url) as database:
        pool()
        ready.wait()
        fill(database, BOTS, ROUNDS, GAMES)


def of_writers(writers: int) -> Measured:
    """Measures what that many processes store together in a second of the clock."""
    context = get_context("spawn")
    ready = context.Barrier(writers + 1)
    with PostgresServer(in_memory=False) as server:
        url = server.filled()
        started = [context.Process(target=write, args=(url, ready)) for _ in range(writers)]
        for each in started:
            each.start()
        ready.wait()
        began = perf_counter()
        for each in started:
            each.join()
        spent = perf_counter() - began
    assert not any(each.exitcode for each in started)
    yield "stored per second", writers * MATCHES / spent
    yield "by each", MATCHES / spent

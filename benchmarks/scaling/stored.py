"""Parts about stored results: matches, pairings, bots on a board, transactions, verification."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from itertools import islice
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

from arena_results.boards.leaderboard import Asked, boards
from arena_results.file.database import Database, open_database
from arena_results.store.queries import tournament, tournaments

import arena
from arena.plugins.registry import Registry
from arena.service.match.listing import Wanted, find_matches
from arena.service.report.report import make_report
from arena.service.report.tables.documents import document
from arena.service.setup.decoded import decode
from benchmarks.scaling.filling import Filled, fill
from benchmarks.scaling.pairing import paired_after
from benchmarks.scaling.parts import Measured

BOARDS, ROUNDS = 10, 5
"""Pairings of a round, and rounds, where the number of matches alone grows."""
FIELD = 1_000
"""Bots where the number of pairings grows."""
MET = 10
"""Opponents of each bot where the number of bots grows."""
PAGE = 50
"""Rows of a page of a list."""
MAX_STORED = 20_000
"""Matches that are stored in transactions of each size, at most."""
STORING = {"stored per second": "", "bytes per match": "B"}
READING = dict.fromkeys(
    ("list of tournaments", "report", "leaderboard", "first page of matches"), "s"
)
"""Measures of ``of_matches`` and ``of_pairings``, with their units."""


def seconds(work: Callable[[], object]) -> float:
    """Returns the processor seconds of work."""
    began = process_time()
    work()
    return process_time() - began


@contextmanager
def filled(bots: int, rounds: int, games: int) -> Iterator[tuple[Database, Filled, Path]]:
    """Fills a database; gives it, the times of that, and its file."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "scale.db")
        with open_database(f"sqlite:///{path}") as database:
            went = fill(database, bots, rounds, games)
        with open_database(f"sqlite:///{path}") as database:
            yield database, went, path


def of_matches(matches: int) -> Measured:
    """Measures what grows with the matches of 50 pairings."""
    with filled(2 * BOARDS, ROUNDS, matches // BOARDS // ROUNDS) as (database, went, path):
        yield "stored per second", went.rows / went.seconds
        yield "bytes per match", _size(path) / went.rows
        yield "closing a round", went.closing
        yield from _read(database)
        yield "backup", _backup(path)


def of_pairings(pairings: int) -> Measured:
    """Measures what grows with the pairings of 1,000 bots, with two matches each."""
    with filled(FIELD, pairings // (FIELD // 2), 2) as (database, went, path):
        yield "stored per second", went.rows / went.seconds
        yield "bytes per match", _size(path) / went.rows
        yield from _read(database)


def of_bots(bots: int) -> Measured:
    """Measures what grows with the bots of a leaderboard, each with 10 opponents."""
    with filled(bots, MET, 2) as (database, _, _):
        before = _peak()
        yield "leaderboard", seconds(lambda: boards(database, Asked()))
        yield "memory", _peak() - before
        yield "report", seconds(lambda: _report(database))


def _size(path: Path) -> int:
    """Returns the bytes that a database has more than an empty one."""
    empty = path.with_name("empty.db")
    open_database(f"sqlite:///{empty}").close()
    return path.stat().st_size - empty.stat().st_size


def _backup(path: Path) -> float:
    """Returns the seconds of the clock that a copy of a database takes, while it is in use."""
    began = perf_counter()
    with (
        closing(sqlite3.connect(path)) as one,
        closing(sqlite3.connect(path.with_name("copy.db"))) as other,
    ):
        one.backup(other)
    return perf_counter() - began


def of_rounds(rounds: int) -> Measured:
    """Measures what grows with the rounds of a league, of one pairing each."""
    with filled(2, rounds, 2) as (database, went, _):
        yield "closing a round", went.closing
        yield "report", seconds(lambda: _report(database))
    yield "pairing the next", paired_after(rounds)


def _report(database: Database) -> None:
    document(make_report(decode(Registry(), tournament(database, 1))))


def _read(database: Database) -> Measured:
    yield "list of tournaments", seconds(lambda: tournaments(database))
    yield "report", seconds(lambda: _report(database))
    yield "leaderboard", seconds(lambda: boards(database, Asked()))
    yield "first page of matches", seconds(lambda: _page(database))


def _page(database: Database) -> None:
    _, rows = find_matches(database, Wanted(tournament=1))
    assert len(list(islice(rows, PAGE))) == PAGE
    rows.close()


def _peak() -> float:
    return getrusage(RUSAGE_SELF).ru_maxrss * 1024.0


def of_transactions(rows: int) -> Measured:
    """Measures transactions of a number of matches, of 10 pairings."""
    count = max(BOARDS * ROUNDS, min(MAX_STORED, 500 * rows))
    with TemporaryDirectory() as folder, open_database(f"sqlite:///{folder}/scale.db") as database:
        went = fill(database, 2 * BOARDS, ROUNDS, count // BOARDS // ROUNDS, rows)
    yield "a transaction", went.seconds / went.rows * rows
    yield "with the disk", went.waited / went.rows * rows
    yield "per second", went.rows / went.waited


def of_verification(matches: int) -> Measured:
    """Measures the verification of a tournament that was really played."""
    with TemporaryDirectory() as folder:
        file = Path(folder, "scale.db")
        with arena.open_database(file) as results:
            played = results.run(
                ["stand(at=17)", "stand(at=16)", "counter", "random"],
                game="pazaak", games=matches // 6, seed=7, concurrency=1,
            )  # fmt: skip
            number = played.number
        spent = seconds(lambda: arena.verify_tournament(number, db=file))
    yield "verified", spent
    yield "per match", spent / matches

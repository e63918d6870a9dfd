"""Suite-wide: which tests share a process, which run alone, and that CI allows no skips."""

from __future__ import annotations

import gc
import inspect
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from fcntl import LOCK_EX, LOCK_SH, LOCK_UN, flock
from functools import cache
from pathlib import Path
from unittest.mock import patch

import pytest
import trio_parallel
from arena_bots.search.information_set_mcts import InformationSetMcts
from arena_results.file import local_file
from xdist.scheduler import LoadScopeScheduling

from tests.forked_uploads import forked_uploads
from tests.forked_workers import forked_workers
from tests.postgres_server import QUICK, PostgresServer
from tests.preloaded import Preloaded

pytest_plugins = ("tests.sizes",)
TESTS = Path(__file__).parent
ENVIRONMENT = dict(os.environ)
"""The environment of the session, before a test changes it."""
TOGETHER = ("tests/isolation/",)
"""Folders that one process runs in order: their bots leave files in public places."""
FIRST = ("tests/isolation/", "tests/host/", "tests/cli/")
"""Folders of long tests, which begin the run so that none of them ends it alone."""
LAST = "tests/web/"
"""A folder whose browser leaves an event loop running in its process, beside which none can run."""
PROCESSORS = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else {0}
"""The processors that this process was given; see ``_stay_on``."""
SYNCHRONOUS = local_file.SYNCHRONOUS
"""The mode of waiting for the disk, where tests do not change it."""
SPAWNED_WORKERS = trio_parallel.open_worker_context
LOCKS = pytest.StashKey[ExitStack]()
"""The locks that this process holds during a test, or during serial ones that follow each other."""


class ByFile(LoadScopeScheduling):
    """Gives each process whole files, whose fixtures are then made once, in the given order."""

    def _split_scope(self, nodeid: str) -> str:
        for folder in TOGETHER:
            if nodeid.startswith(folder):
                return folder
        return nodeid.partition("::")[0]


def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> ByFile:
    config.option.loadscopereorder = False
    return ByFile(config, log)


def pytest_configure(config: pytest.Config) -> None:
    """Resets the signals that the caller may ignore (a job in the background, ``nohup``).

    The processes that tests start inherit it: the effect of a signal is what they test.
    """
    config.addinivalue_line("markers", "serial: runs while no other test runs")
    config.addinivalue_line("markers", "on_files: results in a file alone, not also on a server")
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for number in (signal.SIGHUP, signal.SIGQUIT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)


def _share(item: pytest.Item) -> set[int]:
    """Returns the processors that a test may use, where several processes run tests: its own one.

    A tournament has a worker process for each, unless the test says how many: so it starts no more
    than it can use. Hostile bots, and what runs alone, have the whole machine.
    """
    number = os.environ.get("PYTEST_XDIST_WORKER", "").removeprefix("gw")
    if not number or _is_serial(item) or item.nodeid.startswith(TOGETHER):
        return PROCESSORS
    return {sorted(PROCESSORS)[int(number) % len(PROCESSORS)]}


def _stay_on(processors: set[int]) -> None:
    """Keeps this process and those that it starts on these processors."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, processors)


def _is_serial(item: pytest.Item | None) -> bool:
    return item is not None and item.get_closest_marker("serial") is not None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Sorts the tests: those that run alone, the long ones, the rest, those in a browser."""
    ranks = {folder: rank for rank, folder in enumerate((*FIRST, "others", LAST))}

    def place(item: pytest.Item) -> tuple[bool, int]:
        folder = "/".join(item.nodeid.split("/")[:2]) + "/"
        return not _is_serial(item), ranks.get(folder, len(FIRST))

    items.sort(key=place)


def pytest_collection() -> None:
    gc.disable()


def pytest_collection_finish() -> None:
    """Keeps the collected tests, half a million objects, out of every later garbage collection."""
    gc.freeze()
    gc.enable()


@contextmanager
def _locked(path: Path, how: int) -> Iterator[None]:
    """Holds an advisory lock on a file; forked children do not prolong it."""
    file = os.open(path, os.O_RDONLY)
    try:
        flock(file, how)
        yield
    finally:
        flock(file, LOCK_UN)
        os.close(file)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None):
    """Runs tests beside those of other processes, and serial ones alone, in one go.

    Whoever waits to be alone holds the entrance, so that nobody overtakes it.
    """
    how = LOCK_EX if _is_serial(item) else LOCK_SH
    if LOCKS not in item.config.stash:
        item.config.stash[LOCKS] = inside = ExitStack()
        with _locked(TESTS / "__init__.py", how):
            inside.enter_context(_locked(TESTS / "conftest.py", how))
    _stay_on(_share(item))
    try:
        return (yield)
    finally:
        if not (_is_serial(item) and _is_serial(nextitem)):
            item.config.stash[LOCKS].close()
            del item.config.stash[LOCKS]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]):
    report = yield
    if report.skipped and item.config.getoption("--require-all"):
        report.outcome = "failed"
        report.longrepr = f"skipped, but everything is required: {report.longrepr}"
    return report


@pytest.fixture(scope="session")
def loaded() -> Iterator[Callable[[], Preloaded]]:
    """Gives the process that has the harness loaded, which is started for the first that asks."""
    with ExitStack() as stack:

        @cache
        def start() -> Preloaded:
            process = Preloaded(sys.executable, ENVIRONMENT, {})
            stack.callback(process.close)
            return process

        yield start


@pytest.fixture(scope="session")
def preloaded(loaded: Callable[[], Preloaded]) -> Preloaded:
    """Starts commands as forks of a process that has the harness loaded."""
    return loaded()


@pytest.fixture(scope="session", autouse=True)
def workers(loaded: Callable[[], Preloaded]) -> Iterator[None]:
    """Has worker processes of tournaments be such forks, too."""
    with forked_workers(loaded):
        yield


@pytest.fixture(scope="session", autouse=True)
def no_waits_for_the_disk() -> Iterator[None]:
    """Has SQLite leave it to the system when files reach the disk: no test cuts the power.

    A process that is killed loses nothing either way. Processes that are neither this one nor such
    forks wait.
    """
    with patch.object(local_file, "SYNCHRONOUS", "OFF"):
        yield


@pytest.fixture(scope="session")
def started_postgres() -> Iterator[Callable[[], PostgresServer]]:
    """Gives the PostgreSQL server of this process, which is started for the first that asks."""
    with ExitStack() as stack:

        @cache
        def start() -> PostgresServer:
            return stack.enter_context(PostgresServer(*QUICK))

        yield start


@pytest.fixture
def postgres(started_postgres: Callable[[], PostgresServer]) -> PostgresServer:
    """A PostgreSQL server, on which a test makes databases."""
    return started_postgres()


@pytest.fixture
def waits_for_the_disk() -> Iterator[None]:
    """Has it wait, as users have it."""
    with patch.object(local_file, "SYNCHRONOUS", SYNCHRONOUS):
        yield


@pytest.fixture(scope="module")
def uploads_as_forks(loaded: Callable[[], Preloaded]) -> Iterator[None]:
    """Has submissions to leagues be decided in such forks."""
    with forked_uploads(loaded):
        yield


@pytest.fixture
def spawned_workers() -> Iterator[None]:
    """Has them be processes of their own, for tests of their start."""
    with patch.object(trio_parallel, "open_worker_context", SPAWNED_WORKERS):
        yield


@pytest.fixture(scope="module")
def shallow_search() -> Iterator[None]:
    """Has the house bot that searches look at few playouts, where its strength is no subject.

    A submitted bot is qualified against it: most of the time of a submission.
    """
    values = inspect.signature(InformationSetMcts).parameters.values()
    few = {"iterations": 4, "worlds": 2}
    defaults = tuple(few.get(value.name, value.default) for value in values)
    with patch.object(InformationSetMcts.__init__, "__defaults__", defaults):
        yield

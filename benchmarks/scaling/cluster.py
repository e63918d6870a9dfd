"""The part about a cluster: the same tournament on this machine and on a Dask cluster here.

Scheduler, workers and runner are real processes, and so are the certificates. Two workers of one
slot each play what two worker processes of this machine play. All processor time is counted: of
the runner, the scheduler, the workers and the processes that these start. A first tournament by
each compiles their modules to bytecode, as an installation has them.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from tempfile import TemporaryDirectory

import psutil
from arena_results.file.database import open_database
from arena_results.schema.rows import Status
from arena_results.store.queries import tournament

from benchmarks.scaling.parts import Measured
from tests.dask.clusters import Cluster, wait_for
from tests.plugins.distributions import install_extension
from tests.preloaded import Preloaded

ARENA = str(Path(sys.executable).with_name("arena"))
FIELD = ("random", "stand(at=17)")
HERE = ("--concurrency", "2")
WARM = 1_000
"""Matches of the first tournament, which is not measured; some of them are played again here."""
UNITS = {"here": "s", "on a cluster": "s", "ratio": ""}
"""Measures of ``of_matches``, with their units."""


def of_matches(matches: int) -> Measured:
    """Measures the processor time of a tournament here and on a cluster."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        environment = {
            **os.environ,
            "PYTHONPATH": str(install_extension("arena-dask", folder / "site")),
            "PYTHONDONTWRITEBYTECODE": "",
            "DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "False",  # as the guide has it
        }
        preloaded = Preloaded(sys.executable, environment, {})
        with closing(preloaded), closing(Cluster(folder, environment, preloaded)) as cluster:
            cluster.restore()
            for number, words in enumerate((HERE, ("--executor", cluster.executor))):
                _run(folder / f"first{number}.db", environment, WARM, *words)
            wait_for(lambda: not cluster.slots())
            here, chain = _run(folder / "here.db", environment, matches, *HERE)
            before = _spent(cluster)
            there, same = _run(
                folder / "there.db", environment, matches, "--executor", cluster.executor
            )
            wait_for(lambda: not cluster.slots())
            there += _spent(cluster) - before
            assert chain == same
    yield from {"here": here, "on a cluster": there, "ratio": there / here}.items()


def _run(
    file: Path, environment: dict[str, str], matches: int, *words: str
) -> tuple[float, str | None]:
    """Plays a tournament; returns the processor time of the runner, and the chain."""
    before = _children()
    bots = [word for bot in FIELD for word in ("--bot", bot)]
    command = [ARENA, "tournament", "run", *bots, "--seed", "7", "--games", str(matches), *words]
    subprocess.run(
        command,
        env={**environment, "ARENA_DB": f"sqlite:///{file}"},
        stdout=subprocess.DEVNULL,
        check=True,
    )
    spent = _children() - before
    with open_database(f"sqlite:///{file}") as database:
        stored = tournament(database, 1)
    assert stored.summary.status is Status.FINISHED
    return spent, stored.chain


def _children() -> float:
    used = getrusage(RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _spent(cluster: Cluster) -> float:
    """Returns the processor time of a cluster, with all processes that it has ended."""

    def times() -> Iterator[float]:
        for each in (cluster.scheduler, *cluster.workers):
            yield from psutil.Process(each.pid).cpu_times()[:4]

    return sum(times())

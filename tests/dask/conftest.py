"""Fixtures: the extension as an installed distribution, and a cluster of two workers."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.dask.clusters import Cluster, wait_for
from tests.dask.runs import Runs
from tests.plugins.distributions import install_extension
from tests.preloaded import Preloaded

LOADS = "import arena_dask.executor, arena_dask.worker, distributed.cli.dask_worker"
"""The modules that runners and workers need."""


@pytest.fixture(scope="session")
def dask_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder into which the extension is installed."""
    pytest.importorskip("distributed")
    return install_extension("arena-dask", tmp_path_factory.mktemp("dask") / "site")


@pytest.fixture(scope="session")
def environment(dask_site: Path) -> dict[str, str]:
    """The environment of processes for which the extension is installed."""
    return {**os.environ, "PYTHONPATH": str(dask_site)}


@pytest.fixture(scope="session")
def with_dask(environment: dict[str, str]) -> Iterator[Preloaded]:
    """Starts commands as forks of a process that has Dask loaded, too."""
    process = Preloaded(sys.executable, environment, {}, LOADS)
    yield process
    process.close()


@pytest.fixture(scope="session")
def shared_cluster(
    environment: dict[str, str], with_dask: Preloaded, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Cluster]:
    """The cluster of this process."""
    made = Cluster(tmp_path_factory.mktemp("cluster"), environment, with_dask)
    try:
        yield made
    finally:
        made.close()


@pytest.fixture
def cluster(shared_cluster: Cluster) -> Iterator[Cluster]:
    """A scheduler with two workers, whatever the test before has done; a test may do anything."""
    shared_cluster.restore()
    yield shared_cluster
    shared_cluster.thaw()
    wait_for(lambda: not shared_cluster.slots())
    assert not [each for each in shared_cluster.cached() if each.name.startswith(".")]


@pytest.fixture
def runs(tmp_path: Path, environment: dict[str, str], with_dask: Preloaded) -> Runs:
    """Runs tournaments in a folder of the test's own."""
    return Runs(tmp_path, environment, with_dask)


@pytest.fixture(scope="session")
def local_chain(
    tmp_path_factory: pytest.TempPathFactory, environment: dict[str, str], with_dask: Preloaded
) -> str:
    """The chain of the usual tournament, played on this machine."""
    local = Runs(tmp_path_factory.mktemp("local"), environment, with_dask)
    local.begin().wait()
    return local.chain()

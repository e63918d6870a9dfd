"""Fixtures: the extension as an installed distribution, and a cluster of two workers."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.dask.clusters import Cluster, wait_for
from tests.dask.runs import Runs

EXTENSION = Path(__file__).parents[2] / "extensions" / "arena-dask"
PIP = "--quiet --disable-pip-version-check --no-deps --no-build-isolation --no-index"


@pytest.fixture(scope="session")
def dask_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder into which the extension is installed."""
    pytest.importorskip("distributed")
    target = tmp_path_factory.mktemp("dask-site")
    pip = [sys.executable, "-m", "pip", "install", *PIP.split(), "--target", target]
    subprocess.run([*pip, EXTENSION], check=True)
    return target


@pytest.fixture(scope="session")
def environment(dask_site: Path) -> dict[str, str]:
    """The environment of processes for which the extension is installed."""
    return {**os.environ, "PYTHONPATH": str(dask_site)}


@pytest.fixture(scope="session")
def shared_cluster(
    environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Cluster]:
    """The cluster of this process."""
    made = Cluster(tmp_path_factory.mktemp("cluster"), environment)
    try:
        yield made
    finally:
        made.close()


@pytest.fixture
def cluster(shared_cluster: Cluster) -> Iterator[Cluster]:
    """A scheduler with two workers, whatever the test before has done; a test may do anything."""
    shared_cluster.restore()
    yield shared_cluster
    wait_for(lambda: not shared_cluster.slots())
    assert not [each for each in shared_cluster.cached() if each.name.startswith(".")]


@pytest.fixture
def runs(tmp_path: Path, environment: dict[str, str]) -> Runs:
    """Runs tournaments in a folder of the test's own."""
    return Runs(tmp_path, environment)


@pytest.fixture(scope="session")
def local_chain(tmp_path_factory: pytest.TempPathFactory, environment: dict[str, str]) -> str:
    """The chain of the usual tournament, played on this machine."""
    local = Runs(tmp_path_factory.mktemp("local"), environment)
    with local.begin() as process:
        process.wait(120)
    return local.chain()

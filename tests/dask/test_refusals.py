"""A cluster refuses strangers, and the executor is built on the contract alone."""

from __future__ import annotations

import ast
import shutil
import socket
from pathlib import Path

import pytest

from tests.dask.clusters import wait_for

ROOT = Path(__file__).parents[2]
CODE = ROOT / "extensions" / "arena-dask" / "arena_dask"
RAY = ROOT / "examples" / "arena-executor-ray" / "arena_executor_ray" / "__init__.py"
NO_PROGRAMS = "import os; os.environ['PATH'] = ''"
OTHER = "the wait is another one; a bad certificate is tried every day"


def test_the_executor_is_short_and_uses_the_contract_alone():
    assert len((CODE / "executor.py").read_text().splitlines()) < 150
    assert len([line for line in RAY.read_text().splitlines() if line.strip()]) <= 80
    for file in (*CODE.glob("*.py"), RAY):
        nodes = list(ast.walk(ast.parse(file.read_text())))
        lines = [node for node in nodes if isinstance(node, ast.ImportFrom)]
        modules = [str(line.module) for line in lines]
        modules += [
            each.name for node in nodes if isinstance(node, ast.Import) for each in node.names
        ]
        ours = {name for name in modules if name.partition(".")[0] == "arena"}
        far = {name for name in ours if not name.startswith("arena.core.")}
        assert far <= {"arena.host.place"}, file
        assert not [each.name for line in lines for each in line.names if each.name[0] == "_"]


def test_nobody_enters_without_a_certificate_of_the_authority(cluster, runs):
    plain = cluster.address.replace("tls://", "tcp://")
    runs.run("cluster", "certificates", "other")
    for executor, line in {
        f"dask(address={plain})": "no Dask scheduler answers at",
        f"dask(address={cluster.address})": "needs tls=DIR",
        f"dask(address={cluster.address}, tls=other)": "no Dask scheduler answers at",
    }.items():
        process = runs.begin(executor)
        assert process.wait() == 2
        assert line in runs.err()
        assert "Traceback" not in runs.err()
    assert runs.played() == 0


def _altered(folder: Path, package: str, module: str) -> str:
    """Returns a path with a copy of a package, in which one module differs."""
    copy = folder / Path(package).name
    shutil.copytree(ROOT / package, copy, ignore=shutil.ignore_patterns("web", "pages"))
    with (copy / module).open("a") as file:
        file.write("# changed\n")
    return str(folder)


@pytest.mark.thorough("a full disk is tried every day")
def test_workers_that_cannot_play_are_named_and_others_play(cluster, runs, local_chain, tmp_path):
    path = cluster.environment["PYTHONPATH"]
    (tmp_path / "level").mkdir()
    (tmp_path / "level" / "sitecustomize.py").write_text(NO_PROGRAMS)
    folders = {
        "engine differs: here": _altered(tmp_path / "engine", "arena", "match/play.py"),
        "module arena_bots differs: here": _altered(
            tmp_path / "bots", "bots/arena_bots", "pazaak/stand_at.py"
        ),
        "level boxed is unavailable here": str(tmp_path / "level"),
    }
    for folder in folders.values():
        cluster.start_worker(PYTHONPATH=f"{folder}:{path}")
    doctor = "doctor", "--executor", cluster.executor, "-o", "json"
    wait_for(lambda: runs.run(*doctor).count('"name"') == 5)  # all have joined
    process = runs.begin(cluster.executor, "--isolation", "boxed")
    wait_for(lambda: runs.err().count("\nworker tls://") == 3 or process.poll() is not None)
    assert process.wait() == 0, runs.err()
    assert all(reason in runs.err() for reason in folders), runs.err()
    assert "WORKER_TTL=30s" in runs.err()
    assert runs.chain() == local_chain
    shown = runs.run(*doctor)
    assert shown.count("engine differs: here") == 1


@pytest.mark.thorough(OTHER)
def test_a_scheduler_that_cannot_be_reached_is_one_line(runs):
    with socket.create_server(("127.0.0.1", 0)) as silent:  # accepts, and says nothing
        address = f"tcp://127.0.0.1:{silent.getsockname()[1]}"
        process = runs.start("doctor", "--executor", f"dask(address={address})")
        assert process.wait() == 2
    [line] = runs.err().splitlines()
    assert f"no Dask scheduler answers at {address}" in line

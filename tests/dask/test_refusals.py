"""A cluster refuses strangers, and the executor is built on the contract alone."""

from __future__ import annotations

import ast
from pathlib import Path

ROOT = Path(__file__).parents[2]
CODE = ROOT / "extensions" / "arena-dask" / "arena_dask"
RAY = ROOT / "examples" / "arena-executor-ray" / "arena_executor_ray" / "__init__.py"


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
        with runs.begin(executor) as process:
            assert process.wait(60) == 2
        assert line in runs.err()
        assert "Traceback" not in runs.err()
    assert runs.played() == 0

"""A tournament on two actors of a Ray cluster has the chain of the local run."""

from pathlib import Path

import pytest

import arena

pytest.importorskip("ray", reason="ray is not installed")


def test_the_chain_is_that_of_the_local_run(tmp_path: Path) -> None:
    """Plays the same field twice."""
    keys = {"games": 40, "seed": 7}
    with arena.open_database(f"sqlite:///{tmp_path}/ray.db", create=True) as results:
        local = results.run(["random", "counter"], **keys)
        away = results.run(["random", "counter"], executor="ray(actors=2)", **keys)
    assert away.document()["tournament"]["chain"] == local.document()["tournament"]["chain"]

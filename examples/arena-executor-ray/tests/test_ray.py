"""A tournament on Ray has the matches of the local run; skipped where Ray is not installed."""

from pathlib import Path

import pytest

from arena import open_database

BOTS = ["random", "stand(at=17)", "counter"]


def chain_of(file: Path, executor: str) -> str:
    """Returns the chain over all results of a tournament that was played so."""
    with open_database(file) as results:
        played = results.run(BOTS, seed=7, games=20, executor=executor)
        return str(played.document()["tournament"]["chain"])


def test_actors_play_the_matches_of_the_local_run(tmp_path: Path) -> None:
    """The executor changes no record."""
    pytest.importorskip("ray", reason="Ray is not installed: pip install ray")
    local = chain_of(tmp_path / "local.db", "local")
    assert chain_of(tmp_path / "ray.db", "ray(slots=2)") == local

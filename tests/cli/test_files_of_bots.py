"""A submitted folder with a file of data: qualified, entered, and played by its name."""

from __future__ import annotations

import json

import pytest

pytestmark = pytest.mark.usefixtures("shallow_search")
READER = """
from pathlib import Path
from arena import Bot

LIMIT = int((Path(__file__).parent / "stand.txt").read_text())


class Reader(Bot):
    games = ("pazaak",)

    def act(self, observation):
        end_turn, stand, *plays = observation.legal_actions
        return stand if observation.total >= min(LIMIT, int(open("stand.txt").read())) else end_turn
"""


@pytest.mark.thorough(
    "every kind of submission reads its own folder (tests/host/test_own_files.py)"
)
def test_a_submitted_folder_reads_its_files_in_all_its_matches(arena, tmp_path):
    """At the highest level that this machine has."""
    folder, url = tmp_path / "reader", f"sqlite:///{tmp_path}/arena.db"
    folder.mkdir()
    (folder / "stand.txt").write_text("17")
    (folder / "reader.py").write_text(READER)
    entered = arena("submit", folder, "--db", url)
    assert entered.code == 0, entered.out
    played = arena("match", "reader", "random", "--games", 2, "--db", url)
    assert played.code == 0, played.err
    listed = json.loads(arena("matches", "--db", url, "-o", "json").out)
    assert [match["termination"] for match in listed] == ["rules"] * 2

"""House bots play in folders whose files have the names that bot authors like best."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ARENA = str(Path(sys.executable).with_name("arena"))
MATCH = ("match", "stand(at=17)", "random", "--games", "2", "--seed", "7")
TEST = """
def test_a_house_bot_plays(play_match):
    assert play_match("stand(at=17)", "random").outcome
"""


@pytest.fixture
def folder(tmp_path):
    """A folder with modules and a package that break whoever imports them."""
    for name in ("bots.py", "tournaments.py", "results/__init__.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("raise ImportError('a file of the user')\n")
    return tmp_path


@pytest.mark.parametrize(
    "command",
    [
        (ARENA, *MATCH),
        (sys.executable, "-m", "arena", *MATCH),
        (ARENA, "tournament", "run", "--bot", "stand(at=17)", "--bot", "random", "--games", "2"),
        (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"),
    ],
    ids=["arena", "python -m arena", "tournament", "pytest"],
)
@pytest.mark.thorough("other ways to start it", everyday=["arena"])
def test_house_bots_play_beside_files_of_such_names(folder, command):
    (folder / "test_mine.py").write_text(TEST)
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "a file of the user" not in done.stdout + done.stderr

"""Folders of a run are removed at its end, or by the next run if it was killed."""

from __future__ import annotations

import subprocess
import sys
import tempfile

import pytest

from arena.service.answers.scratch import scratch_folder

KILLED = """
import os, sys, tempfile
tempfile.tempdir = sys.argv[1]
from arena.service.answers.scratch import scratch_folder
with scratch_folder() as folder:
    (folder / "bot.py").write_text("secret")
    print(folder, flush=True)
    os.kill(os.getpid(), 9)
"""


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_a_folder_is_private_and_removed_with_its_run(temporary):
    with scratch_folder() as folder:
        assert folder.parent == temporary
        assert folder.stat().st_mode & 0o077 == 0
    assert list(temporary.iterdir()) == []


def test_the_next_run_removes_what_a_killed_one_left_and_nothing_else(temporary):
    killed = subprocess.run(
        [sys.executable, "-c", KILLED, str(temporary)], capture_output=True, text=True, check=False
    )
    (temporary / "arena-run-mine").mkdir()
    with scratch_folder() as running:
        assert (temporary / "arena-run-mine").exists()
        with scratch_folder():
            assert running.exists()
    assert killed.stdout.strip().startswith(f"{temporary}/arena-run-")
    assert [each.name for each in temporary.iterdir()] == ["arena-run-mine"]

"""Databases opened through the application layer: the locks of this process are kept."""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import arena_results.file.database
import pytest
from arena_results.bots.uploads import UploadLimits, receive, uploads

from arena.service.storage import databases
from arena.service.storage.bundle_files import is_bundle

FROM_ANOTHER_PROCESS = """
import sys
from arena_results.file.database import open_database

with open_database(sys.argv[1]) as database, database.reading():
    pass
"""
"""Opens the database and closes it, which deletes the write-ahead log where nobody else has it."""


@pytest.fixture
def opened(tmp_path):
    with arena_results.file.database.open_database(f"sqlite:///{tmp_path}/results.db") as database:
        yield database


@pytest.mark.thorough("other ways to look", everyday=["existing_database"])
@pytest.mark.parametrize(
    "look",
    [
        databases.existing_database,
        databases.open_database,
        lambda url: is_bundle(Path(url.removeprefix("sqlite:///"))),
    ],
    ids=["existing_database", "open_database", "is_bundle"],
)
def test_a_look_at_an_open_database_leaves_its_log_to_others(opened, look):
    assert uploads(opened) == ()
    found = look(opened.url)
    if found:
        found.close()
    subprocess.run([sys.executable, "-c", FROM_ANOTHER_PROCESS, opened.url], check=True)
    assert Path(f"{opened.place.path}-wal").exists()
    receive(opened, "Ann", "bot.py", b"bot", UploadLimits(1, 1), datetime.now(UTC))
    with arena_results.file.database.open_database(opened.url) as again:
        assert uploads(again) == uploads(opened) != ()

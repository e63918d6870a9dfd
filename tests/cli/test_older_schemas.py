"""Databases of every earlier schema: upgraded, they give the same records and the same reports.

``older_schemas/NNNN.db.xz`` was written by the last program of that schema (0017, with which none
was committed, is 0018 taken back by a step): a Swiss at Pazaak in which a bot breaks matches, a
round robin at Sabacc and a table of three for chips; of 0001 the Swiss alone. ``NNNN.sha256`` has
the digests of the reports. ``GOLDEN=write`` writes those of a schema anew.
"""

from __future__ import annotations

import lzma
import os
import sqlite3
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import pytest
from arena_results.file.database import HEAD, open_database
from arena_results.store.queries import played_matches, tournament

from tests.cli.in_process import run_in_process
from tests.results.database_files import migrate, schema

FOLDER = Path(__file__).parent / "older_schemas"
SCHEMAS = sorted(path.name.removesuffix(".db.xz") for path in FOLDER.glob("*.db.xz"))
EVERYDAY = ["0001", "0009", SCHEMAS[-1]]
"""The first, the last before matches were packed, and the last of all."""
OF_TOURNAMENT = (
    ("tournament", "show", "{number}", "-o", "json"),
    ("tournament", "verify", "{number}", "-o", "json"),
    ("tournament", "losses", "{number}", "-o", "json"),
    ("replay", "{number}.1.1.2", "-o", "json"),
)
"""Reports of each tournament, ..."""
OF_ALL = (
    ("tournament", "list", "-o", "json"),
    ("matches", "--bot", "random", "-o", "json"),
    ("leaderboard", "--game", "pazaak", "-o", "json"),
)
"""... and of all."""


def test_there_is_a_database_of_every_earlier_schema():
    assert [f"{number:04}" for number in range(1, int(HEAD))] == SCHEMAS


@pytest.mark.thorough("each schema is upgraded", everyday=EVERYDAY)
@pytest.mark.parametrize("revision", SCHEMAS)
def test_an_upgraded_database_gives_the_same_records_and_reports(tmp_path, revision):
    path = tmp_path / "results.db"
    path.write_bytes(lzma.decompress((FOLDER / f"{revision}.db.xz").read_bytes()))
    migrate(tmp_path / "made.db", revision)
    assert schema(path) == schema(tmp_path / "made.db")
    records, heads = stored(path, revision)
    arena(tmp_path, "db", "upgrade")
    with open_database(f"sqlite:///{path}") as upgraded:
        numbers = range(1, 2 if revision == "0001" else 4)
        found = [
            match.record.to_bytes() for each in numbers for match in played_matches(upgraded, each)
        ]
        assert len(found) == (24 if revision == "0001" else 42)
        assert records in ([], found)
        assert heads in (
            [],
            [head for each in numbers for head in tournament(upgraded, each).heads],
        )
    lines = [f"{digest(b''.join(found))} records"]
    asked = [
        [word.format(number=each) for word in words] for each in numbers for words in OF_TOURNAMENT
    ]
    for words in [*asked, *map(list, OF_ALL)]:
        report = arena(tmp_path, *words)
        lines.append(f"{digest(report.encode())} {' '.join(words)}")
    kept = FOLDER / f"{revision}.sha256"
    if os.environ.get("GOLDEN") == "write":
        kept.write_text("\n".join(lines) + "\n")
    assert lines == kept.read_text().splitlines()


def stored(path: Path, revision: str) -> tuple[list[bytes], list[str]]:
    """The records and the heads of chains as they are in a file, as far as it has them so."""
    records, heads = [], []
    with closing(sqlite3.connect(path)) as file:
        if revision < "0010":  # then they were packed
            rows = file.execute(
                'SELECT record FROM "match" ORDER BY tournament_id, round, pairing, leg'
            )
            records = [record for (record,) in rows]
        if revision >= "0006":
            rows = file.execute("SELECT chain FROM round ORDER BY tournament_id, number")
            heads = [head for (head,) in rows]
    return records, heads


def arena(folder: Path, *words: str) -> str:
    environment = {**os.environ, "ARENA_DB": "sqlite:///results.db", "COLUMNS": "100"}
    code, out, err = run_in_process(words, folder, environment)
    assert code == 0, (words, out, err)
    return out


def digest(data: bytes) -> str:
    return sha256(data).hexdigest()

"""Runs the command ``arena`` in real processes, and looks at what they left behind."""

from __future__ import annotations

import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing
from io import BytesIO
from itertools import zip_longest
from pathlib import Path
from typing import Any

import msgspec
import psycopg
from arena_results.boards.leaderboard import leaderboard
from arena_results.bundle.bundles import MANIFEST
from arena_results.file.database import open_database
from arena_results.store.queries import matches, tournament

from arena.core.record import PlayedMatch
from arena.plugins.registry import Registry
from arena.service.report.report import make_report
from arena.service.report.tables.documents import document
from arena.service.setup.decoded import Decoded
from tests.cli.in_process import run_in_process
from tests.preloaded import Preloaded, Process

ARENA = str(Path(sys.executable).with_name("arena"))
HOSTILE = Path(__file__).parents[1] / "host" / "data" / "hostile.py"
PATIENCE = 120
"""Seconds after which a test gives up waiting, however busy the machine is."""
CONTROL = "\x1b"

SLOW = '''
"""Plays its first legal action, sleeps before every match, and writes each down."""

import os
import time

from arena import Bot


class Slow(Bot):
    def start(self, context):
        with open(os.environ["ARENA_TEST_LOG"], "a") as file:
            file.write(f"{context.seed}\\n")
        time.sleep(0.006)

    def act(self, observation):
        return observation.legal_actions[0]
'''


class Answer(msgspec.Struct):
    """Exit code and output of a command."""

    code: int
    out: str
    err: str

    @property
    def document(self) -> dict[str, Any]:
        return json.loads(self.out)


class Place:
    """A folder with a database, a slow bot, and its log.

    Args:
        folder: It exists.
        preloaded: The process that its processes are forks of; without it each is started anew.
    """

    def __init__(self, folder: Path, preloaded: Preloaded | None = None) -> None:
        self.preloaded = preloaded
        self.folder, self.file = folder, folder / "results.db"
        self.url = f"sqlite:///{self.file}"
        (folder / "slow.py").write_text(SLOW)
        self.log = folder / "log"
        self.env = {**os.environ, "ARENA_DB": self.url, "ARENA_TEST_LOG": str(self.log)}

    def start(self, *words: str, **more: Any) -> subprocess.Popen[str] | Process:
        if self.preloaded:
            return self.preloaded.start(words, self.folder, self.env, **more)
        streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True} | more
        return subprocess.Popen(
            [ARENA, *words], cwd=self.folder, env=self.env, start_new_session=True, **streams
        )

    def arena(self, *words: str) -> Answer:
        """Runs a command to its end in this process: where a new one would show nothing more."""
        return Answer(*run_in_process(words, self.folder, self.env))

    def process(self, *words: str) -> Answer:
        """Runs a command to its end in a process of its own."""
        process = self.start(*words)
        out, err = process.communicate(timeout=PATIENCE)
        return Answer(process.returncode, out, err)

    def stored(self) -> int:
        """The number of stored matches."""
        if not self.file.exists():
            return 0
        with closing(sqlite3.connect(self.file)) as file:
            try:
                return int(file.execute('SELECT count(*) FROM "match"').fetchone()[0])
            except sqlite3.OperationalError:  # the tables are not made yet
                return 0

    def played(self, tournament: int = 1) -> list[PlayedMatch]:
        with open_database(self.url, create=False) as database:
            return [each for _, each in matches(database, tournament)]

    def outcome(self) -> tuple[Any, ...]:
        """All results that must not depend on the course of a run: records, ratings, standings."""
        with open_database(self.url, create=False) as database:
            records = [(m.key, m.record.to_bytes()) for _, m in matches(database, 1)]
            stored = tournament(database, 1)
            report = make_report(Decoded.of(stored, Registry().format(stored.summary.format)))
            return records, leaderboard(database), document(report)

    def bundled(self, number: int = 1) -> dict[str, bytes]:
        """The bytes of a tournament's bundle, by member, without measured times and the folder."""
        path = self.folder / "bytes.arena"
        path.unlink(missing_ok=True)
        done = self.arena("export", str(number), "--bundle", str(path))
        assert done.code == 0, done.err
        with zipfile.ZipFile(path) as packed:
            members = {name: packed.read(name) for name in packed.namelist()}
        del members[MANIFEST]  # hashes of the others
        about = json.loads(members["tournament.json"])
        for moment in ("created_at", "finished_at"):
            assert about.pop(moment)
        members["tournament.json"] = json.dumps(about).encode()
        for name, data in members.items():
            if name.endswith(".frames"):
                members[name] = b"".join(_without_measurements(data))
            elif name.startswith("tournament."):
                members[name] = data.replace(f"{self.folder}/".encode(), b"")
        return members


def _without_measurements(frames: bytes) -> Iterator[bytes]:
    """Cuts the time of each match off its frame; its record keeps its bytes."""
    with BytesIO(frames) as file:
        while head := file.read(4):
            pairing, leg, record, _ = msgspec.msgpack.decode(file.read(int.from_bytes(head, "big")))
            yield msgspec.msgpack.encode((pairing, leg, record))


class ServerPlace(Place):
    """A place whose database is on a PostgreSQL server.

    Args:
        url: The address of the database.
    """

    def __init__(self, folder: Path, preloaded: Preloaded | None, url: str) -> None:
        super().__init__(folder, preloaded)
        self.url = self.env["ARENA_DB"] = url

    def stored(self) -> int:
        with psycopg.connect(self.url) as session:
            try:
                row = session.execute("SELECT count(*) FROM match").fetchone()
            except psycopg.errors.UndefinedTable:  # the tables are not made yet
                return 0
        assert row is not None
        return int(row[0])


def check_same(found: tuple[Any, ...], expected: tuple[Any, ...]) -> None:
    """Compares two outcomes of ``Place.outcome``, and shows the first record that differs."""
    pairs = zip_longest(found[0], expected[0])
    assert next((pair for pair in pairs if pair[0] != pair[1]), None) is None
    assert found[1:] == expected[1:]


def without_progress(err: str) -> str:
    """Returns what a command wrote to stderr but the lines of progress, which slow machines add."""
    return re.sub(r"(?m)^round \d+/\d+  matches .*\n", "", err)


def until(what: Callable[[], bool], seconds: float = PATIENCE) -> None:
    """Waits until a condition is true."""
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.01)


def alive(group: int) -> list[str]:
    """The processes of a group that still run."""
    table = subprocess.run(
        ["ps", "-eo", "pid,pgid,stat,args"], capture_output=True, text=True, check=True
    )
    rows = [line.split(None, 3) for line in table.stdout.splitlines()[1:]]
    return [row[3] for row in rows if row[1] == str(group) and not row[2].startswith("Z")]


def kill_group(group: int, number: signal.Signals = signal.SIGKILL) -> None:
    os.killpg(group, number)

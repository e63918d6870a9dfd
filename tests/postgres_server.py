"""A real PostgreSQL server in a scratch folder, run as an ordinary user, for one test process."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cached_property
from pathlib import Path
from time import monotonic, sleep
from typing import Self

import psycopg
import pytest
from arena_results.file.database import open_database

USER = 65534
"""The user who runs it where the tests have root: the server refuses that."""
OWNER = "arena"
"""The role that owns the databases; the socket lets it in without a password."""
GUEST, PASSWORD = "guest", "p@ss word/1"
"""A role that has to give its password."""
QUICK = ("fsync=off", "synchronous_commit=off", "full_page_writes=off", "autovacuum=off")
"""Settings of a server whose data need not survive."""
START_SECONDS = 60
IN_MEMORY, ROOM = Path("/dev/shm"), 4 << 30
HBA = f"local all {GUEST} scram-sha-256\nlocal all all trust\n"


def binaries() -> Path | None:
    """Returns the folder of the newest server that is installed; ``None`` without one."""
    found = [*Path("/usr/lib/postgresql").glob("*/bin/initdb")]
    found += [Path(each) for each in [shutil.which("initdb")] if each]
    return max(found, key=_version).parent if found else None


def _fast_folder() -> Path | None:
    """Returns a folder in memory: a server has hundreds of files for each database."""
    return IN_MEMORY if IN_MEMORY.exists() and shutil.disk_usage(IN_MEMORY).free > ROOM else None


def _version(program: Path) -> int:
    name = program.parent.parent.name
    return int(name) if name.isdecimal() else 0


class PostgresServer:
    """A server; it ends with the process that started it.

    Args:
        settings: Its settings, as ``NAME=VALUE``.
        in_memory: Whether its files may be in memory.
    """

    def __init__(self, *settings: str, in_memory: bool = True) -> None:
        found = binaries()
        if found is None:
            pytest.skip("the server of PostgreSQL is not installed (Debian package postgresql)")
        self._binaries, self._settings, self._made = found, settings, 0
        self._parent = _fast_folder() if in_memory else None
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            folder = tempfile.TemporaryDirectory(prefix="arena-pg-", dir=self._parent)
            self.folder = Path(stack.enter_context(folder))
            if os.getuid() == 0:
                os.chown(self.folder, USER, USER)
            self._run("initdb", "--auth=trust", f"--username={OWNER}", "--encoding=UTF8",
                      "--locale=C", "--no-sync", "--no-instructions")  # fmt: skip
            (self.folder / "data" / "pg_hba.conf").write_text(HBA)
            self.start()
            stack.callback(self.stop)
            with self.session() as session:
                session.execute(f"CREATE ROLE {GUEST} LOGIN PASSWORD '{PASSWORD}'")
            self._open = stack.pop_all()
        return self

    def __exit__(self, *error: object) -> None:
        self._open.close()

    def start(self) -> None:
        """Starts it, and waits until it answers."""
        settings = [f"-c{each}" for each in self._settings]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [*self._as_user("--pdeathsig=QUIT"), str(self._binaries / "postgres"),
                 "-D", str(self.folder / "data"), "-k", str(self.folder), "-clisten_addresses=",
                 "-cshared_buffers=16MB", *settings],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.folder,
            )  # fmt: skip
        ends = monotonic() + START_SECONDS
        while True:
            try:
                return self.session().close()
            except psycopg.OperationalError:
                if self._process.poll() is not None or monotonic() > ends:
                    pytest.fail((self.folder / "log").read_text())
                sleep(0.02)

    def stop(self) -> None:
        """Ends it at once, as a crash does, with all its processes."""
        self.end(signal.SIGQUIT)

    def end(self, number: int) -> None:
        """Sends its first process a signal, and waits until that and its sessions have ended."""
        assert self._process is not None
        sessions = self._children()
        self._process.send_signal(number)
        self._process.wait()
        while any(Path(f"/proc/{each}").exists() for each in sessions):
            sleep(0.02)

    @contextmanager
    def away(self, number: int) -> Iterator[None]:
        """Ends it by a signal, and starts it again."""
        self.end(number)
        try:
            yield
        finally:
            self.start()

    def _children(self) -> list[int]:
        assert self._process is not None
        tasks = Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children")
        return [int(each) for each in tasks.read_text().split()]

    def session(self, name: str = "postgres") -> psycopg.Connection[tuple[object, ...]]:
        """Opens a session of the owner; a statement is a transaction."""
        return psycopg.connect(self.url(name), autocommit=True)

    def url(self, name: str, user: str = OWNER) -> str:
        """Returns the address of a database."""
        return f"postgresql://{user}@/{name}?host={self.folder}"

    def new(self, template: str = "template0") -> str:
        """Makes a database, and returns its address."""
        self._made += 1
        name = f"db{self._made}"
        with self.session() as session:
            # The other way, by the log of transactions, takes three times as long.
            copied = "STRATEGY FILE_COPY" if session.info.server_version >= 150000 else ""
            session.execute(f"CREATE DATABASE {name} TEMPLATE {template} {copied}")
        return self.url(name)

    def filled(self) -> str:
        """Makes a database that has the tables, and returns its address."""
        return self.new(self._template)

    @cached_property
    def _template(self) -> str:
        with self.session() as session:
            session.execute("CREATE DATABASE filled")
        open_database(self.url("filled")).close()
        return "filled"

    def _as_user(self, *more: str) -> list[str]:
        user = [f"--reuid={USER}", f"--regid={USER}", "--clear-groups"] if not os.getuid() else []
        return ["setpriv", *user, *more] if user or more else []

    def _run(self, program: str, *words: str) -> None:
        command = [*self._as_user(), str(self._binaries / program), "-D", str(self.folder / "data")]
        done = subprocess.run([*command, *words], capture_output=True, text=True, cwd="/")
        assert done.returncode == 0, done.stderr

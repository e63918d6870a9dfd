"""A league in a server process of its own, as its organiser starts it, and plain HTTP to it."""

from __future__ import annotations

import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from arena_results.bots.authors import new_token
from arena_results.file.database import open_database

from tests.preloaded import Preloaded, Process

ARENA = Path(sys.executable).with_name("arena")
PATIENCE = 300.0
"""Far more seconds than any wait takes on a busy machine."""
DECIDED = frozenset({"entered", "refused", "failed"})
LEAGUE = """
name = "Cantina"
season = {season}
house = ["stand(at=17)", "random"]
{anchors}
[tournament]
within = {within}
games = {games}
concurrency = 1
decision_seconds = {seconds}
[limits]
waiting = 1000
day = 1000
enabled = 1000
hour = 10000
address_hour = 10000
"""
CAREFUL = b"""
import sys
from arena import Bot

__version__ = "%d"


class Careful(Bot):
    game = "pazaak"

    def act(self, observation):
        end_turn, stand, *_ = observation.legal_actions
        return stand if observation.total >= 16 else end_turn
"""


class Reply(NamedTuple):
    """The answer to a request."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class LeagueServer:
    """A league of a folder: its database, and the process that serves it.

    Every request comes from another address, as a proxy reports it, unless it names one.

    Args:
        folder: Its folder.
        url: Address of its database; without one, in a file of the folder.
        preloaded: Starts it, and commands, as forks that have the harness loaded.
        values: What its file says.

    Attributes:
        url: Address of the database.
        options: The options of ``arena serve`` that make it what it is.
        token: The token of its one author, Ann.
        log: What the process wrote, of all its starts.
    """

    options = ("--league", "league.toml")

    def __init__(
        self, folder: Path, url: str = "", preloaded: Preloaded | None = None, **values: object
    ) -> None:
        self.folder, self.url = folder, url or f"sqlite:///{folder / 'league.db'}"
        self.log = folder / "server.log"
        folder.mkdir(exist_ok=True)
        self.write(**values)
        with open_database(self.url, create=True) as database:
            self.token = new_token(database, "Ann", datetime.now(UTC))
        self._preloaded = preloaded
        self._process: subprocess.Popen[str] | Process | None = None
        self._requests = 0
        self.port = 0

    def write(self, **values: object) -> None:
        """Writes the file of the league."""
        known = {"season": 1, "within": 400, "games": 4, "seconds": 5.0, "anchors": ""}
        (self.folder / "league.toml").write_text(LEAGUE.format(**(known | values)))

    def start(self) -> None:
        """Starts the process, and waits until it listens."""
        words = ["serve", *self.options, "--db", self.url, "--port", "0", "--behind-proxy"]
        environment = os.environ | {"HOME": str(self.folder)}
        with self.log.open("a") as log:
            if self._preloaded:
                self._process = self._preloaded.start(
                    words, self.folder, environment, stderr=log.fileno()
                )
            else:
                self._process = subprocess.Popen(
                    [ARENA, *words], cwd=self.folder, env=environment,
                    stdout=subprocess.PIPE, stderr=log, text=True, start_new_session=True,
                )  # fmt: skip
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        found = re.match(r"http://127\.0\.0\.1:(\d+)/", line)
        assert found, f"{line}{self.log.read_text()}"
        self.port = int(found[1])

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    @property
    def started(self) -> bool:
        """True from ``start`` until ``end``, also when it has ended by itself."""
        return self._process is not None

    @property
    def runs(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def end(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Ends the process by a signal, and returns its exit code."""
        assert self._process is not None
        self._process.send_signal(number)
        code = self._process.wait(PATIENCE)
        assert self._process.stdout is not None
        with self.log.open("a") as log:
            log.write(self._process.stdout.read())
        self._process.stdout.close()
        self._process = None
        return code

    def request(
        self,
        method: str,
        path: str,
        body: bytes | None = None,
        *,
        token: str = "",
        address: str = "",
        **headers: str,
    ) -> Reply:
        """Sends a request, and returns the answer."""
        self._requests += 1
        number = self._requests
        sent = {
            "X-Forwarded-For": address or f"198.18.{number // 250 % 250}.{number % 250 + 1}",
            **{key.replace("_", "-"): value for key, value in headers.items()},
        }
        if token:
            sent["Authorization"] = f"Bearer {token}"
        with closing(HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)) as connection:
            try:
                connection.request(method, path, body, sent)
                answer = connection.getresponse()
            except OSError as error:
                raise AssertionError(f"{error}\n{self.log.read_text()}") from error
            found = {key.lower(): value for key, value in answer.getheaders()}
            return Reply(answer.status, found, answer.read())

    def send(self, content: bytes, file: str, **more: str) -> Reply:
        """Submits a bot, by default in Ann's name."""
        path = f"/api/submissions?file={quote(file, safe='')}"
        return self.request("POST", path, content, **({"token": self.token} | more))

    def submissions(self) -> list[dict[str, Any]]:
        """Returns all submissions by number, as their author sees them."""
        numbers = sorted(each["id"] for each in self.request("GET", "/api/submissions").json)
        return [
            self.request("GET", f"/api/submissions/{number}", token=self.token).json
            for number in numbers
        ]

    def until(self, over: Callable[[], object]) -> None:
        """Waits until something holds, while the process runs."""
        end = time.monotonic() + PATIENCE
        while not over():
            assert self.runs, self.log.read_text()
            assert time.monotonic() < end, f"it took longer than {PATIENCE:g} s"
            time.sleep(0.05)

    def entries(self) -> int:
        """Returns how many bots are in the season, once none of them needs a match."""
        cups = self.request("GET", "/api/tournaments").json  # none before the season has begun
        return cups[0]["entries"] if cups and cups[0]["status"] == "waiting" else 0

    def all_decided(self) -> bool:
        return {each["state"] for each in self.request("GET", "/api/submissions").json} <= DECIDED

    def is_whole(self) -> bool:
        """Returns whether the database is undamaged, by a connection of its own."""
        with closing(sqlite3.connect(self.folder / "league.db")) as database:
            return database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]

    def arena(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Runs a command on the database."""
        return self._run([*words, "--db", self.url])

    def arena_submit(
        self, content: bytes, file: str = "careful.py"
    ) -> subprocess.CompletedProcess[str]:
        """Submits a bot by the command of its author."""
        (self.folder / "careful.py").write_bytes(content)
        words = ["submit", "careful.py", "--server", f"http://127.0.0.1:{self.port}"]
        return self._run(words, ARENA_TOKEN=self.token)

    def _run(self, words: list[str], **environment: str) -> subprocess.CompletedProcess[str]:
        mine = {"HOME": str(self.folder), **environment}
        if self._preloaded:
            done = self._preloaded.run(words, self.folder, mine)
            return subprocess.CompletedProcess(words, *done)
        return subprocess.run(
            [ARENA, *words], cwd=self.folder, env=os.environ | mine, capture_output=True,
            text=True, check=False, timeout=PATIENCE,
        )  # fmt: skip


@contextmanager
def league_server(
    folder: Path, url: str = "", preloaded: Preloaded | None = None, **values: object
) -> Iterator[LeagueServer]:
    """Runs a league, and kills what is left of it."""
    server = LeagueServer(folder, url, preloaded, **values)
    server.start()
    try:
        yield server
    finally:
        if server.started:
            server.end(signal.SIGKILL)

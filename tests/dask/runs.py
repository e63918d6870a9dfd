"""Runs ``arena`` in processes of their own, and reads the results."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path

from arena_results.file.database import open_database
from arena_results.schema.rows import Status, StoredTournament
from arena_results.store.queries import tournament

from tests.preloaded import Preloaded, Process

BOT = '''
"""Plays its first legal action, and takes its time."""

import time

from arena import Bot


class First(Bot):
    def act(self, observation):
        time.sleep(0.02)
        return observation.legal_actions[0]
'''
GAMES = 40
"""Matches of a run: two workers need about ten seconds, and hardly a processor."""
FIELD = ("--bot", "first.py", "--bot", "stand(at=17)")
LOCAL = ("--concurrency", "4")


class Runs:
    """A folder with a bot as a file, which nobody trusts, and databases."""

    def __init__(self, folder: Path, environment: dict[str, str], preloaded: Preloaded) -> None:
        self.folder, self.environment, self._preloaded = folder, environment, preloaded
        (folder / "first.py").write_text(BOT)

    def start(self, *words: str) -> Process:
        """Starts a command; its output goes to files."""
        with open(self.folder / "out", "wb") as out, open(self.folder / "err", "wb") as err:
            return self._preloaded.start(
                words,
                self.folder,
                {**self.environment, "ARENA_DB": f"sqlite:///{self.folder}/results.db"},
                stdout=out.fileno(),
                stderr=err.fileno(),
            )

    def run(self, *words: str, code: int = 0) -> str:
        """Runs a command; returns what it printed, or its errors."""
        assert self.start(*words).wait() == code, self.out() + self.err()
        return self.err() if code else self.out()

    def begin(
        self, executor: str = "", *more: str, field: Sequence[str] = FIELD, games: int = GAMES
    ) -> Process:
        """Starts a tournament."""
        where = ("--executor", executor) if executor else LOCAL
        terms = ("--seed", "7", "--games", str(games))
        return self.start("tournament", "run", *field, *terms, *where, *more)

    def out(self) -> str:
        return (self.folder / "out").read_text()

    def err(self) -> str:
        return (self.folder / "err").read_text()

    def chain(self) -> str:
        """The chain of the tournament, which is finished."""
        stored = self.stored()
        assert stored.summary.status is Status.FINISHED, self.err()
        assert stored.chain is not None
        return stored.chain

    def stored(self) -> StoredTournament:
        with open_database(f"sqlite:///{self.folder}/results.db") as database:
            return tournament(database, 1)

    def played(self) -> int:
        """The number of matches that are stored."""
        address = f"file:{self.folder}/results.db?mode=ro"
        with (
            suppress(sqlite3.OperationalError),
            closing(sqlite3.connect(address, uri=True)) as results,
        ):
            number: int = results.execute("select count(*) from match").fetchone()[0]
            return number
        return 0  # it has not been made yet

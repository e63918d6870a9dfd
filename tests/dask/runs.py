"""Runs ``arena`` in processes of their own, and reads the results."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

ARENA = str(Path(sys.executable).with_name("arena"))
BOT = '''
"""Plays its first legal action."""

from arena import Bot


class First(Bot):
    def act(self, observation):
        return observation.legal_actions[0]
'''


class Runs:
    """A folder with a bot as a file, which nobody trusts, and databases."""

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        self.folder, self.environment = folder, environment
        (folder / "first.py").write_text(BOT)

    def start(self, *words: str, db: str = "cluster") -> subprocess.Popen[str]:
        return subprocess.Popen(
            [ARENA, *words],
            env={**self.environment, "ARENA_DB": f"sqlite:///{self.folder / db}.db"},
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, *words: str, db: str = "cluster", code: int = 0) -> str:
        with self.start(*words, db=db) as process:
            out, err = process.communicate(timeout=120)
        assert process.returncode == code, out + err
        return err if code else out

    def begin(self, executor: str, *more: str, games: int = 300) -> subprocess.Popen[str]:
        return self.start("tournament", "run", *self.field(games), "--executor", executor, *more)

    def field(self, games: int) -> list[str]:
        bots = ("first.py", "optimal", "stand(at=17)")
        given = [word for bot in bots for word in ("--bot", bot)]
        return [*given, "--seed", "7", "--games", str(games)]

    def local_chain(self, games: int = 300) -> str:
        """The chain of the same tournament, played on this machine."""
        db = f"local-{games}"
        self.run("tournament", "run", *self.field(games), db=db)
        return self.chain(db=db)

    def document(self, number: str = "1", db: str = "cluster") -> dict[str, Any]:
        return json.loads(self.run("tournament", "show", number, "-o", "json", db=db))

    def chain(self, number: str = "1", db: str = "cluster") -> str:
        tournament = self.document(number, db)["tournament"]
        assert tournament["status"] == "finished"
        return tournament["chain"]

    def played(self) -> int:
        """The number of matches that are stored. It is read at once: a new process takes longer
        than a quick run.
        """
        file = self.folder / "cluster.db"
        with (
            suppress(sqlite3.OperationalError),
            closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as results,
        ):
            [number] = results.execute("select count(*) from match").fetchone()
            return number
        return 0  # it has not been made yet

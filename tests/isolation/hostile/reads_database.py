"""Reads the database of results, which lies where databases lie. It plays on."""

import sqlite3
from pathlib import Path

from arena import Bot

DATABASE = Path(__file__).parents[1] / "arena.db"


class ReadsDatabase(Bot):
    def start(self, context):
        for name in (DATABASE, f"{DATABASE}-wal", f"{DATABASE}-shm"):
            try:
                with open(name, "rb") as file:
                    file.read(1)
            except OSError:
                continue
            raise RuntimeError("GOT: the database as a file")
        try:
            sqlite3.connect(f"file:{DATABASE}?mode=ro", uri=True).execute(
                "SELECT 1 FROM sqlite_schema"
            )
        except sqlite3.OperationalError:
            return
        raise RuntimeError("GOT: the database as a database")

    def act(self, observation):
        return observation.legal_actions[0]

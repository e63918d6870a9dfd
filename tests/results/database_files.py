"""Database files made without the program, and what is in them."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path

from alembic import command
from alembic.config import Config
from arena_results.file import database as module
from arena_results.file.files import WRITING


def schema(path: Path) -> dict[str, list[str]]:
    """The clauses of each statement that made the file's tables, in an order of their own.

    A column that was added later stands where SQLite put it, not where a new table has it, and
    the name of a table that was renamed stands in quotes.
    """
    with closing(sqlite3.connect(path)) as file:
        made = file.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'")
        texts = {
            name: sql.strip().replace(f'TABLE "{name}"', f"TABLE {name}") for name, sql in made
        }
        return {name: sorted(re.split(r"\s*[,\n]\s*", text)) for name, text in texts.items()}


def config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(module.SCRIPTS))
    return config


def migrate(path: Path, revision: str, *, back: bool = False) -> None:
    """Makes a file as a program of that revision made it, or takes it back to one."""
    path.touch()
    engine = module._engine(path, WRITING)
    with engine.begin() as connection:
        settings = config()
        settings.attributes["connection"] = connection
        (command.downgrade if back else command.upgrade)(settings, revision)
    engine.dispose()


def make_sqlite(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as file:
        for statement in statements:
            file.execute(statement)
        file.commit()

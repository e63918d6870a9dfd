"""Database files made without the program, and what is in them."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

from alembic import command
from alembic.config import Config
from arena_results.file import database as module
from arena_results.file.database import Database
from arena_results.file.local_file import LocalFile
from sqlalchemy import text


def edit(database: Database, statement: str, values: Mapping[str, object] | None = None) -> None:
    """Changes rows without their checksums, as somebody with another program can."""
    with database.writing() as connection:
        assert connection.execute(text(statement), values or {}).rowcount


def schema(path: Path) -> dict[str, list[str]]:
    """The lines, without what is blank in them, of each statement that made a table or an index."""
    with closing(sqlite3.connect(path)) as file:
        made = file.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL")
        return {name: [line.strip() for line in sql.strip().splitlines()] for name, sql in made}


def config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(module.SCRIPTS))
    return config


def migrate(path: Path, revision: str) -> None:
    """Makes a file by the migrations up to a revision."""
    path.touch()
    engine = module._engine(LocalFile(path), keys_checked=False)
    with engine.begin() as connection:
        settings = config()
        settings.attributes["connection"] = connection
        command.upgrade(settings, revision)
    engine.dispose()


def make_sqlite(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as file:
        for statement in statements:
            file.execute(statement)
        file.commit()

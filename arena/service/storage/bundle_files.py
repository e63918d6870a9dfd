"""Distinguishes bundles from other files, for commands that take either; cheap to import."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from arena.core.errors import BadStore
from arena.plugins.options import either

BUNDLE = ".arena"
"""Suffix of the names of bundles."""
NUMBER = 1
"""Number of the tournament in the database that a bundle is opened as."""
_ZIP = b"PK\x03\x04"
"""First bytes of a bundle."""


def is_bundle(path: Path) -> bool:
    """True for a file that is named or begins as bundles are."""
    try:
        if not path.is_file():  # to open a pipe could last for ever
            return False
        if path.suffix == BUNDLE:
            return True
        if _is_database(path):
            return False
        with path.open("rb") as file:
            return file.read(len(_ZIP)) == _ZIP
    except (OSError, ValueError):
        return False


def _is_database(path: Path) -> bool:
    """True for a file that SQLite takes as a database, or cannot look into now.

    Only SQLite opens a database: whoever closes it otherwise drops the locks of all connections of
    this process, and the next process that closes it deletes the write-ahead log under them, with
    the rows that they commit from then on.
    """
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as file:
            file.execute("PRAGMA schema_version").fetchone()
    except sqlite3.Error as error:
        return getattr(error, "sqlite_errorcode", None) != sqlite3.SQLITE_NOTADB
    return True


def bundle_url(path: Path) -> str:
    """The address at which a bundle is opened; raises ``BadStore`` if there is no such file."""
    if not is_bundle(path):
        maker = either("arena export ID --bundle FILE", "Tournament.export_bundle")
        raise BadStore(f"there is no bundle at {path}; {maker} makes one")
    return f"sqlite:///{path}"

"""Keeps the files of learned value functions that tournaments fixed, each once by its hash."""

from __future__ import annotations

import zlib
from operator import itemgetter

from sqlalchemy import Connection, delete, select
from sqlmodel import col

from arena.core.errors import AlteredResults
from arena.core.parts.value import LEARNED, SHORT_HASH
from arena_results.dialects import dialect_of
from arena_results.file.database import Database
from arena_results.schema.checksums import VALUE_FUNCTION
from arena_results.schema.rows import NewTournament
from arena_results.schema.tables import METADATA, Tournament, ValueFunction

MAX_BYTES = 64_000_000
"""Bytes of a file that is read."""


def keep_file(connection: Connection, name: str, hash: str, content: bytes) -> None:
    """Keeps the file of a learned value function, unless there is one of that hash."""
    row: dict[str, object] = {"hash": hash, "name": name, "content": zlib.compress(content)}
    table, sealed = METADATA.tables["value_function"], VALUE_FUNCTION.sealed(row)
    dialect_of(connection).insert_ignoring(connection, table, [sealed])


def add_file(database: Database, about: NewTournament, content: bytes) -> None:
    """Keeps the file of the learned value function that a stored tournament fixed."""
    assert about.value_function is not None
    assert about.value_hash is not None
    with database.writing() as connection:
        keep_file(connection, about.value_function, about.value_hash, content)


def file_of(database: Database, about: NewTournament) -> bytes | None:
    """Returns the file of the learned value function that a tournament fixed.

    ``None`` where it fixed none, or its game's own, which are no file.
    """
    if LEARNED not in (about.value_function or "") or about.value_hash is None:
        return None
    return stored_file(database, about.value_hash)


def file_by_hash(connection: Connection, hash: str) -> bytes | None:
    """Returns a file that is stored; ``None`` without one of that hash."""
    found = connection.execute(_GET.where(col(ValueFunction.hash) == hash)).first()
    if found is None:
        if other := connection.execute(_UNUSED).scalar():
            raise AlteredResults(f"value function {other[:SHORT_HASH]}: no tournament fixed it")
        return None
    where = f"value function {hash[:SHORT_HASH]}"
    VALUE_FUNCTION.check(found, lambda: f"{where}: its row")
    unpacker = zlib.decompressobj()
    try:
        content = unpacker.decompress(_content(found), MAX_BYTES)
    except zlib.error as error:
        raise AlteredResults(f"{where}: {error}") from None
    if not unpacker.eof:
        raise AlteredResults(f"{where}: it is cut, or longer than {MAX_BYTES} bytes")
    return content


def stored_file(database: Database, hash: str) -> bytes | None:
    """Returns a file that is stored in a database; ``None`` without one of that hash."""
    with database.reading() as connection:
        return file_by_hash(connection, hash)


def forget_unused(connection: Connection) -> None:
    """Deletes the files that no tournament fixed any more."""
    connection.execute(delete(ValueFunction).where(_IS_UNUSED))


_FIXED = select(col(Tournament.value_hash)).where(col(Tournament.value_hash).is_not(None))
_IS_UNUSED = col(ValueFunction.hash).not_in(_FIXED)
_UNUSED = select(col(ValueFunction.hash)).where(_IS_UNUSED).limit(1)
_GET = select(*VALUE_FUNCTION.columns)
_content = itemgetter(VALUE_FUNCTION.names.index("content"))

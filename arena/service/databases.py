"""Opens the database of results for calls that may come before there is one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from arena_results.database import Database


def existing_database(url: str) -> Database | None:
    """The results database if there is one already, else ``None``.

    Args:
        url: ``sqlite:///FILE``.

    Raises:
        BadStore: It cannot be used as it is.
    """
    file = url.removeprefix("sqlite:///")
    if file != url and not Path(file).exists():
        return None
    # Imported here: without a database nothing needs the database library, which is slow to load.
    from arena_results.database import existing_database

    return existing_database(url)

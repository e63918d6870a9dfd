"""Opens databases of results; the database library, slow to load, is imported when it is needed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from arena_results.file.addresses import without_password

from arena.service.storage.bundle_files import is_bundle

if TYPE_CHECKING:
    from arena_results.file.database import Database, Upgraded


def database_url(named: str) -> str:
    """The address of a database that is named by its file or its address; without a password.

    This process and its children alone know the password.
    """
    if "://" in named or named.startswith("sqlite:"):
        return without_password(named)
    return f"sqlite:///{named}"


def file_of(url: str) -> str:
    """The file of ``sqlite:///FILE``; empty for the database of a server."""
    file = url.removeprefix("sqlite:///")
    return file if file != url else ""


def open_database(url: str, *, create: bool = False) -> Database:
    """Opens the database at an address; calls that only read leave a missing one missing.

    A bundle is opened like a database that can only be read.

    Raises:
        BadStore: It cannot be used as it is.
        AlteredResults: It is a bundle, and something in it is not what was written.
    """
    if bundle := _bundle_at(url):
        from arena.service.storage.bundles import BundleDatabase

        return BundleDatabase(bundle)
    from arena_results.file.database import open_database

    return open_database(url, create=create)


def _bundle_at(url: str) -> Path | None:
    file = file_of(url)
    return Path(file) if file and is_bundle(Path(file)) else None


def existing_database(url: str) -> Database | None:
    """The database at an address if there is one already, else ``None``."""
    file = file_of(url)
    if file and not Path(file).exists():
        return None
    if _bundle_at(url):
        return open_database(url)
    from arena_results.file.database import existing_database

    return existing_database(url)


def upgrade_database(url: str) -> Upgraded | None:
    """Brings a database of an older version to the present one, after copying it if it is a file.

    Returns ``None`` when there was nothing to do.

    Raises:
        BadStore: It is not a database of ours, or cannot be written; nothing was changed.
    """
    from arena_results.file.database import upgrade_database

    return upgrade_database(url)

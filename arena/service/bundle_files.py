"""Distinguishes bundles from other files, for commands that take either; cheap to import."""

from __future__ import annotations

from pathlib import Path

from arena.core.errors import BadStore

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
        with path.open("rb") as file:
            return path.suffix == BUNDLE or file.read(len(_ZIP)) == _ZIP
    except (OSError, ValueError):
        return False


def bundle_url(path: Path) -> str:
    """The address at which a bundle is opened; raises ``BadStore`` if there is no such file."""
    if not is_bundle(path):
        raise BadStore(f"there is no bundle at {path}; arena export ID --bundle FILE makes one")
    return f"sqlite:///{path}"

"""Addresses of results databases, as people write them; imports nothing that is slow to load."""

from __future__ import annotations

import shlex

DEFAULT_URL = "sqlite:///arena.db"
"""The database used when nobody names one."""


def db_option(url: str) -> str:
    """Returns the option by which a suggested command finds a database; none for the default."""
    return "" if url == DEFAULT_URL else f" --db {shlex.quote(url)}"

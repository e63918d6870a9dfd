"""Looks whether the packages of an extra are installed."""

from __future__ import annotations

from collections.abc import Collection
from importlib.util import find_spec

from arena.core.errors import BadInput


def check_extra(subject: str, extra: str, needed: Collection[str]) -> None:
    """Raises ``BadInput`` where packages of an extra are missing, which a subject needs."""
    missing = [name for name in needed if find_spec(name) is None]
    if missing:
        verb = "is" if len(missing) == 1 else "are"
        raise BadInput(
            f"{subject} needs {' and '.join(missing)}, which {verb} not installed: "
            f"pip install 'arena-harness[{extra}]'"
        )

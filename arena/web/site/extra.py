"""Looks whether what the site needs is installed: the extra ``web``."""

from __future__ import annotations

from importlib.util import find_spec

from arena.core.errors import BadInput

NEEDED = ("starlette", "h11")


def check_extra() -> None:
    """Raises ``BadInput`` where the extra is missing."""
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        verb = "is" if len(missing) == 1 else "are"
        raise BadInput(
            f"the site needs {' and '.join(missing)}, which {verb} not installed: "
            "pip install 'arena-harness[web]'"
        )

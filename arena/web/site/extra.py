"""Looks whether what the site needs is installed: the extra ``web``."""

from __future__ import annotations

from arena.service.answers import extras

NEEDED = ("starlette", "h11")


def check_extra() -> None:
    """Raises ``BadInput`` where the extra is missing."""
    extras.check_extra("the site", "web", NEEDED)

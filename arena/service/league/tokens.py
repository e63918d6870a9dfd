"""Describes the tokens of authors and organisers as rows for tables and documents."""

from __future__ import annotations

from datetime import datetime

from arena_results.bots.authors import PREFIX, Token


def token_row(token: Token) -> dict[str, object]:
    """A token as a row: first characters, author, role, status, and times in ISO 8601, UTC."""
    status = "revoked" if token.revoked_at else "used" if token.used_at else "unused"
    return {
        "token": f"{PREFIX}{token.start}...",
        "author": token.author,
        "role": "organiser" if token.organises else "author",
        "status": status,
        "made": _time(token.made_at),
        "used": _time(token.used_at),
        "revoked": _time(token.revoked_at),
    }


def _time(at: datetime | None) -> str | None:
    return None if at is None else at.isoformat(timespec="seconds")

"""Whole numbers in addresses."""

from __future__ import annotations

from collections.abc import Mapping

from arena_results.file.database import Database

from arena.core.errors import BadInput, UnknownName
from arena.service.match.listing import Wanted
from arena.service.public.documents import tournament_rows


def number(words: Mapping[str, str], key: str) -> int | None:
    """Returns a whole number of an address; ``None`` if it has none.

    Raises:
        BadInput: The text is not a number.
    """
    if key not in words:
        return None
    if not _is_number(words[key]):
        raise BadInput(f"{key} {words[key][:40]!r}: expected a number")
    return int(words[key])


def tournament_number(database: Database, text: str) -> int:
    """Returns the number of a tournament.

    Raises:
        UnknownName: The text is not a number; the message lists the tournaments.
    """
    if not _is_number(text):
        known = [str(row["id"]) for row in tournament_rows(database)]
        raise UnknownName("tournament", text[:40], known)
    return int(text)


def wanted_matches(query: Mapping[str, str], tournament: int | None) -> Wanted:
    """Returns the matches that an address asks for, with the filters of ``arena matches``.

    Raises:
        BadInput: A filter expects a number.
    """
    return Wanted(
        tournament=tournament,
        bot=query.get("bot", ""),
        against=query.get("against", ""),
        result=query.get("result", ""),
        cause=query.get("cause", ""),
        round=number(query, "round"),
        closest=number(query, "closest"),
    )


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= 9

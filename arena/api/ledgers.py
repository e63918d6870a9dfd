"""The ledger of a tournament, and the comparison of bots together and apart at its tables."""

from __future__ import annotations

from os import PathLike

from arena_results.queries import tournament

from arena.api.calls import address, whole
from arena.service.databases import open_database
from arena.service.ledger import ledger_document, make_ledger
from arena.service.rows import Document
from arena.service.together import fares_together, together_document


def tournament_losses(number: int, db: str | PathLike[str] | None = None) -> Document:
    """Adds up who won against whom on play, and who by which fault of the other.

    Args:
        number: Number of the tournament.
        db: Its database, open or by name; by default as ``open_database``.

    Returns:
        The document of ``arena tournament losses``: ``bots``, ``pairs``, and the ``void`` matches.

    Raises:
        UnknownName: There is no such tournament.
    """
    with open_database(address(db)) as database:
        stored = tournament(database, whole("number", number))
        return ledger_document(make_ledger(database, stored), number)


def tournament_together(number: int, db: str | PathLike[str] | None = None) -> Document:
    """Compares how each bot fares at tables with each other bot and without it.

    Args:
        number: Number of the tournament.
        db: Its database, open or by name; by default as ``open_database``.

    Returns:
        The document of ``arena tournament together``: ``pairs``, those that stand out most first.

    Raises:
        UnknownName: There is no such tournament.
        BadInput: It was played at tables of two.
    """
    with open_database(address(db)) as database:
        stored = tournament(database, whole("number", number))
        return together_document(number, fares_together(database, stored))

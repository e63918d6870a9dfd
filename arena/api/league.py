"""Leagues: the tokens of authors, who submit to a league over the network."""

from __future__ import annotations

from collections.abc import Callable
from os import PathLike
from pathlib import Path

from arena_results.bots import authors

from arena.api.common.calls import address, plugins, public
from arena.service.answers.arguments import text
from arena.service.answers.rows import Document, Row, rows_of
from arena.service.bots.remote_submit import submit_to
from arena.service.league.league_queue import now
from arena.service.league.plan import league_plan
from arena.service.league.tokens import token_row
from arena.service.storage.databases import open_database


@public
def check(file: str | PathLike[str], db: str | PathLike[str] | None = None) -> Document:
    """Checks the file of a league; returns what it plans: the document of ``arena check league``.

    Args:
        file: The league file.
        db: The database of the league, for how far its season and its final are.

    Raises:
        BadInput: The file cannot be read or is wrong, or this machine cannot run the league.
    """
    path = Path(text("file", file))
    with plugins() as registry:
        if db is None:
            return league_plan(registry, path, None, now())
        with open_database(address(db)) as database:
            return league_plan(registry, path, database, now())


@public
def submit(
    path: str | PathLike[str],
    server: str,
    token: str,
    progress: Callable[[Document], object] | None = None,
) -> Document:
    """Submits a bot to the league of a site, and waits for the decision.

    Args:
        path: A file, a .zip or .tar.gz archive, a wheel, or a folder.
        server: Address of the site.
        token: The author's token.
        progress: Called with the document of the submission whenever its state is another one.

    Returns:
        The document of the submission: ``state`` is ``"entered"``, ``"refused"`` or ``"failed"``,
        ``text`` has the reasons.

    Raises:
        BadInput: It cannot be read, the site cannot be reached, or does not take the submission.
    """
    changed = progress or (lambda document: None)
    return submit_to(server, text("path", path), token, changed)


@public
def new_token(
    author: str, db: str | PathLike[str] | None = None, *, organiser: bool = False
) -> str:
    """Makes a token of an author and returns it; it is not stored and cannot be read again.

    Args:
        author: The author's name.
        db: The database of the league, open or by name; by default as ``open_database``.
        organiser: Whether it is the token of an organiser, who runs events on the web site.

    Raises:
        BadInput: The author has no name that can be shown in a line.
    """
    with open_database(address(db), create=True) as database:
        return authors.new_token(database, author, now(), organises=organiser)


@public
def tokens(db: str | PathLike[str] | None = None) -> list[Row]:
    """Returns every token that was made: its first characters, author, status and times."""
    with open_database(address(db)) as database:
        return rows_of(map(token_row, authors.tokens(database)))


@public
def revoke_token(token: str, db: str | PathLike[str] | None = None) -> list[Row]:
    """Revokes a token by its first characters, or all of an author; returns what changed.

    Raises:
        UnknownName: There is no such token, and no such author.
    """
    with open_database(address(db)) as database:
        found = authors.revoke(database, token, now())
    return rows_of(map(token_row, found))

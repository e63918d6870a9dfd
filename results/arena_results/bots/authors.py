"""Keeps the tokens of authors and organisers, and their logins; stored are digests of secrets only.

A secret has 32 random bytes, so that its SHA-256 needs neither salt nor a slow hash. The token of
an organiser says so in its first characters, which no token of an author can have.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from hashlib import sha256
from secrets import token_urlsafe

import msgspec
from sqlalchemy import Connection, Row, delete, insert, select, update
from sqlmodel import col

from arena.core.described import described
from arena.core.errors import BadInput, UnknownName
from arena_results.file.database import Database
from arena_results.schema import tables

PREFIX = "arena_"
"""The beginning of every token, by which it is recognised where it should not be."""
ORGANISER = "organiser."
"""Follows the prefix in the token of an organiser; random characters have no dot."""
SHOWN = 8
"""Characters of a token after the prefix, and ``ORGANISER``, that are stored and name it."""
MAX_AUTHOR_LENGTH = 80
SESSION = timedelta(days=14)
"""The time for which a login lasts."""


class Revoked(BadInput):
    """Raised when a token was revoked between the begin of a request and its end."""


class Token(msgspec.Struct, frozen=True):
    """A token as it is stored, without its secret.

    Attributes:
        start: The first characters of the secret, which name it.
        used_at: The last submission or login by it.
        revoked_at: When it was revoked.
    """

    id: int
    author: str
    start: str
    made_at: datetime
    used_at: datetime | None = None
    revoked_at: datetime | None = None

    @property
    def organises(self) -> bool:
        """True for the token of an organiser."""
        return self.start.startswith(ORGANISER)


def new_token(database: Database, author: str, now: datetime, *, organises: bool = False) -> str:
    """Makes a token of an author, stores its digest, and returns it: it cannot be read again.

    Args:
        organises: Whether it is the token of an organiser.

    Raises:
        BadInput: The author has no name that can be shown in a line.
    """
    name = " ".join(author.split())
    if not name or not name.isprintable() or len(name) > MAX_AUTHOR_LENGTH:
        raise BadInput(
            f"an author has a name of 1 to {MAX_AUTHOR_LENGTH} characters that can be shown"
        )
    secret = PREFIX + (ORGANISER if organises else "") + token_urlsafe(32)
    row = {"author": name, "start": _start(secret), "digest": _digest(secret), "made_at": now}
    with database.writing() as connection:
        connection.execute(insert(tables.Token), [row])
    return secret


def tokens(database: Database) -> tuple[Token, ...]:
    """Returns every token, in the order in which they were made."""
    with database.reading() as connection:
        rows = connection.execute(select(*_COLUMNS).order_by(col(tables.Token.id)))
        return tuple(map(_token, rows))


def revoke(database: Database, start: str, now: datetime) -> tuple[Token, ...]:
    """Revokes the tokens that begin with a text, or all of an author, and the logins by them.

    Args:
        start: The first characters of a token, with or without the prefix, or an author's name.

    Returns:
        The tokens that were accepted until now.

    Raises:
        UnknownName: No token begins so, and no author has that name.
    """
    wanted = _start(start)
    found = [each for each in tokens(database) if start == each.author or each.start == wanted]
    if not found:
        choices = [f"{PREFIX}{each.start}" for each in tokens(database) if not each.revoked_at]
        raise UnknownName("token", start[: len(PREFIX + ORGANISER) + SHOWN], choices)
    open_ones = [each for each in found if each.revoked_at is None]
    numbers = [each.id for each in open_ones]
    with database.writing() as connection:
        connection.execute(
            update(tables.Token).where(col(tables.Token.id).in_(numbers)).values(revoked_at=now)
        )
        connection.execute(delete(tables.Session).where(col(tables.Session.token_id).in_(numbers)))
    return tuple(msgspec.structs.replace(each, revoked_at=now) for each in open_ones)


def author_of(database: Database, secret: str, now: datetime) -> Token | None:
    """Returns the token of a secret that is accepted, else ``None``; stores that it was used."""
    with database.writing() as connection:
        known = select(*_COLUMNS).where(col(tables.Token.digest) == _digest(secret))
        row = connection.execute(known.where(col(tables.Token.revoked_at).is_(None))).first()
        if row is None:
            return None
        connection.execute(
            update(tables.Token).where(col(tables.Token.id) == row.id).values(used_at=now)
        )
        return msgspec.structs.replace(_token(row), used_at=now)


def check_accepted(connection: Connection, number: int) -> None:
    """Raises ``Revoked`` unless the token of a number is accepted now."""
    chosen = select(col(tables.Token.id)).where(col(tables.Token.id) == number)
    if connection.execute(chosen.where(col(tables.Token.revoked_at).is_(None))).first() is None:
        raise Revoked("the token of this submission was revoked while it was sent")


def log_in(database: Database, token: Token, now: datetime) -> str:
    """Begins a login by a token, and returns its secret; drops expired logins."""
    secret = token_urlsafe(32)
    row = {"digest": _digest(secret), "token_id": token.id, "made_at": now}
    with database.writing() as connection:
        connection.execute(
            delete(tables.Session).where(col(tables.Session.made_at) <= now - SESSION)
        )
        connection.execute(insert(tables.Session), [row])
    return secret


def logged_in(database: Database, secret: str, now: datetime) -> Token | None:
    """Returns the token of a login; ``None`` without one, it is over, or its token revoked."""
    session = tables.Session
    chosen = (
        select(*_COLUMNS)
        .join(session, col(session.token_id) == col(tables.Token.id))
        .where(col(session.digest) == _digest(secret), col(session.made_at) > now - SESSION)
        .where(col(tables.Token.revoked_at).is_(None))
    )
    with database.reading() as connection:
        row = connection.execute(chosen).first()
    return None if row is None else _token(row)


def log_out(database: Database, secret: str) -> None:
    """Ends a login by its secret."""
    with database.writing() as connection:
        connection.execute(
            delete(tables.Session).where(col(tables.Session.digest) == _digest(secret))
        )


_COLUMNS = [getattr(tables.Token, name) for name in Token.__struct_fields__]


def _token(row: Row[*tuple[object, ...]]) -> Token:
    return msgspec.convert(dict(row._mapping), described(Token))


def _start(secret: str) -> str:
    after = secret.removeprefix(PREFIX)
    return after[: SHOWN + (len(ORGANISER) if after.startswith(ORGANISER) else 0)]


def _digest(secret: str) -> bytes:
    return sha256(secret.encode()).digest()

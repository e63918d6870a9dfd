"""The queue of submissions to a league: each is decided once, whichever process is killed
meanwhile.

A submission is ``received``, then ``qualifying``, and in the end ``entered``, ``refused`` or
``failed``. Every step is one transaction. After a stop, a ``qualifying`` one begins again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from enum import StrEnum

import msgspec
from sqlalchemy import ColumnElement, Connection, Row, func, insert, or_, select, update
from sqlmodel import col

from arena.core.described import described
from arena.core.errors import BadInput, UnknownName
from arena_results.bots.authors import check_accepted
from arena_results.file.database import Database
from arena_results.schema import tables

ATTEMPTS = 3
"""Times that the qualification of a submission may be cut off before it has failed."""
DAY = timedelta(days=1)


class UploadState(StrEnum):
    """The state of a submission to a league."""

    RECEIVED = "received"
    QUALIFYING = "qualifying"
    ENTERED = "entered"
    REFUSED = "refused"
    """It cannot be read, is not allowed, or broke a match."""
    FAILED = "failed"
    """The harness could not qualify it, which is not the bot's fault."""


WAITING = (UploadState.RECEIVED, UploadState.QUALIFYING)
"""The states of submissions that are not decided."""


NOBODY = ""
"""The author of a row that is not a submission to a league: a refusal by ``arena submit``."""


class TooMany(BadInput):
    """Raised for a submission beyond an author's limits.

    Args:
        after: Time after which the same submission may be accepted.
    """

    def __init__(self, message: str, after: timedelta) -> None:
        super().__init__(message)
        self.after = after


class Upload(msgspec.Struct, frozen=True, kw_only=True):
    """A submission to a league.

    Attributes:
        id: Its number, ascending by arrival.
        file: Name of the file that was sent.
        size: Bytes of it.
        ran: Whether a match of it was begun; only then it counts toward the daily limit.
        attempts: Times that its qualification was begun.
        bot: The version that was entered, ``NAME@VERSION``; empty before.
        text: The decision in the words of ``arena submit``.
        document: The JSON document of ``arena submit`` as text; empty before.
    """

    id: int
    author: str
    file: str
    size: int
    state: UploadState
    ran: bool = False
    attempts: int = 0
    bot: str = ""
    text: str = ""
    document: str = ""
    received_at: datetime
    changed_at: datetime


class UploadLimits(msgspec.Struct, frozen=True):
    """The limits of what an author may submit.

    Attributes:
        waiting: Submissions that are not decided, at a time.
        day: Submissions that ran, or wait, in 24 hours.
    """

    waiting: int = 3
    day: int = 10


def check_room(database: Database, author: str, limits: UploadLimits, now: datetime) -> None:
    """Raises ``TooMany`` if an author may not submit now."""
    with database.reading() as connection:
        _check_limits(connection, author, limits, now)


def receive(
    database: Database, author: str, file: str, content: bytes, limits: UploadLimits,
    now: datetime, *, token: int | None = None, check_open: Callable[[], object] | None = None,
) -> Upload:  # fmt: skip
    """Stores a submission; when this has returned it is not lost.

    Args:
        token: Number of the token by which it was sent, which may be revoked while it arrives.
        check_open: Called within the transaction, before anything is stored; raises ``BadInput`` if
            submissions are closed.

    Raises:
        Revoked: The token is not accepted any more; nothing is stored.
        TooMany: The author has as many waiting, or has submitted as many in 24 hours.
    """
    with database.writing() as connection:
        if check_open is not None:
            check_open()
        if token is not None:
            check_accepted(connection, token)
        _check_limits(connection, author, limits, now)
        return _stored(connection, author, UploadState.RECEIVED, now, file=file, archive=content)


def _check_limits(connection: Connection, author: str, limits: UploadLimits, now: datetime) -> None:
    upload = tables.Upload
    own = col(upload.author) == author
    waiting = col(upload.state).in_(WAITING)
    count = select(func.count()).select_from(upload)
    if connection.execute(count.where(own, waiting)).scalar_one() >= limits.waiting:
        raise TooMany(
            f"{author} has {limits.waiting} submissions waiting; send the next when one is decided",
            timedelta(minutes=1),
        )
    counted = select(col(upload.received_at)).where(
        own, or_(waiting, col(upload.ran)), col(upload.received_at) > now - DAY
    )
    times = connection.execute(counted.order_by(col(upload.received_at))).scalars().all()
    if len(times) >= limits.day:
        oldest = times[len(times) - limits.day]
        raise TooMany(
            f"{author} has submitted {limits.day} bots in 24 hours, the most allowed; "
            "bots that were refused before any match do not count",
            oldest + DAY - now,
        )


def undecided(database: Database) -> int:
    """Returns how many submissions wait for a decision.

    Whatever is being stored meanwhile is stored before and counted.
    """
    upload = tables.Upload
    count = select(func.count()).select_from(upload).where(col(upload.state).in_(WAITING))
    with database.writing() as connection:
        return connection.execute(count).scalar_one()


def take_next(
    database: Database, now: datetime, most_of_author: int
) -> tuple[Upload, bytes] | None:
    """Begins the next waiting submission, and returns it with its file.

    It is the oldest of the authors with the fewest qualifying ones.

    Args:
        most_of_author: Submissions of an author that may be qualifying at a time.
    """
    upload = tables.Upload
    with database.writing() as connection:
        chosen = select(col(upload.id), col(upload.author), col(upload.state))
        rows = connection.execute(chosen.where(col(upload.state).in_(WAITING))).all()
        busy = Counter(row.author for row in rows if row.state == UploadState.QUALIFYING)
        waiting = [
            (busy[row.author], row.id)
            for row in rows
            if row.state == UploadState.RECEIVED and busy[row.author] < most_of_author
        ]
        if not waiting:
            return None
        _, number = min(waiting)
        begun = {"state": UploadState.QUALIFYING.value, "attempts": col(upload.attempts) + 1}
        (changed,) = _changed(connection, now, col(upload.id) == number, **begun)
        content = connection.execute(select(col(upload.archive)).where(col(upload.id) == number))
        return changed, content.scalar_one()


def give_back(database: Database, taken: Upload, now: datetime) -> None:
    """Returns a submission to the queue whose qualification could not be begun."""
    upload = tables.Upload
    back = {"state": UploadState.RECEIVED.value, "attempts": col(upload.attempts) - 1}
    with database.writing() as connection:
        _changed(connection, now, col(upload.id) == taken.id, **back)


def cut_off(database: Database) -> tuple[tuple[Upload, bytes], ...]:
    """Returns the submissions that are qualifying for the ``ATTEMPTS``th time, with their files.

    After a stop they do not begin again.
    """
    upload = tables.Upload
    chosen = select(*_COLUMNS, col(upload.archive)).where(
        col(upload.state) == UploadState.QUALIFYING.value, col(upload.attempts) >= ATTEMPTS
    )
    with database.reading() as connection:
        rows = connection.execute(chosen.order_by(col(upload.id))).all()
    return tuple((_upload(row), row.archive) for row in rows)


def begin_again(database: Database, now: datetime) -> tuple[Upload, ...]:
    """Returns submissions to the queue whose qualification was interrupted.

    One that was interrupted ``ATTEMPTS`` times has failed.

    Returns:
        The changed submissions.
    """
    upload = tables.Upload
    begun = col(upload.state) == UploadState.QUALIFYING.value
    text = f"its qualification was cut off {ATTEMPTS} times; ask the organiser"
    ended = {"state": UploadState.FAILED.value, "text": text, "archive": b""}
    with database.writing() as connection:
        failed = _changed(connection, now, begun, col(upload.attempts) >= ATTEMPTS, **ended)
        again = _changed(connection, now, begun, state=UploadState.RECEIVED.value)
    return tuple(sorted((*failed, *again), key=lambda each: each.id))


def decide(
    database: Database,
    number: int,
    state: UploadState,
    now: datetime,
    *,
    text: str,
    document: str = "",
    bot: str = "",
    ran: bool = False,
) -> Upload:
    """Stores the decision on a submission that is qualifying, and drops its file.

    Raises:
        BadInput: It is not qualifying.
        UnknownName: No submission has that number.
    """
    upload = tables.Upload
    qualifying = col(upload.state) == UploadState.QUALIFYING.value
    found = {"text": text, "document": document, "bot": bot, "ran": ran}
    decided = {**found, "state": state.value, "archive": b""}
    with database.writing() as connection:
        changed = _changed(connection, now, col(upload.id) == number, qualifying, **decided)
    if not changed:
        raise BadInput(f"submission {number} is {upload_numbered(database, number).state}")
    return changed[0]


def upload_numbered(database: Database, number: int) -> Upload:
    """Returns a submission; raises ``UnknownName`` without one of that number."""
    upload = tables.Upload
    with database.reading() as connection:
        row = connection.execute(select(*_COLUMNS).where(col(upload.id) == number)).first()
        if row is None:
            last = connection.execute(select(func.max(col(upload.id)))).scalar()
            choices = [f"1 to {last}"] if last else []
            raise UnknownName("submission", str(number), choices)
    return _upload(row)


def uploads(
    database: Database, states: Sequence[UploadState] = (), author: str = "", last: int = 0
) -> tuple[Upload, ...]:
    """Returns submissions by arrival.

    Args:
        states: Only submissions in these states.
        author: Only those by this author.
        last: Only that many of the latest; 0 for all.
    """
    upload = tables.Upload
    chosen = select(*_COLUMNS)
    chosen = chosen.where(col(upload.author) != NOBODY)
    if states:
        chosen = chosen.where(col(upload.state).in_(states))
    if author:
        chosen = chosen.where(col(upload.author) == author)
    chosen = chosen.order_by(col(upload.id).desc())
    if last:
        chosen = chosen.limit(last)
    with database.reading() as connection:
        return tuple(map(_upload, reversed(connection.execute(chosen).all())))


def note_refusal(database: Database, text: str, document: str, now: datetime) -> None:
    """Stores that ``arena submit`` has refused a bot, and why, in the words of ``Upload``."""
    found = {"text": text, "document": document, "ran": True, "attempts": 1}
    with database.writing() as connection:
        _stored(connection, NOBODY, UploadState.REFUSED, now, **found)


def refusals(database: Database) -> tuple[Upload, ...]:
    """Returns the bots that were refused after a match, or start; the latest first."""
    upload = tables.Upload
    refused = col(upload.state) == UploadState.REFUSED.value
    chosen = select(*_COLUMNS).where(refused, col(upload.document) != "")
    with database.reading() as connection:
        rows = connection.execute(chosen.order_by(col(upload.id).desc())).all()
    return tuple(map(_upload, rows))


_COLUMNS = [getattr(tables.Upload, name) for name in Upload.__struct_fields__]


def _stored(
    connection: Connection, author: str, state: UploadState, now: datetime, **values: object
) -> Upload:
    made = Upload(
        id=0, author=author, file="", size=0, state=state, received_at=now, changed_at=now
    )
    row = msgspec.structs.asdict(made) | {"state": state.value, "archive": b"", **values}
    row["size"] = len(row["archive"])
    del row["id"]  # it is given by the database
    stored = connection.execute(insert(tables.Upload).returning(*_COLUMNS), [row])
    return _upload(stored.one())


def _changed(
    connection: Connection, now: datetime, *which: ColumnElement[bool], **values: object
) -> list[Upload]:
    change = update(tables.Upload).where(*which).values(**values, changed_at=now)
    return [*map(_upload, connection.execute(change.returning(*_COLUMNS)))]


def _upload(row: Row[*tuple[object, ...]]) -> Upload:
    return msgspec.convert(dict(row._mapping), described(Upload))

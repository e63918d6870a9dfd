"""Stores submitted bots with their files, finds them by name and version, switches them off.

A version that was entered never changes: matches and ratings refer to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

import msgspec
from sqlalchemy import Connection, Row, bindparam, insert, select, type_coerce, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.types import NULLTYPE
from sqlmodel import col

from arena.core.described import described
from arena.core.errors import BadInput, UnknownName
from arena.core.metadata import BotMetadata
from arena.core.text.bot_names import alike
from arena.core.tournaments.format import SHOWN_DIGITS, Participant
from arena_results.file.database import Database
from arena_results.schema import tables


class SubmissionStatus(StrEnum):
    """The status of a submitted bot: it can be entered or not."""

    ENABLED = "enabled"
    DISABLED = "disabled"
    """It stays in the results and on the leaderboard, but plays no new tournament."""


class CheckSummary(msgspec.Struct, frozen=True):
    """A bot's results against one opponent when it was qualified.

    Attributes:
        deterministic: Whether it did the same again under the same seeds.
    """

    matches: int
    points: float
    deterministic: bool
    isolation: str


class GameReport(msgspec.Struct, frozen=True):
    """The findings of the qualification for one game.

    Attributes:
        against: The results of the matches, by the opponent's name.
    """

    ruleset: str
    against: dict[str, CheckSummary]


class NewSubmission(BotMetadata, frozen=True, kw_only=True):
    """A bot version to be stored, with the games for which it qualified.

    Attributes:
        content: Content hash of its files.
        deterministic: Whether it played alike under the same seeds.
        report: The findings of its qualification, by game.
    """

    content: str
    deterministic: bool
    report: dict[str, GameReport] = {}


class Submission(NewSubmission, frozen=True, kw_only=True):
    """A bot version as it is stored, without its files.

    Attributes:
        id: Number within this database, ascending in the order of submission.
    """

    id: int
    status: SubmissionStatus
    submitted_at: datetime

    @property
    def spelling(self) -> str:
        """The name as typed that names exactly this version."""
        return f"{self.name}@{self.version}"


def submissions(database: Database, name: str | None = None) -> tuple[Submission, ...]:
    """Returns every submitted version, or all of one name, in the order of submission."""
    with database.reading() as connection:
        return _stored(connection, name)


def twin(database: Database, name: str, version: str, content: str) -> Submission | None:
    """Returns the stored version that equals a submission, if there is one.

    Where the submission declares no version, its content decides.

    Raises:
        BadInput: That version is stored with other content.
    """
    for stored in submissions(database, name):
        if stored.version == (version or stored.version) and stored.content == content:
            return stored
        if stored.version == version:
            raise _other_content(stored, content)
    return None


def ages(database: Database) -> dict[Participant, tuple[int, int]]:
    """Returns each bot version's age, to sort by: its number as a submission, then a participant.

    Other bots come first, by their numbers as participants.
    """
    bot, who = tables.Submission, tables.Participant
    submitted = select(col(bot.name), col(bot.version), col(bot.content), col(bot.id))
    entered = select(col(who.name), col(who.version), col(who.content), col(who.id))
    with database.reading() as connection:
        numbers = {tuple(key): number or 0 for *key, number in connection.execute(submitted)}
        rows = connection.execute(entered).all()
        if unnamed := [number for name, *_, number in rows if not isinstance(name, str)]:
            # Reported with the file's name.
            raise ValueError(f"participant {unnamed[0]} has no name")
        return {
            Participant(name, version, content): (
                numbers.get((name.partition("(")[0], version, content), 0),
                number or 0,
            )
            for name, version, content, number in rows
        }


def next_number(database: Database, name: str) -> str:
    """Returns the version of a bot that declares none: ``"1"``, ``"2"``, ... by submission."""
    taken = {stored.version for stored in submissions(database, name)}
    return next(str(n) for n in range(1, len(taken) + 2) if str(n) not in taken)


def add(database: Database, new: NewSubmission, archive: bytes) -> Submission:
    """Stores a new version with its files, enabled, and returns it; the same again changes nothing.

    Raises:
        BadInput: That version is stored with other content, or the name is too like another;
            nothing was changed.
    """
    row = _row(new) | {
        "archive": archive,
        "status": SubmissionStatus.ENABLED.value,
        "submitted_at": datetime.now(UTC),
    }
    try:
        with database.writing() as connection:
            names = {each.name for each in _stored(connection, None)}
            if new.name not in names and (like := alike(new.name, names)):
                raise BadInput(f"the name {new.name} is too like {like}, which was entered before")
            connection.execute(insert(tables.Submission), [row])
    except IntegrityError as error:  # its name and version are taken: by itself, or by another
        if twin(database, new.name, new.version, new.content) is None:
            raise database.failed(error) from error
    return find(database, new.name, new.version, disabled_too=True)


def find(
    database: Database, name: str, version: str = "", *, disabled_too: bool = False
) -> Submission:
    """Finds a submitted version; without a version the latest that is enabled.

    Raises:
        UnknownName: There is no such bot, or no such version of it.
        BadInput: It is disabled, and only ``disabled_too`` would find it.
    """
    with database.reading() as connection:
        found = _versions(connection, name, version)
        if not found:
            raise _unknown(connection, name, version)
    for stored in reversed(found):
        if disabled_too or stored.status is SubmissionStatus.ENABLED:
            return stored
    spelling = found[-1].spelling if version else name
    raise BadInput(
        f"bot {spelling} is disabled; to enable it: arena bots enable {spelling}{database.option}"
    )


def set_status(
    database: Database, name: str, version: str, status: SubmissionStatus
) -> tuple[Submission, ...]:
    """Enables or disables one version of a bot, or all; returns the changed ones.

    Raises:
        UnknownName: The bot, or the version, does not exist.
    """
    with database.writing() as connection:
        found = _versions(connection, name, version)
        if not found:
            raise _unknown(connection, name, version)
        changed = tuple(stored for stored in found if stored.status is not status)
        connection.execute(
            update(tables.Submission)
            .where(col(tables.Submission.id).in_([stored.id for stored in changed]))
            .values(status=status.value)
        )
    return tuple(msgspec.structs.replace(stored, status=status) for stored in changed)


def archive(database: Database, id: int) -> bytes:
    """Returns the files of a submitted version, as they were packed."""
    with database.reading() as connection:
        column = select(type_coerce(col(tables.Submission.archive), NULLTYPE))
        stored = connection.execute(column.where(col(tables.Submission.id) == id)).scalar_one()
        if not isinstance(stored, bytes):
            raise TypeError(f"submission {id}: its archive is not bytes")  # the caller adds where
        return stored


_COLUMNS = [name for name in tables.Submission.model_fields if name != "archive"]
_JSON = ("games", "target", "requires", "report")
# Statements are made once: to make one takes longer than it takes to run.
_ALL = select(*(getattr(tables.Submission, column) for column in _COLUMNS)).order_by(
    col(tables.Submission.id)
)
_OF_NAME = _ALL.where(col(tables.Submission.name) == bindparam("name"))


def _stored(connection: Connection, name: str | None = None) -> tuple[Submission, ...]:
    given = {} if name is None else {"name": name}
    rows = connection.execute(_OF_NAME if given else _ALL, given)
    return tuple(map(_submission, rows))


def _versions(connection: Connection, name: str, version: str) -> Sequence[Submission]:
    return [each for each in _stored(connection, name) if version in ("", each.version)]


def _submission(row: Row[*tuple[Any, ...]]) -> Submission:
    values = dict(row._mapping)
    try:
        values |= {column: msgspec.json.decode(values[column]) for column in _JSON}
        if values["kind"] == "program":
            values |= {"command": values["target"], "target": ""}
        stored = msgspec.convert(values, described(Submission))
        if stored.kind != values["kind"]:
            raise ValueError(f"its kind is {values['kind']!r}")
        return stored
    except (TypeError, ValueError, msgspec.MsgspecError) as error:
        raise ValueError(f"submission {values['id']}: {error}") from None  # the caller adds where


def _row(new: NewSubmission) -> dict[str, object]:
    values = msgspec.structs.asdict(new) | {"kind": new.kind}
    command = values.pop("command")
    if new.kind == "program":
        values["target"] = command
    return values | {name: msgspec.json.encode(values[name]).decode() for name in _JSON}


def _other_content(stored: Submission, content: str) -> BadInput:
    there, given = stored.content[:SHOWN_DIGITS], content[:SHOWN_DIGITS]
    return BadInput(
        f"bot {stored.spelling} is in the registry with other content ({there}, not {given}); "
        "give the changed bot a new version"
    )


def _unknown(connection: Connection, name: str, version: str) -> UnknownName:
    known = [each.version for each in _stored(connection, name)]
    if known:
        return UnknownName(f"version of bot {name}", version, known)
    return UnknownName("submitted bot", name, {each.name for each in _stored(connection)})

"""Defines the tables of a results database, all in one module.

A match's key is (tournament, round, pairing, leg), in whose order its rows stand. Columns mean what
the fields of the same name mean in ``rows``, ``submissions`` and ``arena.core.record``. Tuples of a
match are msgpack (``packing``), for there may be millions; those of a round are JSON. Rows of a
tournament carry a checksum (``checksums``), and the tournament counts them.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, TypeAlias

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    DateTime,
    Dialect,
    Float,
    ForeignKey,
    ForeignKeyConstraint,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    TypeDecorator,
    UniqueConstraint,
    text,
)
from sqlalchemy.types import TypeEngine

# A constraint without a name cannot be altered by a later migration.
METADATA = MetaData(
    naming_convention={
        "ix": "ix_%(column_0_label)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)
"""The schema: all tables of this module."""


class Moment(TypeDecorator[datetime]):
    """A time, in UTC in the file as in the program; one without a zone is refused."""

    impl = DateTime
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is not None and value.utcoffset() is None:
            raise ValueError(f"{value} has no time zone")
        return value and value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return value and value.replace(tzinfo=UTC)


Type: TypeAlias = TypeEngine[Any] | type[TypeEngine[Any]]


def _key(name: str, type: Type = Integer, *more: ForeignKey) -> Column[Any]:
    """Returns a column of the primary key."""
    return Column(name, type, *more, primary_key=True)


def _has(name: str, type: Type = String, *more: ForeignKey, unique: bool = False) -> Column[Any]:
    """Returns a column that is never empty."""
    return Column(name, type, *more, nullable=False, unique=unique or None)


def _may(name: str, type: Type = String) -> Column[Any]:
    """Returns a column that may be empty."""
    return Column(name, type)


def _sought(name: str, type: Type = String) -> Column[Any]:
    """Returns a column by which rows are looked for."""
    return Column(name, type, nullable=False, index=True)


def _count(name: str) -> Column[Any]:
    """Returns a column that counts from 0."""
    return Column(name, Integer, nullable=False, default=0, server_default="0")


def _later(name: str) -> Column[Any]:
    """Returns a column of text that rows of an older schema have not, and that begins empty."""
    return Column(name, String, nullable=False, default="", server_default=text("''"))


def _checksum() -> Column[Any]:
    """Returns the column of ``checksums``; a row that is inserted without it has none that fits."""
    return Column("checksum", LargeBinary, nullable=False, default=b"", server_default=text("x''"))


def _of_tournament() -> Column[Any]:
    return _key("tournament_id", Integer, ForeignKey("tournament.id"))


def _in_round() -> ForeignKeyConstraint:
    return ForeignKeyConstraint(["tournament_id", "round"], ["round.tournament_id", "round.number"])


tournament = Table(
    "tournament",
    METADATA,
    _checksum(),
    _key("id"),
    _has("name"),
    _has("game"),
    _has("ruleset"),
    _has("engine"),
    _has("format"),
    _has("games", Integer),
    _has("mirrored", Boolean),
    _has("rounds", Integer),
    _may("seed", BigInteger),
    _may("key"),
    _has("seed_origin"),
    _may("nonce"),
    _may("commitment"),
    _may("value_function"),
    _may("value_hash"),
    _has("stake", BigInteger),
    _has("purse", BigInteger),
    _has("status"),
    _has("spec", Text),
    _has("created_at", Moment),
    _may("finished_at", Moment),
    _count("entry_count"),
    _count("round_count"),
    _count("match_count"),
    _later("pause"),
    _count("void_count"),
    _count("ruling_count"),
    _count("log_count"),
)
"""One tournament, from the moment its field is fixed; a ``rows.TournamentSummary``.

The counts are of its rows in other tables. ``pause`` asks its runner to pause after the
``match`` or the ``round``.
"""

participant = Table(
    "participant",
    METADATA,
    _key("id"),
    _has("key", unique=True),
    _has("name"),
    _has("version"),
    _has("content"),
)
"""A bot version that was ever entered, to which ratings belong (``Participant``)."""

entry = Table(
    "entry",
    METADATA,
    _checksum(),
    _of_tournament(),
    _key("index"),
    _has("participant_id", Integer, ForeignKey("participant.id")),
    _has("rating", Float),
    _later("author"),
)
"""A participant's place in one tournament's field; indices are from 0, in initial order."""

round = Table(
    "round",
    METADATA,
    _checksum(),
    _of_tournament(),
    _key("number"),
    _has("pairings", Text),
    _has("byes", Text),
    _may("chain"),
)
"""A round's pairings, stored before they are played, so that a resumed run pairs nothing twice.

Pairings are arrays of field indices in seat order, in board order. The chain's head (``chain``)
is added when the last match of the round is stored.
"""

ruling = Table(
    "ruling",
    METADATA,
    _checksum(),
    _of_tournament(),
    _key("number"),
    _has("kind"),
    _has("entry", Integer),
    _has("round", Integer),
    _has("now", Boolean),
    _has("points", Float),
    _has("void", Boolean),
    _has("reason", Text),
    _has("made_at", Moment),
)
"""A decision of the organiser (``arena.core.rulings``), numbered from 1 in their order."""

match = Table(
    "match",
    METADATA,
    _checksum(),
    _key("tournament_id"),
    _key("round"),
    _key("pairing"),
    _key("leg"),
    _has("seats", LargeBinary),
    _has("seed", BigInteger),
    _has("returns", LargeBinary),
    _has("scores", LargeBinary),
    _may("termination"),
    _may("offender", Integer),
    _may("move", Integer),
    _has("expelled", LargeBinary),
    _has("record", LargeBinary),
    _has("nanoseconds", LargeBinary),
    _has("requests", LargeBinary),
    _may("isolation"),
    _has("error", Text),
    _has("cpu_nanoseconds", LargeBinary),
    _in_round(),
    sqlite_with_rowid=False,
)
"""A match that was played, exactly once, as ``packing`` packs it.

A ``rows.MatchRow``; the rest of its record; and its ``Measurement``, which is never in ratings.
"""

void = Table(
    "void",
    METADATA,
    _checksum(),
    _key("tournament_id"),
    _key("round"),
    _key("pairing"),
    _key("leg"),
    _key("attempt"),
    _has("cause"),
    _may("offender", Integer),
    _has("reason", Text),
    _has("at", Moment),
    _in_round(),
)
"""A match that was begun and does not count: a ``rows.VoidMatch``."""

log = Table(
    "log",
    METADATA,
    _checksum(),
    _key("tournament_id"),
    _key("round"),
    _key("pairing"),
    _key("leg"),
    _key("seat"),
    _has("entrant", Integer),
    _has("cause"),
    _has("text", Text),
    ForeignKeyConstraint(
        ["tournament_id", "round", "pairing", "leg"],
        ["match.tournament_id", "match.round", "match.pairing", "match.leg"],
    ),
)
"""The log of a seat's bot in one match: a ``SeatLog``.

``entrant`` is the index of the bot in the field; ``cause`` is why it lost, empty if it broke
nothing.
"""

tally = Table(
    "tally",
    METADATA,
    _checksum(),
    _key("tournament_id"),
    _key("round"),
    _key("pairing"),
    _has("sums", LargeBinary),
    _in_round(),
    sqlite_with_rowid=False,
)
"""The sums over the stored matches of a pairing: a ``sums.PairingSums`` as msgpack."""

luck = Table(
    "luck",
    METADATA,
    _checksum(),
    _key("tournament_id"),
    _key("round"),
    _key("pairing"),
    _has("sums", LargeBinary),
    _in_round(),
    sqlite_with_rowid=False,
)
"""The sums over the luck of a pairing's matches: a ``rows.LuckSums`` as msgpack.

It may be deleted: it is computed again from the records.
"""

value_function = Table(
    "value_function",
    METADATA,
    _checksum(),
    _key("hash", String),
    _has("name"),
    _has("content", LargeBinary),
)
"""The file of a learned value function that tournaments fixed, packed (``value_files``)."""

board = Table(
    "board",
    METADATA,
    _key("game", String),
    _key("ruleset", String),
    _has("rows", LargeBinary),
    _has("fits", LargeBinary),
)
"""The rows of a large leaderboard as they were computed (``boards``); it may be deleted."""

submission = Table(
    "submission",
    METADATA,
    _key("id"),
    _has("name"),
    _has("version"),
    _has("content"),
    _has("author"),
    _has("licence"),
    _has("games", Text),
    _has("language"),
    _has("kind"),
    _has("target", Text),
    _has("requires", Text),
    _has("archive", LargeBinary),
    _has("status"),
    _has("deterministic", Boolean),
    _has("report", Text),
    _has("submitted_at", Moment),
    UniqueConstraint("name", "version"),
)
"""A bot version that was submitted and qualified: a ``submissions.Submission`` with its files.

Games, target, requirements and report are JSON; the target of a program is its command. The
archive is a zip archive. A name's versions go by their numbers.
"""

token = Table(
    "token",
    METADATA,
    _key("id"),
    _sought("author"),
    _has("start"),
    _has("digest", LargeBinary, unique=True),
    _has("made_at", Moment),
    _may("used_at", Moment),
    _may("revoked_at", Moment),
)
"""A secret by which an author submits: an ``authors.Token``; its digest is SHA-256."""

session = Table(
    "session",
    METADATA,
    _key("digest", LargeBinary),
    _has("token_id", Integer, ForeignKey("token.id")),
    _has("made_at", Moment),
)
"""An author's login in a browser by one of its tokens; ends with that, or after a time."""

upload = Table(
    "upload",
    METADATA,
    _key("id"),
    _sought("author"),
    _has("file"),
    _has("size", Integer),
    _has("archive", LargeBinary),
    _sought("state"),
    _has("ran", Boolean),
    _has("attempts", Integer),
    _has("bot"),
    _has("text", Text),
    _has("document", Text),
    _has("received_at", Moment),
    _has("changed_at", Moment),
)
"""A submission to a league, from its arrival on: an ``uploads.Upload`` with what was sent.

The archive is emptied when it is decided; an entered bot is a ``Submission``.
"""

season = Table(
    "season",
    METADATA,
    _key("league", String),
    _key("number"),
    _has("tournament_id", Integer, ForeignKey("tournament.id"), unique=True),
)
"""A season of a league: the tournament in which it is played."""

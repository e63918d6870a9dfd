"""Defines the tables of a results database, all in one module.

A match's key is (tournament, round, pairing, leg), in whose order its rows stand. Columns mean what
the fields of the same name mean in ``rows``, ``submissions`` and ``arena.core.record``. Tuples of a
match are msgpack (``packing``), for there may be millions; those of a round are JSON. Rows of a
tournament carry a checksum (``checksums``), and the tournament counts them.
"""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import (
    BigInteger,
    ForeignKeyConstraint,
    Integer,
    LargeBinary,
    Text,
    UniqueConstraint,
    text,
)
from sqlmodel import Field, SQLModel

METADATA = SQLModel.metadata
"""The schema: all tables of this module."""

# Before the models: a constraint without a name cannot be altered by a later migration.
METADATA.naming_convention = {
    "ix": "ix_%(column_0_label)s",
    "uq": "uq_%(table_name)s_%(column_0_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}


class _Sealed(SQLModel):
    """A row with a checksum.

    Attributes:
        checksum: See ``checksums``; a row that was inserted without it has none that fits.
    """

    checksum: bytes = Field(
        default=b"", sa_type=LargeBinary, sa_column_kwargs={"server_default": text("x''")}
    )


class _OfPairing(_Sealed):
    """A row of a pairing."""

    tournament_id: int = Field(primary_key=True)
    round: int = Field(primary_key=True)
    pairing: int = Field(primary_key=True)


class _OfMatch(_OfPairing):
    """A row of a match."""

    leg: int = Field(primary_key=True)


def _of_round() -> ForeignKeyConstraint:
    return ForeignKeyConstraint(["tournament_id", "round"], ["round.tournament_id", "round.number"])


def _of_match() -> ForeignKeyConstraint:
    return ForeignKeyConstraint(
        ["tournament_id", "round", "pairing", "leg"],
        ["match.tournament_id", "match.round", "match.pairing", "match.leg"],
    )


class Tournament(_Sealed, table=True):
    """One tournament, from the moment its field is fixed; a ``rows.TournamentSummary``.

    The counts are of its rows in other tables. ``pause`` asks its runner to pause after the
    ``match`` or the ``round``.
    """

    id: int | None = Field(default=None, primary_key=True)
    name: str
    game: str
    ruleset: str
    engine: str
    format: str
    games: int
    mirrored: bool
    rounds: int
    seed: int | None = Field(sa_type=BigInteger)
    key: str | None
    seed_origin: str
    nonce: str | None = None
    commitment: str | None = None
    value_function: str | None = None
    value_hash: str | None = None
    stake: int = Field(sa_type=BigInteger)
    purse: int = Field(sa_type=BigInteger)
    status: str
    spec: str = Field(sa_type=Text)
    created_at: datetime
    finished_at: datetime | None = None
    entry_count: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    round_count: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    match_count: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    pause: str = Field(default="", sa_column_kwargs={"server_default": text("''")})
    void_count: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    ruling_count: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    log_count: int = Field(default=0, sa_column_kwargs={"server_default": "0"})


class Participant(SQLModel, table=True):
    """A bot version that was ever entered, to which ratings belong (``Participant``)."""

    id: int | None = Field(default=None, primary_key=True)
    key: str = Field(unique=True)
    name: str
    version: str
    content: str


class Entry(_Sealed, table=True):
    """A participant's place in one tournament's field; indices are from 0, in initial order."""

    tournament_id: int = Field(primary_key=True, foreign_key="tournament.id")
    index: int = Field(primary_key=True)
    participant_id: int = Field(foreign_key="participant.id")
    rating: float
    author: str = Field(default="", sa_column_kwargs={"server_default": text("''")})


class Round(_Sealed, table=True):
    """A round's pairings, stored before they are played, so that a resumed run pairs nothing twice.

    Pairings are arrays of field indices in seat order, in board order. The chain's head (``chain``)
    is added when the last match of the round is stored.
    """

    tournament_id: int = Field(primary_key=True, foreign_key="tournament.id")
    number: int = Field(primary_key=True)
    pairings: str = Field(sa_type=Text)
    byes: str = Field(sa_type=Text)
    chain: str | None = None


class Ruling(_Sealed, table=True):
    """A decision of the organiser (``core.tournaments.rulings``), numbered from 1."""

    tournament_id: int = Field(primary_key=True, foreign_key="tournament.id")
    number: int = Field(primary_key=True)
    kind: str
    entry: int
    round: int
    now: bool
    points: float
    void: bool
    reason: str = Field(sa_type=Text)
    made_at: datetime


class Match(_OfMatch, table=True):
    """A match that was played, exactly once, as ``packing`` packs it.

    A ``rows.MatchRow``; the rest of its record; and its ``Measurement``, which is never in ratings.
    """

    __table_args__ = (_of_round(), {"sqlite_with_rowid": False})

    seats: bytes = Field(sa_type=LargeBinary)
    seed: int = Field(sa_type=BigInteger)
    returns: bytes = Field(sa_type=LargeBinary)
    scores: bytes = Field(sa_type=LargeBinary)
    termination: str | None = None
    offender: int | None = None
    move: int | None = None
    expelled: bytes = Field(sa_type=LargeBinary)
    record: bytes = Field(sa_type=LargeBinary)
    nanoseconds: bytes = Field(sa_type=LargeBinary)
    requests: bytes = Field(sa_type=LargeBinary)
    isolation: str | None = None
    error: str = Field(sa_type=Text)
    cpu_nanoseconds: bytes = Field(sa_type=LargeBinary)


class Void(_OfMatch, table=True):
    """A match that was begun and does not count: a ``rows.VoidMatch``."""

    __table_args__ = (_of_round(),)

    attempt: int = Field(primary_key=True)
    cause: str
    offender: int | None = None
    reason: str = Field(sa_type=Text)
    at: datetime


class Place(_OfMatch, table=True):
    """The place of a match that another machine played: by name; it has no row if this one did.

    It is not part of the tournament, and in no export.
    """

    __table_args__ = (_of_match(), {"sqlite_with_rowid": False})

    name: str


class Log(_OfMatch, table=True):
    """The log of a seat's bot in one match: a ``SeatLog``.

    Attributes:
        entrant: Index of the bot in the field.
        cause: The cause by which it lost; empty if it broke nothing.
    """

    __table_args__ = (_of_match(),)

    seat: int = Field(primary_key=True)
    entrant: int
    cause: str
    text: str = Field(sa_type=Text)


class Exchange(SQLModel, table=True):
    """A question to an endpoint of a language model, with its answer: a ``StoredExchange``.

    It is the journal of a match that is played, and its transcript afterwards. It has no checksum:
    it is not part of the tournament's results. Bodies stand last, so that sums need not read them.

    Attributes:
        digest: SHA-256 of the request's body.
        replaced: 0 for a match as it stands; else it was replaced, and this counts when.
        entrant: Index of the bot in the field.
        cost: Millionths of a dollar; unknown where prices or tokens are.
        asked: The request's body, deflated; empty if it is not stored.
        answer: The answer's body, deflated; empty if it was purged.
    """

    tournament_id: int = Field(primary_key=True, foreign_key="tournament.id")
    round: int = Field(primary_key=True)
    pairing: int = Field(primary_key=True)
    leg: int = Field(primary_key=True)
    seat: int = Field(primary_key=True)
    decision: int = Field(primary_key=True)
    attempt: int = Field(primary_key=True)
    digest: bytes = Field(primary_key=True, sa_type=LargeBinary)
    replaced: int = Field(primary_key=True)
    entrant: int
    status: int
    milliseconds: int
    prompt_tokens: int | None = None
    cached_tokens: int | None = None
    completion_tokens: int | None = None
    cost: int | None = Field(default=None, sa_type=BigInteger)
    finish: str
    reading: str
    action: str
    played_for: bool
    asked: bytes = Field(sa_type=LargeBinary)
    answer: bytes = Field(sa_type=LargeBinary)


class Tally(_OfPairing, table=True):
    """The sums over the stored matches of a pairing: a ``sums.PairingSums`` as msgpack."""

    __table_args__ = (_of_round(), {"sqlite_with_rowid": False})

    sums: bytes = Field(sa_type=LargeBinary)


class Luck(_OfPairing, table=True):
    """The sums over the luck of a pairing's matches: a ``rows.LuckSums`` as msgpack.

    It may be deleted: it is computed again from the records.
    """

    __table_args__ = (_of_round(), {"sqlite_with_rowid": False})

    sums: bytes = Field(sa_type=LargeBinary)


class Dictionary(_Sealed, table=True):
    """Bytes by which a tournament's records are deflated (``packing``), from its first matches."""

    tournament_id: int = Field(primary_key=True, foreign_key="tournament.id")
    content: bytes = Field(sa_type=LargeBinary)


class ValueFunction(_Sealed, table=True):
    """The file of a learned value function that tournaments fixed, packed (``value_files``)."""

    __tablename__ = "value_function"

    hash: str = Field(primary_key=True)
    name: str
    content: bytes = Field(sa_type=LargeBinary)


class Board(SQLModel, table=True):
    """The rows of a large leaderboard as they were computed (``boards``); it may be deleted."""

    game: str = Field(primary_key=True)
    ruleset: str = Field(primary_key=True)
    rows: bytes = Field(sa_type=LargeBinary)
    fits: bytes = Field(sa_type=LargeBinary)


class Submission(SQLModel, table=True):
    """A bot version that was submitted and qualified: a ``submissions.Submission`` with its files.

    Games, target, requirements and report are JSON; the target of a program is its command. The
    archive is a zip archive. A name's versions go by their numbers.
    """

    __table_args__ = (UniqueConstraint("name", "version"),)

    id: int | None = Field(default=None, primary_key=True)
    name: str
    version: str
    content: str
    author: str
    licence: str
    games: str = Field(sa_type=Text)
    language: str
    kind: str
    target: str = Field(sa_type=Text)
    requires: str = Field(sa_type=Text)
    archive: bytes = Field(sa_type=LargeBinary)
    status: str
    deterministic: bool
    report: str = Field(sa_type=Text)
    submitted_at: datetime


class Token(SQLModel, table=True):
    """A secret by which an author submits: an ``authors.Token``; its digest is SHA-256."""

    id: int | None = Field(default=None, primary_key=True)
    author: str = Field(index=True)
    start: str
    digest: bytes = Field(sa_type=LargeBinary, unique=True)
    made_at: datetime
    used_at: datetime | None = None
    revoked_at: datetime | None = None


class Session(SQLModel, table=True):
    """An author's login in a browser by one of its tokens; ends with that, or after a time."""

    digest: bytes = Field(sa_type=LargeBinary, primary_key=True)
    token_id: int = Field(foreign_key="token.id")
    made_at: datetime


class Upload(SQLModel, table=True):
    """A submission to a league, from its arrival on: an ``uploads.Upload`` with what was sent.

    The archive is emptied when it is decided; an entered bot is a ``Submission``.
    """

    id: int | None = Field(default=None, primary_key=True)
    author: str = Field(index=True)
    file: str
    size: int
    archive: bytes = Field(sa_type=LargeBinary)
    state: str = Field(index=True)
    ran: bool
    attempts: int
    bot: str
    text: str = Field(sa_type=Text)
    document: str = Field(sa_type=Text)
    received_at: datetime
    changed_at: datetime


class Season(SQLModel, table=True):
    """A season of a league: the tournament in which it is played.

    The final of season 3 is a row of its own, with the number -3.
    """

    league: str = Field(primary_key=True)
    number: int = Field(primary_key=True)
    tournament_id: int = Field(foreign_key="tournament.id", unique=True)


class Exploitability(SQLModel, table=True):
    """The exploitability of a bot version at a table: a ``board_rows.Exploitability``."""

    game: str = Field(primary_key=True)
    ruleset: str = Field(primary_key=True)
    bot: str = Field(primary_key=True)
    seats: int = Field(primary_key=True)
    kind: str = Field(primary_key=True)
    exploitability: float
    answers: int
    won: float
    error: float | None = None


for _table in METADATA.tables.values():
    for _column in _table.c:
        if type(_column.type) is Integer:  # it has 64 bits, as in SQLite
            _column.type = _column.type.with_variant(BigInteger(), "postgresql")

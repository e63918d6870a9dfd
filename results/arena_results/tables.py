"""Defines the tables of a results database, all in one module.

A match's key is (tournament, round, pairing, leg). What a list or a rating needs of a
match stands in columns; the record's bytes beside them are the whole truth. Tuples (seats,
returns, scores, faults, nanoseconds) are JSON arrays in text columns, which every database can
hold. Rows of a tournament carry a checksum (``checksums``), and the tournament counts them.
"""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import BigInteger, ForeignKeyConstraint, LargeBinary, Text, UniqueConstraint, text
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


class Tournament(_Sealed, table=True):
    """One tournament, from the moment its field is fixed.

    Attributes:
        id: Number that people type.
        name: Free text for people.
        game: Name of the game.
        ruleset: Name of the ruleset, with its options.
        engine: Version of the game's rules engine.
        format: Name of the format, e.g. ``"swiss"``.
        games: Matches a pairing.
        mirrored: Whether legs 2k-1 and 2k of a pairing share their deal.
        rounds: Number of rounds planned.
        seed: Open seed, 0 .. 2**53-1; null with a key.
        key: 32 hexadecimal digits that nobody may know before it is finished; null with a seed.
        seed_origin: ``drawn key``, ``given key``, ``open seed`` or ``former seed``.
        stake: Credits each match is played for; 0 without wagers.
        purse: Credits each entry starts with; 0 without wagers.
        status: ``running``, ``interrupted`` or ``finished``.
        spec: Its specification, as JSON, for a resumed run.
        created_at: When it was created, UTC.
        finished_at: When it was finished, UTC.
        entry_count: Number of its entries.
        round_count: Number of its rounds that are stored.
        match_count: Number of its matches that are stored, and so of its measurements.
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
    stake: int = Field(sa_type=BigInteger)
    purse: int = Field(sa_type=BigInteger)
    status: str
    spec: str = Field(sa_type=Text)
    created_at: datetime
    finished_at: datetime | None = None
    entry_count: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    round_count: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    match_count: int = Field(default=0, sa_column_kwargs={"server_default": "0"})


class Participant(SQLModel, table=True):
    """A bot version that was ever entered, to which ratings belong.

    Attributes:
        id: Number within this database.
        key: ``name@version+content``.
        name: Name with its parameters.
        version: Version of its distribution, file or submission.
        content: SHA-256 of its code, 64 hexadecimal digits (12 from earlier versions).
    """

    id: int | None = Field(default=None, primary_key=True)
    key: str = Field(unique=True)
    name: str
    version: str
    content: str


class Entry(_Sealed, table=True):
    """A participant's place in one tournament's field.

    Attributes:
        tournament_id: The tournament.
        index: Index into the field, 0 and up, in initial order.
        participant_id: Who was entered.
        rating: Its rating when the tournament began, for pairing.
    """

    tournament_id: int = Field(primary_key=True, foreign_key="tournament.id")
    index: int = Field(primary_key=True)
    participant_id: int = Field(foreign_key="participant.id")
    rating: float


class Round(_Sealed, table=True):
    """A round's pairings, stored before they are played, so that a resumed run pairs nothing twice.

    Attributes:
        tournament_id: The tournament.
        number: 1 and up.
        pairings: JSON: field indices in seat order, an array a pairing, in board order.
        byes: JSON: field indices of those who rest.
    """

    tournament_id: int = Field(primary_key=True, foreign_key="tournament.id")
    number: int = Field(primary_key=True)
    pairings: str = Field(sa_type=Text)
    byes: str = Field(sa_type=Text)


class Match(_Sealed, table=True):
    """A match that was played, exactly once.

    Attributes:
        tournament_id: The tournament.
        round: Round of the tournament, 1 and up.
        pairing: Pairing of the round, 1 and up.
        leg: Match of the pairing, 1 and up.
        seats: JSON: field index of the participant in each seat.
        seed: Seed of the deal.
        returns: JSON: one utility a seat.
        scores: JSON: the game's own amounts a seat.
        termination: Why it ended.
        offender: The seat whose fault ended it.
        move: Number of decisions taken before the fault.
        record: ``MatchRecord.to_bytes()``.
        expelled: JSON: the faults of the seats that were taken out while the others played on.
    """

    __table_args__ = (
        ForeignKeyConstraint(["tournament_id", "round"], ["round.tournament_id", "round.number"]),
    )

    tournament_id: int = Field(primary_key=True)
    round: int = Field(primary_key=True)
    pairing: int = Field(primary_key=True)
    leg: int = Field(primary_key=True)
    seats: str = Field(sa_type=Text)
    seed: int = Field(sa_type=BigInteger)
    returns: str = Field(sa_type=Text)
    scores: str = Field(sa_type=Text)
    termination: str
    offender: int | None = None
    move: int | None = None
    record: bytes = Field(sa_type=LargeBinary)
    expelled: str = Field(default="[]", sa_type=Text, sa_column_kwargs={"server_default": "[]"})


class Measurement(_Sealed, table=True):
    """The facts of a match that differ from run to run; never in ratings.

    Attributes:
        tournament_id: The tournament.
        round: Round of the tournament.
        pairing: Pairing of the round.
        leg: Match of the pairing.
        nanoseconds: JSON: time each seat's bot used, wall clock.
        requests: JSON: number of requests each seat answered.
        isolation: Where the bots ran.
        error: The offending bot's own traceback or message.
        cpu_nanoseconds: JSON: CPU time each seat's bot used; empty when all were trusted.
    """

    __table_args__ = (
        ForeignKeyConstraint(
            ["tournament_id", "round", "pairing", "leg"],
            ["match.tournament_id", "match.round", "match.pairing", "match.leg"],
        ),
    )

    tournament_id: int = Field(primary_key=True)
    round: int = Field(primary_key=True)
    pairing: int = Field(primary_key=True)
    leg: int = Field(primary_key=True)
    nanoseconds: str = Field(sa_type=Text)
    requests: str = Field(sa_type=Text)
    isolation: str
    error: str = Field(sa_type=Text)
    cpu_nanoseconds: str = Field(
        default="[]", sa_type=Text, sa_column_kwargs={"server_default": "[]"}
    )


class Submission(SQLModel, table=True):
    """A bot version that was submitted and qualified; a name's versions go by their numbers.

    Attributes:
        id: Number within this database.
        name: Name, without parameters.
        version: Its version; unique among those of its name.
        content: SHA-256 of its files, 64 hexadecimal digits (12 from earlier versions).
        author: Who wrote it, as it says.
        licence: Its licence, as it says.
        games: JSON: the games that it was qualified for.
        language: What it is written in.
        kind: ``submitted`` (Python) or ``program``.
        target: JSON: ``"package.module:Class"``, or for a program the command.
        requires: JSON: the distributions that it asks for, as it writes them.
        archive: A zip archive of its files.
        status: ``enabled`` or ``disabled``.
        deterministic: Whether it played alike under the same seeds.
        report: JSON: what its qualification found, by game.
        submitted_at: When it was entered, UTC.
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

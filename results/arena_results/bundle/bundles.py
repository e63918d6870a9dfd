"""Bundles: one finished tournament as a portable file, written from a database and read into one.

A bundle is a zip archive whose members have a fixed order and no times, so that the same
tournament always gives the same bytes (compressed by the same zlib):

* ``tournament.json``: its row (``NewTournament``), and when it was begun and finished;
* ``tournament.toml``: the keys of its tournament file, for people;
* ``field.json``: the entries in initial order, with the hashes of the bots' code;
* ``rounds.json``: pairings, byes and the chain's head of each round;
* ``rulings.json``: the organiser's decisions, if there are any;
* ``value_function.values``: the file of the learned value function that it fixed, if it did;
* ``rows/NAME.jsonl``: the rows of the tables ``ROWS``, if there are any, a JSON object a line;
* ``rows/exchange.jsonl``: what the endpoints of language models were asked, without the messages, a
  JSON object a question; nothing proves these numbers;
* ``matches/ROUND.frames``: its matches in schedule order, each a frame: four bytes with the length
  of what follows, the most significant first, and the msgpack array ``[pairing, leg, record,
  measurement]``, of which ``record`` has the bytes that the chain is about;
* ``bots/NUMBER.json`` and ``bots/NUMBER.zip``: submitted bots of the field with their files;
* ``manifest.json``: the bundle's version, and length and SHA-256 of every other member.

Nothing is unpacked to files. What is not as the manifest says raises ``AlteredResults``, and what
cannot be read ``BadStore``; both name the member.
"""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from hashlib import sha256
from itertools import chain
from typing import Annotated, Any, BinaryIO, TypeAlias

import msgspec
from sqlalchemy import BigInteger, Column, Connection, select

from arena.core.errors import BadInput
from arena.core.record import Measurement, PlayedMatch
from arena.core.tournaments.format import Round
from arena.core.tournaments.rulings import Ruling
from arena_results.bots.submissions import NewSubmission, Submission, archive, submissions
from arena_results.file.database import Database
from arena_results.schema.checksums import COLUMN
from arena_results.schema.rows import NewTournament, Status, StoredTournament
from arena_results.schema.stored import as_stored, streamed
from arena_results.schema.tables import METADATA
from arena_results.store.queries import reading_whole

VERSION = 2
"""The highest version that this module reads. It writes 1 unless there is a value function."""
ROWS = ("log", "void")
"""Tables of a tournament whose rows travel as they are stored; matches and sums have a form of
their own, or follow from the others."""

EXCHANGES = "rows/exchange.jsonl"
"""Name of the member that holds the exchanges of endpoints."""
VALUES = "value_function.values"
"""Name of the member that holds a learned value function."""
MANIFEST = "manifest.json"
"""Name of the member that lists the others."""
NAMES = re.compile(
    r"tournament\.(json|toml)|(field|rounds|rulings)\.json|rows/[a-z_]+\.jsonl"
    rf"|{re.escape(VALUES)}"
    r"|matches/\d{5,}\.frames|bots/\d{3,}\.(json|zip)",
    re.ASCII,
)
"""Names of members."""
_encode = msgspec.msgpack.Encoder().encode


class Member(msgspec.Struct, frozen=True):
    """A line of the manifest."""

    bytes: int
    sha256: str


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """The content of ``manifest.json``."""

    format: str
    version: int
    members: dict[str, Member]


Moment: TypeAlias = Annotated[datetime, msgspec.Meta(tz=True)]


class BundledTournament(NewTournament, frozen=True, kw_only=True):
    """The content of ``tournament.json``."""

    created_at: Moment
    finished_at: Moment


class BundledRound(msgspec.Struct, frozen=True):
    """A round of ``rounds.json`` with the chain's head after it."""

    round: Round
    head: str | None


class BundledMatch(msgspec.Struct, frozen=True, array_like=True):
    """A frame of ``matches/ROUND.frames``."""

    pairing: int
    leg: int
    record: bytes
    measurement: Measurement


_MESSAGES = ("asked", "answer")
"""Columns of exchanges that stay in the database: an operator shows messages to nobody."""


def _field(column: Column[Any]) -> tuple[str, Any] | tuple[str, Any, None]:
    """Returns the field of a column in ``BundledExchange``."""
    kind: Any = column.type.python_type
    if kind is int:
        bits = 63 if isinstance(column.type, BigInteger) else 31
        kind = Annotated[int, msgspec.Meta(ge=0, le=2**bits - 1)]
    return (column.name, kind | None, None) if column.nullable else (column.name, kind)


BundledExchange = msgspec.defstruct(
    "BundledExchange",
    [
        _field(column)
        for column in METADATA.tables["exchange"].c
        if column.name not in ("tournament_id", *_MESSAGES)
    ],
    kw_only=True,
    forbid_unknown_fields=True,
)
"""A line of ``rows/exchange.jsonl``: the columns of an exchange without the messages."""


def write_bundle(database: Database, number: int, file: BinaryIO) -> int:
    """Writes a finished tournament as a bundle; returns the number of bots whose files it has.

    Raises:
        UnknownName: There is no such tournament.
        BadInput: It is not finished: its key must stay a secret, and there may be more to come.
        AlteredResults: Something of it is not what was written.
    """
    with reading_whole(database, number) as (stored, matches):
        if stored.summary.status is not Status.FINISHED:
            raise BadInput(
                f"tournament {number} is {stored.summary.status}; only a finished one can be "
                "bundled, since its key is a secret before; to finish it: "
                f"arena tournament resume {number}{database.option}"
            )
        bots = _bots(database, stored)
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as packed:
            writer = _Writer(packed)
            _write_tournament(writer, database, stored)
            for round in stored.rounds:
                with writer.open(f"matches/{round.number:05}.frames") as write:
                    for _, match in matches(round.number):
                        write(_frame(match))
            for place, bot in enumerate(bots, start=1):
                writer.json(f"bots/{place:03}.json", declared(bot))
                writer.write(f"bots/{place:03}.zip", archive(database, bot.id))
            version = VERSION if VALUES in writer.members else 1
            manifest = Manifest(format=FORMAT, version=version, members=writer.members)
            writer.json(MANIFEST, manifest)
    return len(bots)


def _values(ruling: Ruling) -> dict[str, object]:
    """Returns a decision's values, without ``entries`` if it names one entry."""
    values = msgspec.structs.asdict(ruling)
    return {key: value for key, value in values.items() if value or key not in ("entries", "by")}


def _write_tournament(writer: _Writer, database: Database, stored: StoredTournament) -> None:
    writer.json("tournament.json", _about(stored))
    writer.write("tournament.toml", toml_of(json.loads(stored.summary.spec)).encode())
    writer.json("field.json", stored.field)
    pairs = zip(stored.rounds, stored.heads, strict=True)
    writer.json("rounds.json", [BundledRound(round, head) for round, head in pairs])
    if stored.rulings:
        writer.json("rulings.json", [_values(each) for each in stored.rulings])
    if (values := stored.values()) is not None:
        writer.write(VALUES, values)
    with database.reading() as connection:
        for table in ROWS:
            rows = _rows(connection, table, stored.summary.id)
            if (first := next(rows, None)) is not None:
                with writer.open(f"rows/{table}.jsonl") as write:
                    for row in chain([first], rows):
                        write(msgspec.json.encode(row) + b"\n")
        _write_exchanges(writer, connection, stored.summary.id)


def _write_exchanges(writer: _Writer, connection: Connection, number: int) -> None:
    table = METADATA.tables["exchange"]
    columns = [table.c[name] for name in BundledExchange.__struct_fields__]
    chosen = select(*columns).where(table.c.tournament_id == number)
    rows = iter(streamed(connection, chosen.order_by(*table.primary_key)))
    if (first := next(rows, None)) is not None:
        with writer.open(EXCHANGES) as write:
            for row in chain([first], rows):
                write(msgspec.json.encode(BundledExchange(**row._mapping)) + b"\n")


FORMAT = "arena bundle"
"""The first value of every manifest."""


class _Writer:
    def __init__(self, packed: zipfile.ZipFile) -> None:
        self._packed = packed
        self.members: dict[str, Member] = {}

    @contextmanager
    def open(self, name: str) -> Iterator[Callable[[bytes], None]]:
        """Opens a member, to be written in parts."""
        about = zipfile.ZipInfo(name)  # of the year 1980
        about.external_attr = 0o644 << 16
        about.compress_type = zipfile.ZIP_DEFLATED
        hasher, length = sha256(), 0
        with self._packed.open(about, "w", force_zip64=True) as member:

            def write(data: bytes) -> None:
                nonlocal length
                member.write(data)
                hasher.update(data)
                length += len(data)

            yield write
        self.members[name] = Member(length, hasher.hexdigest())

    def write(self, name: str, data: bytes) -> None:
        with self.open(name) as write:
            write(data)

    def json(self, name: str, value: object) -> None:
        self.write(name, msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n")


def _about(stored: StoredTournament) -> BundledTournament:
    summary = stored.summary
    assert summary.finished_at is not None
    return BundledTournament(
        **{name: getattr(summary, name) for name in NewTournament.__struct_fields__},
        created_at=summary.created_at.replace(tzinfo=UTC),
        finished_at=summary.finished_at.replace(tzinfo=UTC),
    )


def _frame(match: PlayedMatch) -> bytes:
    key = match.key
    data = _encode(BundledMatch(key.pairing, key.leg, match.record.to_bytes(), match.measurement))
    return len(data).to_bytes(4, "big") + data


def _rows(connection: Connection, table: str, number: int) -> Iterator[dict[str, object]]:
    """Yields a tournament's rows of a table as SQLite keeps them, without number and checksum."""
    found = METADATA.tables[table]
    columns = [each for each in found.c if each.name not in ("tournament_id", COLUMN)]
    keys = [each for each in found.primary_key if each.name != "tournament_id"]
    chosen = select(*(as_stored(each).label(each.name) for each in columns))
    rows = connection.execute(chosen.where(found.c.tournament_id == number).order_by(*keys))
    return (dict(row._mapping) for row in rows)


def _bots(database: Database, stored: StoredTournament) -> list[Submission]:
    entered = [entry.participant for entry in stored.field]
    return [
        bot
        for bot in submissions(database)
        if any(
            who.version == bot.version
            and who.content == bot.content
            and who.name.startswith(bot.name)
            for who in entered
        )
    ]


def declared(bot: Submission) -> NewSubmission:
    """Returns what was submitted, without what this database adds: number, status, time."""
    names = NewSubmission.__struct_fields__
    return NewSubmission(**{name: getattr(bot, name) for name in names})


def toml_of(keys: Mapping[str, object]) -> str:
    """Returns keys of a tournament file as TOML, a line each."""
    return "".join(f"{key} = {_toml(value)}\n" for key, value in keys.items())


def _toml(value: object) -> str:
    if isinstance(value, Mapping):
        inside = ", ".join(f"{_toml(str(key))} = {_toml(each)}" for key, each in value.items())
        return f"{{ {inside} }}"
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    # JSON's numbers, truth values and texts are TOML's, but for one control character.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")

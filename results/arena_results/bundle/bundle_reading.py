"""Reads bundles (``bundles`` has their format): checked members, as the values that they hold."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import IO, Any, TypeVar

import msgspec

from arena.core.described import described
from arena.core.errors import AlteredResults, BadStore, ParseError
from arena.core.record import MatchKey, MatchRecord, PlayedMatch
from arena.core.text.printable import printable_line
from arena.core.tournaments.rulings import Ruling
from arena_results.bots.submissions import NewSubmission
from arena_results.bundle.bundles import (
    EXCHANGES,
    FORMAT,
    MANIFEST,
    NAMES,
    VALUES,
    VERSION,
    BundledExchange,
    BundledMatch,
    BundledRound,
    BundledTournament,
    Manifest,
    Member,
)
from arena_results.schema.rows import EntryRow

T = TypeVar("T")

MAX_MEMBERS = 100_000
MAX_BYTES = 64_000_000
"""Bytes of a member that is read whole, and of one match."""
MAX_STREAMED = 8_000_000_000
"""Bytes of a member that is read a match or a row at a time."""
MAX_RATIO = 200
"""The most by which a packed member may be smaller than its content: a zip bomb has 1,000."""
_BLOCK = 1 << 20


class Bundle:
    """An open bundle of which every member is as its manifest says; close it, or use ``with``.

    Args:
        path: The file.

    Raises:
        BadStore: It is not a bundle, or cannot be read.
        AlteredResults: A member is not as the manifest says.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        with self._readable(""):
            self._packed = zipfile.ZipFile(path)
        try:
            self._members = self._checked_members()
            self._manifest = self._read_manifest()
            self._check_manifest()
        except BaseException:
            self._packed.close()
            raise

    def __enter__(self) -> Bundle:
        return self

    def __exit__(self, *error: object) -> None:
        self._packed.close()

    def about(self) -> BundledTournament:
        """The tournament's own row."""
        name = "tournament.json"
        about = self._json(name, BundledTournament)
        if problem := about.seeds_problem:
            raise self.differs(name, f"is not what was written: {problem}")
        return about

    def field(self) -> tuple[EntryRow, ...]:
        """Its entries, in initial order."""
        return self._json("field.json", tuple[EntryRow, ...])

    def rounds(self) -> tuple[BundledRound, ...]:
        """Its rounds, in order."""
        return self._json("rounds.json", tuple[BundledRound, ...])

    def rulings(self) -> tuple[Ruling, ...]:
        """The organiser's decisions, in their order."""
        if "rulings.json" not in self._members:
            return ()
        rulings = self._json("rulings.json", tuple[Ruling, ...])
        entries = {entry for each in rulings for entry in (each.entry, *chain(*each.entries))}
        if not entries <= {*range(len(self.field()))}:
            raise self.differs("rulings.json", "is not what was written: it names no entry")
        return rulings

    def values(self) -> bytes | None:
        """The file of the learned value function that it fixed, if it has one."""
        return self._whole(VALUES) if VALUES in self._members else None

    def rows(self, table: str) -> Iterator[dict[str, str | int | float | None]]:
        """Yields the rows of one of the tables ``ROWS``."""
        return self._lines(f"rows/{table}.jsonl", _decode_row)

    def exchanges(self) -> Iterator[dict[str, Any]]:
        """Yields what endpoints were asked, as the columns of ``BundledExchange``."""
        entries = len(self.field())
        for line in self._lines(EXCHANGES, _decode_exchange):
            row = msgspec.structs.asdict(line)
            if row["entrant"] >= entries:
                raise self.differs(EXCHANGES, "is not what was written: it names no entry")
            yield {
                name: printable_line(value) if isinstance(value, str) else value
                for name, value in row.items()
            }

    def _lines(self, name: str, decode: Callable[[bytes], T]) -> Iterator[T]:
        if name not in self._members:
            return
        with self._readable(name), self._packed.open(name) as member:
            while line := member.readline(MAX_BYTES):
                try:
                    yield decode(line)
                except (msgspec.MsgspecError, RecursionError) as error:
                    raise self.differs(name, f"is not what was written: {error}") from None

    def bots(self) -> Iterator[tuple[NewSubmission, bytes]]:
        """The submitted bots with their archives."""
        for name in sorted(each for each in self._members if each.endswith(".zip")):
            declared = name.removesuffix(".zip") + ".json"
            yield self._json(declared, NewSubmission), self._whole(name)

    def matches(self) -> Iterator[PlayedMatch]:
        """Yields the matches, round by round."""
        for name in sorted(each for each in self._members if each.startswith("matches/")):
            round = int(name.removeprefix("matches/").removesuffix(".frames"))
            with self._readable(name), self._packed.open(name) as member:
                while head := member.read(4):
                    yield self._match(name, round, _exactly(member, int.from_bytes(head, "big")))

    def _match(self, name: str, round: int, data: bytes) -> PlayedMatch:
        try:
            match = _decode_match(data)
            record = MatchRecord.from_bytes(match.record)
        except (msgspec.MsgspecError, ParseError) as error:
            raise self.differs(name, f"holds something other than a match: {error}") from None
        key = MatchKey(round, match.pairing, match.leg)
        if record.to_bytes() != match.record:
            raise self.differs(name, f"match {key}: its record is not written as records are")
        return PlayedMatch(key, record, match.measurement)

    def differs(self, name: str, problem: str) -> AlteredResults:
        """Returns the error for a member that is not what was written."""
        return AlteredResults(f"{self.path}: {printable_line(name)} {problem}")

    def _unreadable(self, name: str, problem: object) -> BadStore:
        where = f"{self.path}: {printable_line(name)}" if name else str(self.path)
        return BadStore(f"{where} cannot be read: {printable_line(str(problem))}")

    @contextmanager
    def _readable(self, name: str) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise self._unreadable(name, error.strerror or error) from None
        except (
            zipfile.BadZipFile,
            zlib.error,
            EOFError,
            ValueError,
            RuntimeError,  # it is encrypted
            NotImplementedError,
            OverflowError,
        ) as error:
            raise self._unreadable(name, error) from None

    def _checked_members(self) -> dict[str, zipfile.ZipInfo]:
        """The members by name, after looking at what the archive declares of them."""
        found: dict[str, zipfile.ZipInfo] = {}
        listed = self._packed.infolist()
        if len(listed) > MAX_MEMBERS:
            raise self._unreadable("", f"it has {len(listed)} members, more than {MAX_MEMBERS}")
        for member in listed:
            name = member.orig_filename
            if name != MANIFEST and not NAMES.fullmatch(name):
                raise self._unreadable(repr(name), "no bundle has a member of that name")
            if name in found:
                raise self._unreadable(name, "it is there twice")
            streamed = name.startswith(("matches/", "rows/"))
            most = MAX_STREAMED if streamed else MAX_BYTES
            if member.file_size > most:
                raise self._unreadable(name, f"it is longer than {most} bytes")
            if member.file_size > MAX_RATIO * member.compress_size + _BLOCK:
                raise self._unreadable(name, "it is packed tighter than any results are")
            found[name] = member
        if MANIFEST not in found:
            raise BadStore(f"{self.path}: expected a bundle of arena export; it has no {MANIFEST}")
        return found

    def _read_manifest(self) -> Manifest:
        data = self._whole(MANIFEST)
        try:
            version = msgspec.json.decode(data, type=described(_Version))
            if version.format != FORMAT:
                raise self._unreadable(MANIFEST, "it is no bundle of arena")
            if version.version > VERSION:
                raise BadStore(
                    f"{self.path} was written by a newer arena: its version is {version.version}, "
                    f"and this one reads up to {VERSION}"
                )
            return msgspec.json.decode(data, type=described(Manifest))
        except msgspec.MsgspecError as error:
            raise self._unreadable(MANIFEST, error) from None

    def _check_manifest(self) -> None:
        listed = self._manifest.members
        for name in [*listed, *self._members]:
            if name not in self._members:
                raise self.differs(name, "is missing")
            if name not in listed and name != MANIFEST:
                raise self.differs(name, "is not in the manifest")
        for name, expected in listed.items():
            hasher, length = sha256(), 0
            with self._readable(name), self._packed.open(name) as member:
                while block := member.read(_BLOCK):
                    hasher.update(block)
                    length += len(block)
            if Member(length, hasher.hexdigest()) != expected:
                raise self.differs(name, "is not what the manifest says: its SHA-256 is another")

    def _whole(self, name: str) -> bytes:
        if name not in self._members:
            raise self.differs(name, "is missing")
        with self._readable(name), self._packed.open(name) as member:
            data = member.read(MAX_BYTES + 1)
        if len(data) > MAX_BYTES:
            raise self._unreadable(name, f"it is longer than {MAX_BYTES} bytes")
        return data

    def _json(self, name: str, kind: type[T]) -> T:
        try:
            return msgspec.json.decode(self._whole(name), type=described(kind))
        except (msgspec.MsgspecError, ValueError, RecursionError) as error:
            raise self.differs(name, f"is not what was written: {error}") from None


class _Version(msgspec.Struct, frozen=True):
    format: str
    version: int


def _exactly(member: IO[bytes], length: int) -> bytes:
    """Reads a frame; raises ``EOFError`` for one that is cut, and ``ValueError`` for a long one."""
    if length > MAX_BYTES:
        raise ValueError(f"it has a match of {length} bytes")
    data = member.read(length)
    if len(data) != length:
        raise EOFError("it ends within a match")
    return data


_decode_row = msgspec.json.Decoder(dict[str, str | int | float | None]).decode
_decode_exchange = msgspec.json.Decoder(described(BundledExchange)).decode
_decode_match = msgspec.msgpack.Decoder(described(BundledMatch)).decode

"""Bundles of any bytes, and bundles whose members are of any content under a manifest that fits."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from arena_results.bundle.bundle_reading import Bundle
from arena_results.bundle.bundles import write_bundle
from arena_results.file.database import open_database
from arena_results.store.queries import summary

from arena.core.errors import AlteredResults, BadInput
from arena.plugins.registry import Registry
from arena.service.report.checks.verification import verify_tournament
from arena.service.storage.bundles import BundleDatabase
from tests.cli.stored_cups import store
from tests.fuzz.fuzzing import Run, Target
from tests.fuzz.targets.archives import BETWEEN, zipped

MANIFEST = b"manifest.json"
PIECES = (
    *(b"null", b"[]", b"{}", b"1e999", b"-1", b"9223372036854775808", b'"finished"', BETWEEN),
    *(
        b"\xff\xff\xff\xff",
        b"\x00\x00\x00\x00",
        b"\x00\x00\x00\x01\xc0",
        b"../",
        b"manifest.json\n",
    ),
    *(
        b'"2026-01-01T00:00:00"',
        b"matches/00001.frames\n",
        b"rows/void.jsonl\n{}",
        b'rows/exchange.jsonl\n{"round":1,"digest":"AAEC"}',
        b"rulings.json\n",
    ),
)
ERRORS = (BadInput, AlteredResults)


@cache
def whole() -> bytes:
    """A bundle of eight matches, with faults of every kind."""
    with TemporaryDirectory() as folder:
        url = f"sqlite:///{folder}/a.db"
        store(url)
        buffer = BytesIO()
        with open_database(url) as database:
            write_bundle(database, 1, buffer)
        return buffer.getvalue()


def content() -> list[bytes]:
    """The members of the bundle but the manifest, each after a line with its name."""
    with zipfile.ZipFile(BytesIO(whole())) as packed:
        members = {name.encode(): packed.read(name) for name in packed.namelist()}
    del members[MANIFEST]
    return [BETWEEN.join(name + b"\n" + data for name, data in members.items())]


@contextmanager
def bundles(folder: Path) -> Iterator[Run]:
    """Bundles of any bytes."""
    path = folder / "a.arena"

    def read(data: bytes) -> None:
        path.write_bytes(data)
        with Bundle(path) as bundle:
            bundle.about(), bundle.field(), bundle.rounds(), bundle.rulings()
            list(bundle.matches())
            list(bundle.bots())

    yield read


@contextmanager
def members(folder: Path) -> Iterator[Run]:
    """Members of any content, whose manifest fits: loaded into a database, and verified."""
    registry = Registry()
    path = folder / "a.arena"

    def read(data: bytes) -> None:
        parts = [member.partition(b"\n") for member in data.split(BETWEEN)]
        files = {name: content for name, _, content in parts}
        listed = {
            name.decode("utf-8", "replace") or "x": {
                "bytes": len(content),
                "sha256": sha256(content).hexdigest(),
            }
            for name, content in files.items()
        }
        top = {"format": "arena bundle", "version": 1, "members": listed}
        path.write_bytes(zipped(files | {MANIFEST: json.dumps(top).encode()}, zipfile.ZIP_DEFLATED))
        with BundleDatabase(path) as database:
            summary(database, 1)
            assert verify_tournament(registry, database, 1).difference.isprintable()

    yield read


TARGETS = (
    Target(name="bundles", seeds=lambda: [whole()], open=bundles, pieces=PIECES, errors=ERRORS),
    Target(
        name="members-of-bundles",
        seeds=content,
        open=members,
        pieces=PIECES,
        errors=ERRORS,
        part=0.15,
    ),
)

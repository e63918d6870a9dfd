"""Bundles: files by which finished tournaments travel, written, read like databases, imported."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import NoReturn

import msgspec
import trio
from arena_results.bots.submissions import submissions
from arena_results.bundle.bundle_reading import Bundle
from arena_results.bundle.bundles import VALUES, write_bundle
from arena_results.bundle.importing import copy_bots, copy_tournament, load_bundle
from arena_results.file.database import Database, open_database
from arena_results.file.local_file import LocalFile

from arena.core.errors import AlteredResults, BadInput, BadStore
from arena.service.answers.scratch import scratch_folder
from arena.service.answers.writing import replacing
from arena.service.lookup.learned_files import fixed_file
from arena.service.lookup.resolver import stored_package
from arena.service.storage.bundle_files import NUMBER, bundle_url


class BundleDatabase(Database):
    """A bundle, read as a database that holds its tournament and its bots, until it is closed.

    Args:
        path: The bundle.

    Raises:
        BadStore: It is not a bundle, or cannot be read.
        AlteredResults: Something in it is not what was written.
    """

    def __init__(self, path: Path) -> None:
        self._bundle = path
        with ExitStack() as stack:
            folder = stack.enter_context(scratch_folder())
            with Bundle(path) as bundle:
                file = folder / "bundle.db"
                open_database(f"sqlite:///{file}").close()
                with Database(LocalFile(file, path)) as database:
                    _load(bundle, database)
            super().__init__(LocalFile(file, path))
            self._folder = stack.pop_all()

    def check_writable(self) -> NoReturn:
        raise BadStore(
            f"{self._bundle} is a bundle, which can only be read; to play on in a database of "
            f"yours: arena import {self._bundle}"
        )

    def close(self) -> None:
        super().close()
        self._folder.close()


def _load(bundle: Bundle, database: Database) -> None:
    if (values := bundle.values()) is not None:
        try:
            fixed_file(values, bundle.about().value_hash)
        except AlteredResults as error:
            raise bundle.differs(VALUES, f"is not what was written: {error}") from None
    with ThreadPoolExecutor(1) as thread:  # the caller may run in a loop of trio's
        thread.submit(trio.run, load_bundle, bundle, database).result()
    for bot in submissions(database):
        try:
            stored_package(database, bot)
        except BadInput as error:
            raise AlteredResults(f"{bundle.path}: {error}") from None


def export_bundle(database: Database, number: int, path: Path) -> int:
    """Writes a finished tournament as a bundle; returns the number of bots whose files it has.

    Raises:
        UnknownName: There is no such tournament.
        BadInput: It is not finished, or the file cannot be written.
    """
    with replacing(path) as file:
        return write_bundle(database, number, file)


class Imported(msgspec.Struct, frozen=True):
    """The result of an import.

    Attributes:
        tournament: Number of the tournament in the database.
        bots: By ``NAME@VERSION`` of its submitted bots the reason why one was left out; empty for
            those that are in the database now.
    """

    tournament: int
    bots: dict[str, str]


def import_bundle(database: Database, path: Path) -> Imported:
    """Stores a bundle's tournament under a new number, and its bots, disabled.

    Raises:
        BadStore: It is not a bundle, or cannot be read.
        AlteredResults: Something in it is not what was written; nothing was stored.
        BadInput: It is there already.
    """
    database.check_writable()
    bundle_url(path)
    with BundleDatabase(path) as source:
        try:
            number = copy_tournament(source, NUMBER, database)
        except BadInput as error:
            raise BadInput(f"{path}: {error}") from None
        return Imported(number, copy_bots(source, database))

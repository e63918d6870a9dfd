"""Files and folders that are written whole or not at all."""

from __future__ import annotations

import os
import shutil
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import get_native_id
from typing import BinaryIO

from arena.core.errors import BadInput
from arena.plugins.options import option


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """Opens a new file that takes the place of ``path`` when the block ends without an error.

    What is not an ordinary file (a pipe, ``/dev/stdout``) is written to directly.

    Raises:
        BadInput: It cannot be written; an earlier file is as it was.
    """
    direct = path.exists() and not path.is_file()
    place = path if direct else path.with_name(f".{path.name}.{get_native_id()}.part")
    try:
        with place.open("wb") as file:
            yield file
        if not direct:
            place.replace(path)
    except OSError as error:
        raise BadInput(f"{path} cannot be written: {error.strerror or error}") from None
    finally:
        if not direct:
            with suppress(OSError):
                place.unlink()


def check_replaceable(folder: Path, parts: Collection[str], *, force: bool) -> None:
    """Checks that a folder can be written whole: it is new or empty, or ``force`` replaces it.

    Args:
        parts: Names that an earlier one may hold; a folder with anything else stays as it is.

    Raises:
        BadInput: It cannot.
    """
    try:
        held = sorted(path.name for path in folder.iterdir()) if folder.exists() else []
    except OSError as error:
        raise BadInput(f"{folder} cannot be written: {error.strerror or error}") from None
    others = [name for name in held if name not in parts]
    if others:
        raise BadInput(f"{folder} holds {others[0]!r}, which is not part of a report; name another")
    if held and not force:
        raise BadInput(f"{folder} holds a report already: {option('force', True)} replaces it")


def write_folder(folder: Path, files: Iterable[tuple[str, str]]) -> None:
    """Writes a folder of strings, which takes the place of an earlier one when all are written.

    Args:
        files: Relative name and text of each.

    Raises:
        BadInput: It cannot be written; an earlier folder is as it was.
    """
    target = folder.absolute()
    new, old = (target.with_name(f".{target.name}.{os.getpid()}.{end}") for end in ("part", "old"))
    try:
        new.mkdir(parents=True)
        for name, text in files:
            place = new / name
            place.parent.mkdir(exist_ok=True)
            place.write_text(text, encoding="utf-8")
        if target.exists():
            target.rename(old)
        new.rename(target)
    except OSError as error:
        raise BadInput(f"{folder} cannot be written: {error.strerror or error}") from None
    finally:
        if old.exists() and not target.exists():
            old.rename(target)
        for left in (new, old):
            shutil.rmtree(left, ignore_errors=True)

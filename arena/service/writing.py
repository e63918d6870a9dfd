"""Files that are written whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from arena.core.errors import BadInput


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """Opens a new file that takes the place of ``path`` when the block ends without an error.

    What is no ordinary file (a pipe, ``/dev/stdout``) is written to directly.

    Raises:
        BadInput: It cannot be written; an earlier file is as it was.
    """
    direct = path.exists() and not path.is_file()
    place = path if direct else path.with_name(f".{path.name}.{os.getpid()}.part")
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

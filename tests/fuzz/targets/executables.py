"""Executable files, of which a program's loader is read before it may run."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from arena.core.errors import BadInput
from arena.host.box.elf import MAGIC, loader_of
from arena.host.box.syscalls import this_machine
from tests.fuzz.fuzzing import Run, Target

LOADERS = (b"/lib64/ld-linux-x86-64.so.2\0", b"/lib/ld-linux-aarch64.so.1\0", b"/tmp/loader\0")


def executable(*loaders: bytes) -> bytes:
    """Returns the header of an executable that asks for loaders, and their paths."""
    count = len(loaders) + 1
    at = 64 + 56 * count
    segments = [struct.pack("<IIQQQQQQ", 1, 5, 0, 0, 0, at, at, 4096)]
    for loader in loaders:
        segments.append(struct.pack("<IIQQQQQQ", 3, 4, at, at, at, len(loader), len(loader), 1))
        at += len(loader)
    ident = MAGIC + bytes((2, 1, 1)) + bytes(9)
    numbers = (3, this_machine().processor, 1, 0, 64, 0, 0, 64, 56, count, 0, 0, 0)
    return struct.pack("<16sHHIQQQIHHHHHH", ident, *numbers) + b"".join((*segments, *loaders))


def executables() -> list[bytes]:
    return [executable(), *map(executable, LOADERS), executable(*LOADERS[:2])]


@contextmanager
def loaders(folder: Path) -> Iterator[Run]:
    file = folder / "program"

    def read(data: bytes) -> None:
        file.write_bytes(data)
        try:
            found = loader_of(str(file))
        except OSError as error:
            raise BadInput(str(error)) from None
        assert found is None or found.startswith("/lib"), found

    yield read


TARGETS = (
    Target(name="executables", seeds=executables, open=loaders, pieces=(*LOADERS, b"\3\0\0\0")),
)

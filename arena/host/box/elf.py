"""The header of an executable file (ELF): which loader it asks for, as the kernel reads it.

Only files of this machine's own class, byte order and processor are read: the kernel reads the
others differently. Source: elf(5) and ``load_elf_binary`` of Linux (``fs/binfmt_elf.c``).
"""

from __future__ import annotations

import os
import struct
from typing import BinaryIO

from arena.host.box.syscalls import Machine, this_machine

MAGIC = b"\x7fELF"
_CLASS_64, _LITTLE_ENDIAN, _VERSION = 2, 1, 1
_EXECUTABLE, _SHARED = 2, 3  # ET_EXEC, and ET_DYN: programs at any address, and loaders
_PROGRAM_INTERPRETER = 3  # PT_INTERP
_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
_SEGMENT = struct.Struct("<IIQQQQQQ")
_MAX_BYTES_OF_SEGMENTS = 4_096
"""The kernel takes no longer table of segments (on machines with pages of that size)."""
_MAX_PATH_LENGTH = 4_096


_LOADERS = {
    "x86_64": ("/lib64/ld-linux-x86-64.so.2", "/lib/ld-musl-x86_64.so.1"),
    "aarch64": ("/lib/ld-linux-aarch64.so.1", "/lib/ld-musl-aarch64.so.1"),
}
"""Loaders of glibc and musl, which executables of a machine may ask for."""


def loaders() -> tuple[str, ...]:
    """The loaders that executables of this machine may ask for."""
    return _LOADERS[this_machine().name]


def loader_of(path: str) -> str | None:
    """Returns the loader of shared libraries that an executable asks for; ``None`` if it is static.

    Raises:
        OSError: It cannot be read, is not an executable of this machine, or asks for an unknown
            loader.
    """
    machine = this_machine()
    name = os.path.basename(path)  # reasons are stored, and are to be the same wherever it lies
    with open(path, "rb") as file:
        places = _interpreters(name, file, machine)
        asked = [_text(name, file, *place) for place in places]
    if len(asked) > 1:
        raise OSError(f"{name} asks for more than one loader of shared libraries")
    if asked and asked[0] not in loaders():
        known = " or ".join(loaders())
        raise OSError(f"{name} asks for the loader {asked[0]!a}; it may be {known}")
    return asked[0] if asked else None


def _interpreters(name: str, file: BinaryIO, machine: Machine) -> list[tuple[int, int]]:
    """Yields offsets and sizes of the loaders' paths in the file, by its table of segments."""
    head = file.read(_HEADER.size)
    if len(head) < _HEADER.size:
        raise OSError(f"{name} is shorter than the header of an executable")
    ident, kind, processor, _, _, start, _, _, _, size, count, *_ = _HEADER.unpack(head)
    expected = MAGIC + bytes((_CLASS_64, _LITTLE_ENDIAN, _VERSION))
    if ident[:7] != expected or processor != machine.processor:
        raise OSError(f"{name}: expected a 64-bit executable for {machine.name}")
    if kind not in (_EXECUTABLE, _SHARED):
        raise OSError(f"{name}: expected an executable, got an object file")
    if size != _SEGMENT.size or not 0 < size * count <= _MAX_BYTES_OF_SEGMENTS:
        raise OSError(f"{name} has a table of segments of a size that no linker writes")
    table = _at(name, file, start, size * count)
    return [
        (offset, length)
        for kind, _, offset, _, _, length, _, _ in _SEGMENT.iter_unpack(table)
        if kind == _PROGRAM_INTERPRETER
    ]


def _text(name: str, file: BinaryIO, offset: int, size: int) -> str:
    """Returns a path in the file, which ends with its only zero byte."""
    if not 2 <= size <= _MAX_PATH_LENGTH:
        raise OSError(f"{name} asks for a loader by a path of {size} bytes")
    text = _at(name, file, offset, size)
    if text.find(0) != size - 1:
        raise OSError(f"{name} asks for a loader by a path that has no clear end")
    return os.fsdecode(text[:-1])


def _at(name: str, file: BinaryIO, offset: int, size: int) -> bytes:
    if offset + size > os.fstat(file.fileno()).st_size:
        raise OSError(f"{name} is cut off: its header names bytes behind its end")
    file.seek(offset)
    data = file.read(size)
    if len(data) != size:
        raise OSError(f"{name} was cut off while it was read")
    return data

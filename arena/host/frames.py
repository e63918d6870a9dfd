"""Frames of bytes for a place and its worker processes: eight bytes of length, then the data."""

from __future__ import annotations

import os
import struct

_LENGTH = struct.Struct("<Q")
_PIECE = 1 << 20


def read_frame(descriptor: int) -> bytes:
    """Returns the next frame; raises ``EOFError`` at the end."""
    (size,) = _LENGTH.unpack(_read(descriptor, _LENGTH.size))
    return _read(descriptor, size)


def write_frame(descriptor: int, data: bytes) -> None:
    """Writes a frame; raises ``OSError`` when nobody reads any more."""
    left = memoryview(_LENGTH.pack(len(data)) + data)
    while left:
        left = left[os.write(descriptor, left) :]


def _read(descriptor: int, size: int) -> bytes:
    parts = []
    while size:
        part = os.read(descriptor, min(size, _PIECE))
        if not part:
            raise EOFError
        parts.append(part)
        size -= len(part)
    return b"".join(parts)

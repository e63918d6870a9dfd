"""Files that ask for more than they need when they are started: for the probe, and for tests."""

from __future__ import annotations

import struct

_TABLE, _NAME = 0x100, 0x140
_I386 = 3
_LOADER = 3  # PT_INTERP


def forged_executable(named: str) -> bytes:
    """Returns the head of a 32-bit executable that asks for a loader if read as a 64-bit one."""
    name = named.encode() + b"\0"
    head = b"\x7fELF\x01\x01\x01".ljust(16, b"\0")
    head += struct.pack("<HHIIIIIHHHHHH", 2, _I386, 1, 0, 0, _TABLE, 0, 52, 32, 0, 0, 0, 0)
    head += struct.pack("<HHH", 0, 56, 1)  # the false table's entries: 56 bytes, one of them
    head = head.ljust(_TABLE, b"\0")
    head += struct.pack("<IIQQQQQQ", _LOADER, 4, _NAME, 0, 0, len(name), len(name), 1)
    return head.ljust(_NAME, b"\0") + name


def forged_script(named: str) -> bytes:
    """A script that names a file as its interpreter."""
    return f"#!{named}\n".encode()

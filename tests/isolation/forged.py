"""Makes a 32-bit executable of 64-bit code, with a loader's path where only 64-bit readers look.

The kernel starts it as a 32-bit program, whose first instruction jumps into 64-bit mode. Who reads
its header as if it were 64-bit finds a table of segments that asks for a loader: any path.
"""

from __future__ import annotations

import platform
import shutil
import struct
import subprocess
from pathlib import Path

import pytest

from arena.host.box.probing.forgeries import forged_executable

_PAGE = 4_096
_TABLE, _CODE = 0x240, 0x400
_WHERE, _STUB = 0x1000_0000, 0x2000_0000
_OPTIONS = (
    *("-O1", "-nostdlib", "-static", "-ffreestanding", "-fno-pie", "-no-pie", "-mno-red-zone"),
    *("-fno-stack-protector", "-fcf-protection=none", "-fno-asynchronous-unwind-tables"),
    *(f"-Wl,-Ttext-segment={_WHERE:#x}", "-Wl,--build-id=none"),
)


def forge(source: Path, program: Path, named: str) -> None:
    """Compiles C without a library, and wraps it.

    Args:
        source: Its code, with a ``_start``.
        program: Where the program is written.
        named: The path that its false table asks for.
    """
    compiler = shutil.which("cc")
    if compiler is None or platform.machine() != "x86_64":
        pytest.skip("a forged 32-bit program needs a C compiler (cc) and an x86-64 machine")
    whole = program.with_suffix(".64")
    subprocess.run([compiler, *_OPTIONS, "-o", whole, source], check=True)
    code = whole.read_bytes()
    whole.unlink()
    entry, table = struct.unpack_from("<QQ", code, 24)
    count = struct.unpack_from("<H", code, 56)[0]
    rows = [struct.unpack_from("<IIQQQQQQ", code, table + 56 * row) for row in range(count)]
    segments = [struct.pack("<8I", 1, 0, _STUB, _STUB, _PAGE, _PAGE, 5, _PAGE)]
    for kind, flags, offset, where, _, size, memory, _ in rows:
        if kind == 1:
            segment = (1, offset + _PAGE, where, where, size, memory, flags, _PAGE)
            segments.append(struct.pack("<8I", *segment))
    head = bytearray(forged_executable(named).ljust(_TABLE, b"\0"))
    struct.pack_into("<II", head, 24, _STUB + _CODE, _TABLE)
    struct.pack_into("<H", head, 44, len(segments))
    head = (head + b"".join(segments)).ljust(_CODE, b"\0")
    head += b"\xea" + struct.pack("<IH", entry, 0x33)  # a far jump to the code segment of 64 bits
    program.write_bytes(head.ljust(_PAGE, b"\0") + code)
    program.chmod(0o755)

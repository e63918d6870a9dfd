"""Landlock: limits the files of a process, and of everything that it starts, to those that it
names.

Source: landlock(7) and the header ``linux/landlock.h``. A kernel's version (ABI) decides which
rights it knows. The others stay allowed here: ``seccomp`` stops them.
"""

from __future__ import annotations

import os
import stat
import struct
from collections.abc import Sequence

from arena.host.box.kernel import call

NEWEST_ABI = 7
"""The newest version with known rights."""

_VERSION = 1  # flag of landlock_create_ruleset
_PATH_BENEATH = 1  # kind of rule
_LOG_NOTHING = 1  # flag of landlock_restrict_self: a bot must not fill the system's log

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_TRUNCATE = 1 << 14
_DEVICES = 1 << 6 | 1 << 9 | 1 << 11 | 1 << 15
"""Making character devices, sockets and block devices, and using devices."""

_FILES = ((1, (1 << 13) - 1), (2, 1 << 13), (3, _TRUNCATE), (5, 1 << 15))
"""Rights to files (the ABI since when, bits)."""
_NETWORK = ((4, 0b11),)
"""Binding and connecting TCP."""
_SCOPES = ((6, 0b11),)
"""Reaching abstract Unix sockets, and sending signals, outside."""


def landlock_abi() -> int:
    """The version of Landlock that this kernel offers; 0 for none."""
    try:
        return call("landlock_create_ruleset", None, 0, _VERSION)
    except OSError:
        return 0


def restrict_files(
    read: Sequence[str],
    execute: Sequence[str] = (),
    newest_abi: int = NEWEST_ABI,
    *,
    build: Sequence[str] = (),
) -> None:
    """Limits this process to some files, without others' sockets and signals.

    ``no_new_privs`` must be set before. The arguments are those of ``Confinement``; absent files
    are skipped.

    Args:
        build: For a build: the folders in which it may do everything with files and folders. Then
            it may also execute everything that it may read.

    Raises:
        OSError: This kernel has no Landlock, or it is turned off.
    """
    abi = min(landlock_abi(), newest_abi)
    if abi < 1:
        raise OSError("this kernel has no Landlock (Linux 5.13 has it, unless it is turned off)")
    handled = struct.pack("QQQ", *(_bits(kind, abi) for kind in (_FILES, _NETWORK, _SCOPES)))
    size = 24 if abi >= 6 else 16 if abi >= 4 else 8
    rules = call("landlock_create_ruleset", handled, size, 0)
    try:
        running = _EXECUTE if build else 0
        for path in read:
            files = _READ_FILE | running
            _allow(rules, path, _READ_DIR if path.endswith("/") else files | _READ_DIR)
        for path in build:
            _allow(rules, path, _bits(_FILES, abi) & ~_DEVICES)
        for path in execute:
            _allow(rules, path, _EXECUTE | _READ_FILE)
        _allow(rules, os.devnull, _READ_FILE | _WRITE_FILE | _TRUNCATE & _bits(_FILES, abi))
        call("landlock_restrict_self", rules, _LOG_NOTHING if abi >= 7 else 0)
    finally:
        os.close(rules)


def _bits(rights: Sequence[tuple[int, int]], abi: int) -> int:
    return sum(bits for since, bits in rights if since <= abi)


def _allow(rules: int, path: str, rights: int) -> None:
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError):
        return
    try:
        if not stat.S_ISDIR(os.fstat(place).st_mode):
            rights &= ~_READ_DIR  # the kernel refuses rights that only folders have
        call("landlock_add_rule", rules, _PATH_BENEATH, struct.pack("=Qi", rights, place), 0)
    finally:
        os.close(place)

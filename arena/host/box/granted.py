"""The last check of the files that a bot's process will be granted.

However a path was found, it must be a part of the system that programs need, or lie in a folder
that belongs to no other.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Sequence

DEVICES = ("/dev/null", "/dev/urandom", "/dev/random")
"""The only granted devices. Java needs both of the last two, which share one source."""
_NOTHING_IN = ("/proc", "/sys", "/run", "/var/run", "/dev")
"""Folders in which nothing is granted: processes, the machine, and sockets of others."""
_NOT_WHOLE = frozenset(
    f"/{name}"
    for name in (
        *("", "bin", "boot", "etc", "home", "lib", "lib32", "lib64", "media", "mnt", "opt"),
        *("root", "sbin", "srv", "tmp", "usr", "usr/lib", "usr/local", "usr/share", "var"),
        *("var/lib", "var/tmp"),
    )
)
"""Folders of which only parts are granted; not even their names are listed."""
_HOMES = "/home"
_SETTINGS = "/etc"
_PUBLIC_SETTINGS = ("ld.so.cache", "ssl", "pki", "crypto-policies", "perl", "python3", "java-")
"""Beginnings of what is granted of the settings of the system."""


def check_granted(
    read: Iterable[str], execute: Iterable[str] = (), apart: Sequence[str] = ()
) -> None:
    """Checks every path before it is granted.

    Args:
        read: Files and folders to read, as in ``Confinement.read``; absent ones are skipped.
        execute: Files to execute.
        apart: Files and folders that stay closed (the database, other bots), and all above them. A
            folder that may only be listed is allowed: it shows names, no contents.

    Raises:
        OSError: A path is refused; the line says which.
    """
    closed = [(os.path.realpath(each), each) for each in apart]
    for path in execute:
        if not stat.S_ISREG(os.stat(path).st_mode):
            raise OSError(f"{path} may not be executed: expected a regular file")
    for path in (*read, *execute):
        real = os.path.realpath(path)
        if reason := _refusal(path, real):
            raise OSError(f"{path} may not be read by a bot: {reason}")
        for kept, named in closed:
            if not path.endswith("/") and is_within(kept, real):
                raise OSError(
                    f"{path} may not be read by a bot: {named} is there; "
                    "put the bot into a folder of its own"
                )


def is_within(path: str, folder: str) -> bool:
    """True if a path is a folder or lies in it; both without links."""
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def _refusal(path: str, real: str) -> str:
    """Returns the reason not to grant a path to any bot; empty if it may be granted."""
    if not os.path.isabs(path):
        return "expected an absolute path"
    if real in DEVICES:
        return ""
    if any(is_within(real, folder) for folder in _NOTHING_IN):
        return "it shows other processes and the machine"
    if is_within(real, _SETTINGS):
        public = os.path.relpath(real, _SETTINGS).startswith(_PUBLIC_SETTINGS)
        return "" if public else "it is a setting of the system"
    if real in _NOT_WHOLE or os.path.dirname(real) == _HOMES:
        return "it holds files of others; put the bot into a folder of its own"
    return ""

"""Namespaces for bots' processes, without a helper: own process numbers, and no traces of reading.

Two processes of one bot could signal by numbers of processes and threads, which are given out in
turn to all, and by the access times of files. So each bot's process has numbers of its own, and all
of them a read-only view of the files, for which the kernel notes no access, without the machine's
processes and devices.

Root may make namespaces; an ordinary user where user namespaces are allowed. See namespaces(7),
pid_namespaces(7), mount_setattr(2).
"""

from __future__ import annotations

import os
import signal

from arena.host.box import kernel
from arena.host.box.kernel import call, die_with_parent

_NEW_MOUNTS, _NEW_USER, _NEW_NUMBERS = 0x0002_0000, 0x1000_0000, 0x2000_0000
_CAP_SYS_ADMIN = 1 << 21
_HERE, _RECURSIVE = -100, 0x8000
_READ_ONLY, _PRIVATE = 0x1, 1 << 18
_NO_SUID_NO_DEVICES_NO_PROGRAMS = 0b1110
_HIDDEN = ("/proc", "/sys", "/run", "/dev/pts")
"""Folders that are covered by an empty one: even their sizes show the doings of others."""
NO_NAMESPACES = (
    "WARNING: no namespaces can be had here: two processes of one bot could signal by thread "
    "numbers and access times; see: arena doctor"
)


class Namespaces:
    """Starts processes that have numbers of their own; see ``enter_namespaces``."""

    def __init__(self) -> None:
        self._own = os.pidfd_open(os.getpid())
        self._first: dict[int, int] = {}

    def fork(self) -> int:
        """Forks as ``os.fork`` does; the child is number 2 of a new namespace.

        Number 1 only keeps the namespace: it would not get the signals that a process sends itself.

        Raises:
            OSError: The machine has no room for another process; nothing has changed.
        """
        call("unshare", _NEW_NUMBERS)
        first = 0
        try:
            first = os.fork()
            if not first:
                _keep()
            process = os.fork()
        except OSError:
            if first:
                _end(first)
            call("setns", self._own, _NEW_NUMBERS)
            raise
        if not process:
            os.close(self._own)
            return 0
        call("setns", self._own, _NEW_NUMBERS)
        self._first[process] = first
        return process

    def ended(self, process: int) -> None:
        """Ends the namespace of a process that has ended."""
        _end(self._first.pop(process))


def enter_namespaces() -> Namespaces | None:
    """Continues in a child process that can make namespaces, and sees files as bots will see them.

    This process itself waits for that child, and ends as it does.

    Returns:
        ``None`` where the machine does not allow it. Mounts of its own may stay; they hide nothing
        that bots need, and bots are confined all the same.
    """
    held = kernel.capabilities()
    user = 0 if held & _CAP_SYS_ADMIN else _NEW_USER
    if user and held:
        return None  # in a new namespace root would lose the right to read others' files
    try:
        call("unshare", user | _NEW_MOUNTS)
        attributes = b"".join(n.to_bytes(8, "little") for n in (_READ_ONLY, 0, _PRIVATE, 0))
        call("mount_setattr", _HERE, b"/\0", _RECURSIVE, attributes, len(attributes))
        for folder in filter(os.path.isdir, _HIDDEN):
            flags = _READ_ONLY | _NO_SUID_NO_DEVICES_NO_PROGRAMS
            call("mount", b"none\0", folder.encode() + b"\0", b"tmpfs\0", flags, b"size=4k\0")
        call("unshare", _NEW_NUMBERS)
    except OSError:
        return None
    child = os.fork()
    if child:
        os.closerange(3, 65_536)
        os._exit(_code(os.waitpid(child, 0)[1]))
    die_with_parent()
    return Namespaces()


def _end(process: int) -> None:
    os.kill(process, signal.SIGKILL)
    os.waitpid(process, 0)


def _keep() -> None:
    try:
        die_with_parent()
        kernel.hide_memory()
        kernel.give_up_privileges()
        os.closerange(0, 65_536)
        while True:
            signal.pause()
    finally:
        os._exit(1)


def _code(status: int) -> int:
    """Returns the exit code for the status of a process, by the convention of shells."""
    code = os.waitstatus_to_exitcode(status)
    return code if code >= 0 else 128 - code

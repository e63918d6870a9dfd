"""Control groups of Linux, version 2: the kernel's limits for one bot's process as a whole.

They limit threads and processes (``pids``) and memory with the kernel's part of it (``memory``),
and share the processors equally among bots (``cpu``). They need a part of the hierarchy that this
user may divide: the top for root, otherwise a delegated group, such as ``systemd-run --user --scope
-p Delegate=yes`` makes. Only trying shows whether it works. Source: the kernel's
Documentation/admin-guide/cgroup-v2.rst.
"""

from __future__ import annotations

import atexit
import errno
import fcntl
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from glob import escape, glob
from typing import NamedTuple

WANTED = ("pids", "memory", "cpu")
"""Controllers that are used, as many of them as there are."""
_BOTS, _HARNESS = "arena-bots-", "arena-harness-"
"""Beginnings of the names of our groups."""
_ENDING_SECONDS = 1.0
"""Seconds that the last processes of groups may take to end, once they were killed."""


class Layout(NamedTuple):
    """The place of the hierarchy of version 2 on this machine.

    Attributes:
        top: Folder of the uppermost visible group.
        own: Folder of this process's group; empty if it is not visible.
        elsewhere: Controllers that version 1 uses, and version 2 therefore cannot.
    """

    top: str
    own: str
    elsewhere: tuple[str, ...]


def read_layout(mounts: str, groups: str) -> Layout | None:
    """Returns the hierarchy; ``None`` when it is not mounted.

    The strings are those of ``/proc/self/mountinfo`` and ``/proc/self/cgroup``.
    """
    top, own, elsewhere = "", "", list[str]()
    group = None
    for line in groups.splitlines():
        number, controllers, path = line.split(":", 2)
        if number == "0":
            group = path
        else:
            elsewhere += [name for name in WANTED if name in controllers.split(",")]
    for line in mounts.splitlines():
        before, _, after = line.partition(" - ")
        if not after.startswith("cgroup2 "):
            continue
        root, point = map(_unescaped, before.split(" ")[3:5])
        top = top or point
        within = None if group is None else os.path.relpath(group, root)
        if within is not None and within.partition("/")[0] != "..":
            top, own = point, os.path.normpath(f"{point}/{within}")
            break
    return Layout(top, own, tuple(elsewhere)) if top else None


def layout_here() -> Layout | None:
    """Returns the hierarchy on this machine; ``None`` if it has none."""
    return read_layout(_read("/proc/self/mountinfo"), _read("/proc/self/cgroup"))


def _unescaped(path: str) -> str:
    return re.sub(r"\\([0-7]{3})", lambda match: chr(int(match[1], 8)), path)


class Group:
    """The group of one bot's process; its folder is made.

    Args:
        folder: Its folder.
        limits: What to write to files of the group; absent controllers are skipped.

    Raises:
        OSError: It cannot be made or limited.

    Attributes:
        ended: Whether it waits for its removal, at the latest with all others.
    """

    def __init__(self, folder: str, limits: dict[str, str]) -> None:
        self._folder = folder
        self.ended = False
        os.mkdir(folder)
        for file, value in limits.items():
            if os.path.exists(f"{folder}/{file}"):
                _write(f"{folder}/{file}", value)

    def move_in(self, process: int) -> None:
        """Moves a process here, with all its threads; raises ``OSError`` if it cannot be moved."""
        _write(f"{self._folder}/cgroup.procs", str(process))

    def ran_out_of_memory(self) -> bool:
        """True if the kernel killed a process of the group for its memory."""
        events = _read(f"{self._folder}/memory.events")
        return re.search(r"^oom_kill [1-9]", events, re.MULTILINE) is not None

    def remove(self) -> bool:
        """Kills what is left here, and removes the group; whether that is done already."""
        self.ended = True
        return _swept(self._folder)


class Groups:
    """One group for each process of the bots of one fork server.

    A lock marks them as used, so that the next harness can remove those of a killed one.

    Args:
        parent: Folder of the group to make them in; its controllers are enabled.
        controllers: The controllers.
        server: The process that will start the bots' processes; it is moved here, too.

    Raises:
        OSError: No group can be made, or no process moved.
    """

    def __init__(self, parent: str, controllers: tuple[str, ...], server: int) -> None:
        self.controllers = controllers
        self._count = 0
        self._groups: list[Group] = []
        _sweep(parent)
        self._folder, self._lock = _new_folder(parent)
        try:
            for controller in controllers:
                _write(f"{self._folder}/cgroup.subtree_control", f"+{controller}")
            self._server = Group(f"{self._folder}/server", {})
            self._server.move_in(server)
        except OSError:
            self.close()
            raise

    def add(self, process: int, *, tasks: int, memory: int) -> Group:
        """Moves a process, unless it has ended, into a group of its own.

        Args:
            process: Its number.
            tasks: Most threads and processes, itself included.
            memory: Most bytes; beyond them the kernel kills all of the group.

        Raises:
            OSError: The group cannot be made.
        """
        self._groups = [each for each in self._groups if not (each.ended and each.remove())]
        self._count += 1
        group = Group(
            f"{self._folder}/{self._count}",
            {
                "pids.max": str(tasks),
                "memory.max": str(memory),
                "memory.swap.max": "0",
                "memory.oom.group": "1",
            },
        )
        self._groups.append(group)
        with suppress(ProcessLookupError):
            group.move_in(process)
        return group

    def close(self) -> None:
        """Removes all groups; the processes in them are killed."""
        end = time.monotonic() + _ENDING_SECONDS
        while not _swept(self._folder) and time.monotonic() < end:
            time.sleep(0.005)
        os.close(self._lock)


def _new_folder(parent: str) -> tuple[str, int]:
    while True:
        folder = f"{parent}/{_BOTS}{os.getpid()}-{time.monotonic_ns()}"
        try:
            os.mkdir(folder)
        except OSError as error:
            raise OSError(f"{parent} takes no further group: {error.strerror}") from None
        # Another harness may take it for one that was left, as long as it is not locked.
        with suppress(FileNotFoundError, BlockingIOError):
            lock = _locked(folder)
            if os.path.exists(folder):
                return folder, lock
            os.close(lock)


def _locked(folder: str) -> int:
    lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(lock)
        raise
    return lock


def open_groups(server: int) -> Groups:
    """Makes groups for the bots' processes of a fork server, and moves the server there.

    Raises:
        OSError: Control groups are unavailable; one line says why.
    """
    layout = layout_here()
    if layout is None:
        raise OSError("no hierarchy of version 2 is mounted")
    reasons: list[str] = []
    for parent in _parents(layout):
        try:
            groups = Groups(parent, _enabled(parent, layout), server)
        except OSError as error:
            reasons.append(str(error))
            continue
        # A worker process may be killed, and its groups stay; the first process outlives them all.
        atexit.unregister(tidy)
        atexit.register(tidy, parent, os.getpid())
        return groups
    raise OSError("; ".join(dict.fromkeys(reasons)))


class Tried(NamedTuple):
    """The controllers that limit bots' processes here, or the reason why there are none."""

    controllers: tuple[str, ...]
    failure: str = ""


def try_groups() -> Tried:
    """Makes groups for another process and removes them again."""
    waits = [sys.executable, "-I", "-S", "-c", "import sys; sys.stdin.read()"]
    with subprocess.Popen(waits, stdin=subprocess.PIPE) as process:
        try:
            groups = open_groups(process.pid)
        except OSError as error:
            return Tried((), str(error))
        finally:
            process.communicate()
        groups.close()
        return Tried(groups.controllers)


def _parents(layout: Layout) -> Iterator[str]:
    own = layout.own
    if own:
        moved = os.path.basename(own).startswith(_HARNESS)
        yield os.path.dirname(own) if moved else own
    if own != layout.top and (os.geteuid() == 0 or not own):
        yield layout.top


def _enabled(parent: str, layout: Layout) -> tuple[str, ...]:
    there = _read(f"{parent}/cgroup.controllers").split()
    wanted = tuple(name for name in WANTED if name in there)
    if not wanted:
        names = f"{', '.join(WANTED[:-1])} and {WANTED[-1]}"
        used = f" (version 1 uses {', '.join(layout.elsewhere)})" if layout.elsewhere else ""
        raise OSError(f"{parent} has none of the controllers {names}{used}")
    if not os.access(f"{parent}/cgroup.subtree_control", os.W_OK):
        raise OSError(f"{parent} is not delegated to this user")
    # Only the top of the whole hierarchy may hold processes beside groups, and has no type.
    if os.path.exists(f"{parent}/cgroup.type"):
        move_out_of(parent)
    enabled = _read(f"{parent}/cgroup.subtree_control").split()
    for name in wanted:
        if name not in enabled:
            _write(f"{parent}/cgroup.subtree_control", f"+{name}")
    return wanted


def move_out_of(parent: str) -> None:
    """Moves the harness out of a group that will be divided, into one below.

    Raises:
        OSError: The group holds processes that this one has not started.
    """
    leaf = f"{parent}/{_HARNESS}{os.getpid()}"
    while held := _read(f"{parent}/cgroup.procs").split():
        if not all(map(_is_ours, held)):
            raise OSError(f"{parent} also holds processes that are not the harness's")
        if not os.path.exists(leaf):
            Group(leaf, {})
        for process in held:
            with suppress(ProcessLookupError):
                _write(f"{leaf}/cgroup.procs", process)


def _is_ours(process: str) -> bool:
    """Returns whether this process is, or has started, a process; it may be gone."""
    while process not in ("0", "1", str(os.getpid())):
        stat = _read(f"/proc/{process}/stat")
        if not stat:
            return True
        process = stat.rpartition(")")[2].split()[1]
    return process == str(os.getpid())


def tidy(parent: str, harness: int) -> None:
    """Leaves a group as it was found, at the end of a harness: so that it takes processes again."""
    if os.getpid() != harness:
        return  # a fork of it
    end = time.monotonic() + _ENDING_SECONDS
    while not _sweep(parent) and time.monotonic() < end:
        time.sleep(0.005)
    leaf = f"{parent}/{_HARNESS}{harness}"
    if os.path.exists(leaf):
        with suppress(OSError):
            for name in _read(f"{parent}/cgroup.subtree_control").split():
                _write(f"{parent}/cgroup.subtree_control", f"-{name}")
            for process in _read(f"{leaf}/cgroup.procs").split():
                _write(f"{parent}/cgroup.procs", process)
            os.rmdir(leaf)


def _sweep(parent: str) -> bool:
    """Removes unused groups; returns whether all of them are gone already."""
    gone = True
    for folder in glob(f"{escape(parent)}/{_BOTS}*"):
        with suppress(FileNotFoundError, BlockingIOError):
            lock = _locked(folder)
            gone &= _swept(folder)
            os.close(lock)
    for folder in glob(f"{escape(parent)}/{_HARNESS}*"):
        with suppress(OSError):
            os.rmdir(folder)
    return gone


def _swept(folder: str) -> bool:
    """Kills and removes a group and those below it; returns whether it is gone already."""
    with suppress(OSError):
        _write(f"{folder}/cgroup.kill", "1")  # Linux 5.14
    for each in (*glob(f"{escape(folder)}/*/"), folder):
        with suppress(OSError):
            os.rmdir(each)
    return not os.path.exists(folder)


def _read(path: str) -> str:
    try:
        with open(path) as file:
            return file.read()
    except OSError:
        return ""


def _write(path: str, value: str) -> None:
    """Writes in one go, as these files need; an ``OSError`` names the file and the value."""
    try:
        file = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
        try:
            os.write(file, value.encode())
        finally:
            os.close(file)
    except OSError as error:
        if error.errno == errno.ESRCH:
            raise
        raise OSError(f"cannot write {value} to {path}: {error.strerror}") from None

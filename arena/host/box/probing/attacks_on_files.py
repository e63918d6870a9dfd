"""Attacks on what is stored: the database, rivals' sources, the machine's files."""

from __future__ import annotations

import fcntl
import os
import socket
from collections.abc import Callable
from functools import partial

from arena.host.box.kernel import call
from arena.host.box.probing.attack import Attack, Targets, must, obtain, open_file, read_file

_FOR_NEITHER = 3
"""Access mode of ``open`` for neither reading nor writing, which still truncates."""
_SHARED_LOCK = fcntl.LOCK_SH | fcntl.LOCK_NB

_create = partial(open_file, flags=os.O_WRONLY | os.O_CREAT | os.O_EXCL)


def _make(
    folder: str, make: Callable[[str], object], remove: Callable[[str], object] = os.unlink
) -> None:
    path = f"{folder}/arena-{os.getpid()}"
    make(path)
    remove(path)


def _link(link: Callable[[str, str], object], targets: Targets) -> None:
    _make(targets.folder, partial(link, targets.database))


def _bind(path: str) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(path)


def _rename(targets: Targets) -> None:
    moved = f"{targets.database}.moved"
    os.rename(targets.database, moved)
    os.rename(moved, targets.database)


def _lock(path: str, lock: Callable[[int, int], object]) -> None:
    with open(path, "rb") as file:
        lock(file.fileno(), _SHARED_LOCK)


def _handle(targets: Targets) -> None:
    handle = (128).to_bytes(4, "little") + bytes(132)
    mount = bytes(4)
    call("name_to_handle_at", -100, targets.database.encode() + b"\0", handle, mount, 0)


def _secret(targets: Targets, file: str) -> None:
    read_file(f"{targets.folder}/{file}/secret")


def _trace(path: str, act: Callable[[str], object]) -> None:
    before = os.lstat(path).st_atime_ns
    act(path)
    must(os.lstat(path).st_atime_ns != before)


_RESULTS, _BOTS, _MACHINE, _HARNESS = "the results", "other bots", "the machine", "the harness"
_TALK = "fair play"  # two bots that could talk

ATTACKS = (
    Attack("read the database", _RESULTS, lambda t: read_file(t.database)),
    Attack("write into the database", _RESULTS, lambda t: open_file(t.database, os.O_WRONLY)),
    Attack("truncate the database", _RESULTS, lambda t: os.truncate(t.database, 0)),
    Attack(
        "truncate it, opened for nothing",
        _RESULTS,
        lambda t: open_file(t.database, os.O_TRUNC | _FOR_NEITHER),
    ),
    Attack("rename the database", _RESULTS, _rename),
    Attack("link to the database", _RESULTS, lambda t: _link(os.link, t)),
    Attack("change its permissions", _RESULTS, lambda t: os.chmod(t.database, 0o666)),
    Attack("change its owner", _RESULTS, lambda t: os.chown(t.database, os.getuid(), -1)),
    Attack("change its times", _RESULTS, lambda t: os.utime(t.database, (0, 0))),
    Attack("get a handle on it", _RESULTS, _handle),
    Attack("read a rival's source", _BOTS, lambda t: read_file(t.rival)),
    Attack("list the rivals", _BOTS, lambda t: must(os.listdir(os.path.dirname(t.rival)))),
    Attack("name a secret in a false header", _BOTS, lambda t: _secret(t, "header")),
    Attack("name a secret in a first line", _BOTS, lambda t: _secret(t, "line")),
    Attack("write what it may read", _HARNESS, lambda t: open_file(t.readable, os.O_WRONLY)),
    Attack("truncate what it may read", _HARNESS, lambda t: open_file(t.readable, os.O_TRUNC)),
    Attack("read the password file", _MACHINE, lambda t: read_file("/etc/passwd")),
    Attack("list the temporary folder", _MACHINE, lambda t: must(os.listdir(t.folder))),
    Attack("write a file", _TALK, lambda t: _make(t.folder, _create)),
    Attack("write to /dev/shm", _TALK, lambda t: _make("/dev/shm", _create)),
    Attack("make a folder", _TALK, lambda t: _make(t.folder, os.mkdir, os.rmdir)),
    Attack("make a named pipe", _TALK, lambda t: _make(t.folder, os.mkfifo)),
    Attack("make a symbolic link", _TALK, lambda t: _link(os.symlink, t)),
    Attack("make a socket", _TALK, lambda t: _make(t.folder, _bind)),
    Attack("lock what it may read", _TALK, lambda t: _lock(t.readable, fcntl.flock)),
    Attack("lock a part of it", _TALK, lambda t: _lock(t.readable, fcntl.lockf)),
    Attack("watch files change", _TALK, lambda t: obtain("inotify_init1", 0)),
    Attack(
        "leave a trace by reading", _TALK, lambda t: _trace(t.unread, read_file), by_namespaces=True
    ),
    Attack(
        "leave a trace by a link",
        _TALK,
        lambda t: _trace(f"{t.unread}-link", os.stat),
        by_namespaces=True,
    ),
)

"""Attacks on what is stored: the database, rivals' sources, the machine's files."""

from __future__ import annotations

import fcntl
import os
import socket
from collections.abc import Callable

from arena.host.box.attack import Attack, Targets, must
from arena.host.box.kernel import call

_MODE_OF_NEITHER = 3
"""Access mode of ``open`` for neither reading nor writing, which still truncates."""


def _read(path: str) -> None:
    with open(path, "rb") as file:
        must(bool(file.read(1)))


def _touch(path: str) -> None:
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL))
    os.unlink(path)


def _open(path: str, flags: int) -> None:
    os.close(os.open(path, flags))


def _rename(targets: Targets) -> None:
    moved = f"{targets.database}.moved"
    os.rename(targets.database, moved)
    os.rename(moved, targets.database)


def _link(make: object, targets: Targets) -> None:
    path = f"{targets.folder}/link"
    make(targets.database, path)  # type: ignore[operator]
    os.unlink(path)


def _folder(targets: Targets) -> None:
    path = f"{targets.folder}/made"
    os.mkdir(path)
    os.rmdir(path)


def _pipe(targets: Targets) -> None:
    path = f"{targets.folder}/pipe"
    os.mkfifo(path)
    os.unlink(path)


def _socket_file(targets: Targets) -> None:
    path = f"{targets.folder}/socket"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(path)
        os.unlink(path)


def _list(path: str) -> None:
    must(bool(os.listdir(path)))


def _lock(targets: Targets) -> None:
    with open(targets.readable, "rb") as file:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)


def _record_lock(targets: Targets) -> None:
    with open(targets.readable, "rb") as file:
        fcntl.lockf(file, fcntl.LOCK_SH | fcntl.LOCK_NB)


def _watch(targets: Targets) -> None:
    os.close(call("inotify_init1", 0))


def _handle(targets: Targets) -> None:
    handle = (128).to_bytes(4, "little") + bytes(132)
    mount = bytes(4)
    call("name_to_handle_at", -100, targets.database.encode() + b"\0", handle, mount, 0)


def _asked(targets: Targets, file: str) -> None:
    """Reads what a forged program was granted because it named it."""
    _read(f"{targets.folder}/{file}/secret")


def _trace(path: str, act: Callable[[str], object]) -> None:
    """Leaves a mark that others can see: a file's access time."""
    before = os.lstat(path).st_atime_ns
    act(path)
    must(os.lstat(path).st_atime_ns != before)


_DATABASE, _BOTS, _MACHINE = "the results", "other bots", "the machine"
_OWN, _SECRETS = "the harness", "fair play"  # two bots that could talk
_BY_NAMESPACES = True

ATTACKS = (
    Attack("read the database", _DATABASE, lambda t: _read(t.database)),
    Attack("write into the database", _DATABASE, lambda t: _open(t.database, os.O_WRONLY)),
    Attack("truncate the database", _DATABASE, lambda t: os.truncate(t.database, 0)),
    Attack(
        "truncate it, opened for nothing",
        _DATABASE,
        lambda t: _open(t.database, os.O_TRUNC | _MODE_OF_NEITHER),
    ),
    Attack("rename the database", _DATABASE, _rename),
    Attack("link to the database", _DATABASE, lambda t: _link(os.link, t)),
    Attack("change its permissions", _DATABASE, lambda t: os.chmod(t.database, 0o666)),
    Attack("change its owner", _DATABASE, lambda t: os.chown(t.database, os.getuid(), -1)),
    Attack("change its times", _DATABASE, lambda t: os.utime(t.database, (0, 0))),
    Attack("get a handle on it", _DATABASE, _handle),
    Attack("read a rival's source", _BOTS, lambda t: _read(t.rival)),
    Attack("list the rivals", _BOTS, lambda t: _list(os.path.dirname(t.rival))),
    Attack("name a secret in a false header", _BOTS, lambda t: _asked(t, "header")),
    Attack("name a secret in a first line", _BOTS, lambda t: _asked(t, "line")),
    Attack("write what it may read", _OWN, lambda t: _open(t.readable, os.O_WRONLY)),
    Attack("truncate what it may read", _OWN, lambda t: _open(t.readable, os.O_TRUNC)),
    Attack("read the password file", _MACHINE, lambda t: _read("/etc/passwd")),
    Attack("list the temporary folder", _MACHINE, lambda t: _list(t.folder)),
    Attack("write a file", _SECRETS, lambda t: _touch(f"{t.folder}/{os.getpid()}")),
    Attack("write to /dev/shm", _SECRETS, lambda t: _touch(f"/dev/shm/arena-{os.getpid()}")),
    Attack("make a folder", _SECRETS, _folder),
    Attack("make a named pipe", _SECRETS, _pipe),
    Attack("make a symbolic link", _SECRETS, lambda t: _link(os.symlink, t)),
    Attack("make a socket", _SECRETS, _socket_file),
    Attack("lock what it may read", _SECRETS, _lock),
    Attack("lock a part of it", _SECRETS, _record_lock),
    Attack("watch files change", _SECRETS, _watch),
    Attack("leave a trace by reading", _SECRETS, lambda t: _trace(t.unread, _read), _BY_NAMESPACES),
    Attack(
        "leave a trace by a link",
        _SECRETS,
        lambda t: _trace(f"{t.unread}-link", os.stat),
        _BY_NAMESPACES,
    ),
)

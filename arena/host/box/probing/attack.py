"""The form of an attack, its targets, and what several attacks do."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import NamedTuple

from arena.host.box.kernel import Argument, call


class Targets(NamedTuple):
    """Real things of the harness, which a bot must not reach.

    Attributes:
        parent: Number of the process that started the attacker.
        victim: Number of another process of the same user, with a secret in its environment.
        database: A file that the attacker may not open.
        rival: The source of another bot.
        readable: A file that the attacker may read, as it may its own source.
        unread: A readable file that nobody has read yet, and a link next to it.
        asked: Files that programs ask for by a forged header or first line, with their grants.
        folder: A folder in which everybody may write.
        port: A TCP and UDP port on this machine with a listener.
        abstract: Name of an abstract Unix socket with a listener.
    """

    parent: int
    victim: int
    database: str
    rival: str
    readable: str
    unread: str
    asked: Sequence[str]
    folder: str
    port: int
    abstract: str


class Attack(NamedTuple):
    """An attempt of a hostile bot.

    Attributes:
        name: Its name.
        harms: What it would harm.
        act: Tries it, and cleans up. Raises ``OSError`` or ``MemoryError`` when it was stopped.
        by_namespaces: Only namespaces stop it. ``CONFINED`` may lack them and reports the attack.
    """

    name: str
    harms: str
    act: Callable[[Targets], object]
    by_namespaces: bool = False


def must(fact: object) -> None:
    """Ends an attack as stopped (``OSError``) when there was nothing to get."""
    if not fact:
        raise OSError("nothing there")


def read_file(path: str) -> None:
    """Reads the beginning of a file."""
    with open(path, "rb") as file:
        must(file.read(1))


def open_file(path: str, flags: int = os.O_RDONLY) -> None:
    """Opens a file, and nothing more."""
    os.close(os.open(path, flags))


def obtain(name: str, *arguments: Argument) -> None:
    """Makes a system call that returns a descriptor."""
    os.close(call(name, *arguments))

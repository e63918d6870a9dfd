"""A process confines itself: once, for good, and with it everything that it will start."""

from __future__ import annotations

import os
from typing import NamedTuple

from arena.host.box.kernel import die_with_parent, give_up_privileges, hide_memory
from arena.host.box.landlock import NEWEST_ABI, restrict_files
from arena.host.box.levels import Level
from arena.host.box.rlimits import limit_resources
from arena.host.box.seccomp import restrict_calls
from arena.host.box.threads import refer_threads

__all__ = ["Confinement", "confine", "die_with_parent"]


class Confinement(NamedTuple):
    """The rights that a confined process keeps.

    Attributes:
        level: ``PROCESS``, ``CONFINED``, or ``BOXED`` (inside ``bubblewrap`` already).
        read: Files and folders that it may read; a folder with a slash at its end only by name.
        execute: Files that it may execute; for programs.
        memory: Bytes of memory (see ``rlimits``), ``None`` for no limit.
        program: Whether it will become a program other than our own Python.
        threads: From ``CONFINED`` on, descriptor of a socket to the process that decides new
            threads and waits for their ends (``threads``); ``None`` for no limit.
        newest_abi: Newest version of Landlock to use, to test what an old kernel does.
    """

    level: Level
    read: tuple[str, ...] = ()
    execute: tuple[str, ...] = ()
    memory: int | None = None
    program: bool = False
    threads: int | None = None
    newest_abi: int = NEWEST_ABI


def confine(confinement: Confinement) -> None:
    """Takes from this process everything that a bot does not need.

    The process must have a single thread, and no descriptor open that the bot may not have.

    Raises:
        OSError: The kernel lacks what the level needs. The process must end: part may be applied.
        ValueError: Trusted code is not confined.
    """
    if confinement.level is Level.TRUSTED:
        raise ValueError("trusted code runs in the harness's own process, which is never confined")
    die_with_parent()
    hide_memory()
    confined = confinement.level.rank >= Level.CONFINED.rank
    limit_resources(confinement.memory, program=confinement.program, alone=not confined)
    give_up_privileges()
    if confined:
        restrict_files(confinement.read, confinement.execute, confinement.newest_abi)
        referred = confinement.threads is not None
        if confinement.threads is not None:
            refer_threads(confinement.threads)
        restrict_calls(program=confinement.program, referred=referred)
    elif confinement.threads is not None:
        os.close(confinement.threads)

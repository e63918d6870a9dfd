"""A build as data: its job, its limits and its outcome."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

import msgspec

MEBIBYTE = 1 << 20
Commands = tuple[tuple[str, ...], ...]
"""The commands of a build, each a program and its arguments."""
_MAX_SPELLED = 300


class BuildLimits(msgspec.Struct, frozen=True):
    """The limits of one build, all of its commands together.

    Attributes:
        seconds: Wall-clock time.
        memory: Bytes of memory of all its processes.
        tasks: Processes and threads at a time.
        disk: Bytes that its files may have, temporary ones included.
        log: Bytes of its output that its author gets, the last ones.
    """

    seconds: float = 120.0
    memory: int = 1024 * MEBIBYTE
    tasks: int = 512
    disk: int = 512 * MEBIBYTE
    log: int = 16_384


class BuildJob(msgspec.Struct, frozen=True):
    """The job of a box.

    Attributes:
        files: The files of the submission by their paths.
        commands: The commands, as their author wrote them.
        programs: The program of each: an absolute path, or one in its folder.
        read: Files and folders that it may read and execute.
        path: The variable ``PATH``.
        limits: Its limits.
    """

    files: dict[str, bytes]
    commands: Commands
    programs: tuple[str, ...]
    read: tuple[str, ...]
    path: str
    limits: BuildLimits


class Built(msgspec.Struct, frozen=True):
    """The outcome of a build.

    Attributes:
        files: The files of its folder afterwards; empty if it failed.
        failure: Why it failed; empty if it did not.
        log: The end of what its commands wrote to stdout and stderr.
    """

    files: dict[str, bytes] = {}
    failure: str = ""
    log: bytes = b""


def spelled(command: Sequence[str]) -> str:
    """Returns a command as people type it; of a long one its beginning."""
    text = shlex.join(command)
    return text if len(text) <= _MAX_SPELLED else f"{text[:_MAX_SPELLED]}..."

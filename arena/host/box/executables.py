"""The files that the kernel executes to start a program, as far as a submitted file may choose
them.

A file's header (the loader) and first line (the interpreter) decide what its process may read and
execute. So they may only choose installed programs: on the path of programs, and writable by root
only. Source: execve(2), ``fs/binfmt_script.c`` of Linux.
"""

from __future__ import annotations

import os
import re
import shutil
import stat
from collections.abc import Iterator

from arena.host.box import elf

PROGRAM_PATH = "/usr/local/bin:/usr/bin:/bin"
"""Folders in which programs find programs (the variable ``PATH``)."""

_SCRIPT = b"#!"
_MAX_LINE_LENGTH = 256
"""Bytes of a script that the kernel looks at."""
_MAX_SCRIPTS = 4
"""Scripts that may interpret each other; the kernel's own limit is as small."""
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]*")


def executed(program: str, scripts: tuple[str, ...] = ()) -> Iterator[str]:
    """Returns the program and what the kernel starts in its place; each with its own loader.

    Args:
        program: A program of the organiser's choice, or a file of the bot's own; absolute.
        scripts: The scripts that it interprets.

    Raises:
        OSError: It cannot be read, or is neither an executable of this machine nor a script of an
            installed interpreter other than a shell.
    """
    name = os.path.basename(program)
    if scripts and name.endswith("sh"):
        raise OSError(f"{scripts[-1]} is a script of a shell, which would have to start processes")
    if len(scripts) > _MAX_SCRIPTS:
        raise OSError(f"{scripts[0]}: interpreters of interpreters of interpreters")
    with open(program, "rb") as file:
        head = file.read(_MAX_LINE_LENGTH)
    yield program
    if head.startswith(_SCRIPT):
        for interpreter in _interpreters(name, head):
            yield from executed(_installed(name, interpreter), (*scripts, name))
    elif head.startswith(elf.MAGIC):
        loader = elf.loader_of(program)
        if loader is not None:
            yield _checked_loader(name, loader)
    else:
        raise OSError(f"{name} is neither an executable nor a script with #! in its first line")


def _interpreters(script: str, head: bytes) -> Iterator[str]:
    line, end, _ = head.removeprefix(_SCRIPT).partition(b"\n")
    words = os.fsdecode(line).strip(" \t").replace("\t", " ").split(" ")
    if not end or not all(word.isprintable() for word in words):
        raise OSError(f"{script}: expected a first line of #!, an interpreter and its arguments")
    interpreter, *arguments = [word for word in words if word] or [""]
    if os.path.dirname(interpreter) not in PROGRAM_PATH.split(":"):
        raise OSError(
            f"{script}: its interpreter {interpreter!a} is in none of {PROGRAM_PATH}; "
            "write #!/usr/bin/env NAME"
        )
    yield interpreter
    if os.path.basename(interpreter) == "env":
        name = next(iter(arguments[1:] if arguments[:1] == ["-S"] else arguments), "")
        found = shutil.which(name, path=PROGRAM_PATH) if _NAME.fullmatch(name) else None
        if found is None:
            wanted = " ".join(arguments)
            raise FileNotFoundError(
                f"{script} wants a program that is not in {PROGRAM_PATH}: {wanted!a}; "
                "write #!/usr/bin/env NAME"
            )
        yield found


def _checked_loader(name: str, loader: str) -> str:
    """Returns a loader, if it is an installed one of this machine that needs no other."""
    try:
        loads = elf.loader_of(_installed(name, loader))
    except FileNotFoundError:
        raise OSError(f"{name} asks for the loader {loader}, which is not installed") from None
    if loads is not None:
        raise OSError(f"{name} asks for the loader {loader}, which needs a loader itself")
    return loader


def _installed(name: str, path: str) -> str:
    """Returns a path, if it leads to an executable file that only root can write."""
    about = os.stat(os.path.realpath(path, strict=True))
    if (
        not stat.S_ISREG(about.st_mode)
        or about.st_uid != 0
        or about.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
        or not about.st_mode & stat.S_IXOTH
    ):
        raise OSError(
            f"{name} is started by {path}: expected an executable file of root's that nobody "
            "else can write"
        )
    return path

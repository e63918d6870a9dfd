"""Finds the programs that start bots, such as interpreters."""

from __future__ import annotations

import os
import shutil


def find_program(name: str) -> str | None:
    """Returns the absolute path of a program by name or path; ``None`` when it is not installed.

    The shims of version managers are passed over where there is the program itself: they are
    scripts that start another program, which no bot may.
    """
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    found = [path for folder in folders if (path := shutil.which(name, path=folder))]
    absolute = [_installed(os.path.abspath(path)) for path in found]
    return next((path for path in absolute if not _is_script(path)), next(iter(absolute), None))


def _installed(path: str) -> str:
    """Returns the interpreter behind that of a virtual environment, whose packages no bot gets."""
    environment = os.path.dirname(os.path.dirname(path))
    if os.path.exists(os.path.join(environment, "pyvenv.cfg")):
        return os.path.realpath(path)
    return path


def _is_script(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            return file.read(2) == b"#!"
    except OSError:  # it may be run, but not read
        return False

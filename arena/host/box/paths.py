"""Finds the files that a bot's process needs, on the machine as it is.

Nothing under ``/proc`` is among them: it shows other processes' memory and environment.
"""

from __future__ import annotations

import glob
import os
import re
import stat
import sys
from collections.abc import Iterator, Sequence

from arena.host.box import elf
from arena.host.box.executables import executed
from arena.host.box.granted import DEVICES

SYSTEM = (
    "/etc/ld.so.cache",
    "/usr/lib/locale",
    "/usr/share/zoneinfo",
    # Without it OpenSSL, and with it hashlib and node, takes a refusal for a fault.
    *("/etc/ssl/openssl.cnf", "/etc/pki/tls/openssl.cnf", "/etc/crypto-policies/back-ends"),
    *DEVICES,
)
"""Files that programs of any kind read when they start."""

LIBRARIES = {
    "java": (
        "{home}",
        *("/etc/java-*/security", "/etc/java-*/jvm-*.cfg", "/etc/java-*/*.properties"),
    ),
    "lua": ("/usr/share/lua",),
    "node": ("/usr/share/nodejs",),
    "ocaml": ("/usr/lib/ocaml",),
    "perl": ("/usr/share/perl", "/usr/share/perl5", "/usr/lib/perl5", "/etc/perl"),
    "php": ("/usr/lib/php",),
    "ruby": ("/usr/lib/ruby", "/usr/share/rubygems-integration"),
    "sbcl": ("/usr/lib/sbcl",),
    "swipl": ("/usr/lib/swi-prolog",),
}
"""Patterns of interpreters' libraries outside the folders of shared libraries, a row each.
``{home}`` is the folder of an installed Java."""

NEED_PROC = ("mono", "deno", "bun", "racket")
"""Interpreters that start only at ``process``: they read ``/proc``, which is hidden from bots."""

_PACKAGES = ("site-packages", "dist-packages")
_SHARED_LIBRARY = re.compile(r"\.so(\.|$)")


def stdlib_paths() -> tuple[str, ...]:
    """Returns the files and folders of this Python and its standard library, as
    ``Confinement.read``.
    """
    pythons = (*_python(sys.base_prefix), *_python(sys.base_exec_prefix))
    return tuple(dict.fromkeys((*pythons, *_system())))


def interpreter_paths(command: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Returns the paths that a program reads to start, and those that are executed.

    Args:
        command: The program, by its absolute path, with its arguments.

    Raises:
        OSError: The program cannot be read, or may not be started (``executables``).
    """
    execute = list(executed(command[0]))
    read = [*_system(), *execute]
    for program in execute:
        name = os.path.basename(os.path.realpath(program))
        if name.startswith("python"):
            folder = os.path.dirname(program)
            read += [f"{place}/pyvenv.cfg" for place in (folder, os.path.dirname(folder))]
            read += _python(os.path.dirname(os.path.dirname(os.path.realpath(program))))
        for pattern in LIBRARIES.get(re.sub(r"[\d.]*$", "", name), ()):
            read += glob.glob(pattern.replace("{home}", glob.escape(_java_home(program))))
    return tuple(filter(os.path.exists, dict.fromkeys(read))), tuple(dict.fromkeys(execute))


def program_folder(command: Sequence[str]) -> str:
    """Returns the folder of the program that a command's process becomes, without links.

    Programs find libraries by it (``$ORIGIN``). Their loader asks ``/proc`` for it, which is hidden
    from bots, and then the variable ``LD_ORIGIN_PATH``.

    Raises:
        OSError: As ``interpreter_paths``.
    """
    started = [path for path in executed(command[0]) if path not in elf.loaders()]
    return os.path.dirname(os.path.realpath(started[-1]))


def _java_home(program: str) -> str:
    """Returns the folder of the Java that a program belongs to; empty unless it belongs to root."""
    home = os.path.dirname(os.path.dirname(os.path.realpath(program)))
    about = os.stat(home)
    writable = about.st_uid != 0 or about.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    return "" if writable or not os.path.isfile(f"{home}/lib/jvm.cfg") else home


def _python(prefix: str) -> Iterator[str]:
    """Yields the standard libraries of the Pythons of a prefix, without installed packages."""
    yield from glob.glob(f"{prefix}/lib*/libpython3*.so*")
    for folder in glob.glob(f"{prefix}/lib*/python3.*"):
        packages = [name for name in _PACKAGES if os.path.isdir(os.path.join(folder, name))]
        if packages:
            # A rule holds for all that is in a folder, so the folder can only be listed.
            yield f"{folder}/"
            yield from (entry.path for entry in os.scandir(folder) if entry.name not in packages)
        else:
            yield folder
        yield f"/etc/{os.path.basename(folder)}"  # where Debian keeps settings of the library


def _system() -> Iterator[str]:
    yield from SYSTEM
    seen = set()
    for folder in (*glob.glob("/usr/lib/*-linux-*"), "/lib64", "/usr/lib64", "/lib", "/usr/lib"):
        place = os.path.realpath(folder)
        if place in seen or not os.path.isdir(place):
            continue
        seen.add(place)
        if re.search(r"-linux-\w+$", place):
            yield place
        else:  # there may be anything else in it, installed packages as well
            libraries = [entry for entry in os.scandir(place) if _SHARED_LIBRARY.search(entry.name)]
            yield from (entry.path for entry in libraries)

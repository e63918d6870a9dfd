"""bubblewrap: namespaces of its own for a process, in which nothing of the machine exists.

Files that were not named are not forbidden there, they are absent; so are other processes, the
network, and every other user. See bwrap(1).
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping, Sequence

from arena.host.box.granted import DEVICES
from arena.host.box.paths import interpreter_paths

_NAMESPACES = (
    *("--unshare-user", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts"),
    "--unshare-cgroup-try",
)


def bubblewrap() -> str | None:
    """Path of bubblewrap; ``None`` when it is not installed."""
    return shutil.which("bwrap")


def boxed_command(
    argv: Sequence[str], read: Sequence[str], environment: Mapping[str, str] | None = None
) -> tuple[str, ...]:
    """The command that runs another one in a box.

    Descriptors that it inherits stay open. It ends with the thread that starts it (see
    ``kernel.die_with_parent``).

    Args:
        argv: The command; its program by its absolute path.
        read: Files and folders that exist in the box, only to be read, in the meaning of
            ``Confinement.read``; those that the program itself needs need not be named.
        environment: All that is in its environment; ``PYTHONHASHSEED=0`` if none is given.

    Raises:
        OSError: bubblewrap is not installed, or the program cannot be read.
    """
    program = bubblewrap()
    if program is None:
        raise FileNotFoundError("bubblewrap (bwrap) is not installed")
    needed, _ = interpreter_paths(argv)
    wanted = _not_within_another((*needed, *read))
    words = [program, *_NAMESPACES, "--die-with-parent", "--new-session", "--cap-drop", "ALL"]
    for device in DEVICES:
        words += ("--dev-bind", device, device)
    whole = {path: _hidden(path, wanted) for path in wanted if _is_cheaper_whole(path, wanted)}
    # Folders before what lies in them, which would be hidden otherwise.
    for path in sorted(set(wanted) - set(DEVICES)):
        if path.endswith("/") and path not in whole:
            words += ("--dir", path)
        elif f"{os.path.dirname(path.rstrip('/'))}/" not in whole:
            words += ("--ro-bind", path, path)
        for entry in whole.get(path, ()):
            words += _mask(entry)
    words += ("--remount-ro", "/", "--chdir", "/", "--clearenv")
    for name, value in (environment or {"PYTHONHASHSEED": "0"}).items():
        words += ("--setenv", name, value)
    return (*words, "--", *argv)


def _not_within_another(paths: Sequence[str]) -> list[str]:
    """Returns the paths that exist, without those that lie in a folder that is there whole.

    A folder that one bot may only list may be another's own, whole: its files are hidden from
    none of them then, and Landlock holds each to its part.
    """
    wanted = [path for path in dict.fromkeys(paths) if os.path.exists(path)]
    whole = {path for path in wanted if not path.endswith("/") and os.path.isdir(path)}
    return [path for path in wanted if whole.isdisjoint(_above(path))]


def _above(path: str) -> Iterator[str]:
    """Returns the folders that a path lies in; one that ends with a slash lies in itself."""
    end = path.find("/", 1)
    while end > 0:
        yield path[:end]
        end = path.find("/", end + 1)


def _hidden(folder: str, wanted: Sequence[str]) -> list[os.DirEntry[str]]:
    return [entry for entry in os.scandir(folder) if entry.path not in wanted]


def _is_cheaper_whole(path: str, wanted: Sequence[str]) -> bool:
    """True if a folder is bound whole, and the rest of it hidden, with fewer mounts.

    A standard library has hundreds of files that were named, and one folder that was not; where
    packages are installed it is the other way round.
    """
    if not path.endswith("/"):
        return False
    return 2 * len(_hidden(path, wanted)) <= len(os.listdir(path))


def _mask(entry: os.DirEntry[str]) -> tuple[str, ...]:
    if entry.is_dir():
        return ("--tmpfs", entry.path, "--remount-ro", entry.path)
    return ("--ro-bind", "/dev/null", entry.path)

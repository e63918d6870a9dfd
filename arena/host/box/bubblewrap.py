"""bubblewrap: namespaces of its own for a process, in which nothing of the machine exists.

Other files, processes, users and the network are absent there, not only forbidden. See bwrap(1).
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
    argv: Sequence[str],
    read: Sequence[str],
    environment: Mapping[str, str] | None = None,
    mounts: Sequence[str] = (),
) -> tuple[str, ...]:
    """Returns the command that runs another one in a box, with the descriptors that are open.

    It ends with the thread that starts it (see ``kernel.die_with_parent``).

    Args:
        argv: The command; its program by its absolute path.
        read: Further files and folders that exist in the box, as in ``Confinement.read``.
        environment: The whole environment; by default ``PYTHONHASHSEED=0``.
        mounts: Further options of bubblewrap, which come before the files.

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
    words += mounts
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
    """Returns the paths that exist, without those inside a folder that is bound whole.

    Landlock still limits each bot to its own part.
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
    """True if binding a folder whole, and hiding the rest of it, takes fewer mounts."""
    if not path.endswith("/"):
        return False
    return 2 * len(_hidden(path, wanted)) <= len(os.listdir(path))


def _mask(entry: os.DirEntry[str]) -> tuple[str, ...]:
    if entry.is_dir():
        return ("--tmpfs", entry.path, "--remount-ro", entry.path)
    return ("--ro-bind", "/dev/null", entry.path)

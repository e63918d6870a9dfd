"""Runs the command line as root and as an ordinary user, and finds processes left over."""

from __future__ import annotations

import ctypes
import os
import pwd
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, Self

import pytest

from arena.service.answers.engine import engine
from tests.preloaded import Preloaded

ROOT = Path(__file__).parents[2]
SECRETS = ("SECRET-of-the-environment", "SECRET-of-the-rivals-strategy")
"""Secrets that no bot may read and no output may show: of the environment, of a bot's source."""
PATH = f"/usr/bin:/bin:{Path(sys.executable).resolve().parent}"
"""Real programs: what stands first on a developer's path may be a script that starts others."""
PR_SET_CHILD_SUBREAPER = 36


class User(NamedTuple):
    """An account that runs tournaments, and its interpreter.

    Attributes:
        name: Of the account; empty for oneself.
        python: An interpreter that it can execute, with the harness installed.
        harness: A process of the user's that runs commands.
    """

    name: str
    python: str
    harness: Preloaded


def log_in(name: str, python: str) -> User:
    """Starts the process in which a user runs commands; the caller closes it."""
    environment = {
        **{key: value for key, value in os.environ.items() if not key.startswith("PYTEST")},
        "PATH": PATH,
        "ARENA_TEST_SECRET": SECRETS[0],
    }
    account: dict[str, object] = {}
    if name:
        entry = pwd.getpwnam(name)
        account = {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}
    return User(name, python, Preloaded(python, environment, account))


class Ended(NamedTuple):
    """Exit code and output of a command, and its processes that were left."""

    code: int
    out: str
    err: str
    left: list[str]


class Standstill:
    """Measures for how long at a time the machine stands still; use it as a context.

    Where it stands still for longer than a decision may take (a virtual machine that is put to
    sleep, an overloaded one), every bot is late by the clock on the wall.

    Attributes:
        seconds: The longest time so far.
    """

    seconds = 0.0

    def __enter__(self) -> Self:
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._over.set()
        self._thread.join()

    def _look(self) -> None:
        before = time.perf_counter()
        while not self._over.wait(0.01):
            now = time.perf_counter()
            self.seconds = max(self.seconds, now - before)
            before = now


def arena(user: User, folder: Path, *words: str) -> Ended:
    """Runs the command line in a folder, and finds the processes left over."""
    with orphans() as left:
        ended = user.harness.run(words, folder, {"HOME": str(folder)})
    return Ended(*ended, left)


@contextmanager
def orphans() -> Iterator[list[str]]:
    """Yields a list that has the commands of processes left over, when the block has ended."""
    libc = ctypes.CDLL(None)
    libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)  # orphans become this process's children
    others, left = _children(), list[str]()
    try:
        yield left
        left += _orphans(others)
    finally:
        libc.prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)


def _children() -> dict[int, tuple[str, str]]:
    """State and command of each child of this process, by its number."""
    children = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            words = stat.read_text().rpartition(")")[2].split()
            if int(words[1]) == os.getpid():
                command = (stat.parent / "cmdline").read_bytes().replace(b"\0", b" ")
                children[int(stat.parent.name)] = words[0], command.decode(errors="replace")
        except OSError:
            continue
    return children


def _orphans(others: Collection[int], seconds: float = 30.0) -> list[str]:
    """The commands of new children that do not end by themselves; they are killed."""
    end = time.monotonic() + seconds
    while True:
        alive = {}
        for number, (state, command) in _children().items():
            # Python's own helper of other tests lives as long as this process.
            if number in others or "multiprocessing.resource_tracker" in command:
                continue
            if state == "Z":
                os.waitpid(number, 0)
            else:
                alive[number] = command
        if not alive:
            return []
        if time.monotonic() > end:
            for number in alive:
                os.kill(number, 9)
                os.waitpid(number, 0)
            return [*alive.values()]
        time.sleep(0.05)


def install_for_everybody(folder: Path) -> str:
    """An interpreter that every user can execute, with the harness; a path.

    Root's own may lie where root alone can go.
    """
    system = Path("/usr/bin/python3")
    if not system.exists():
        pytest.skip("there is no system python3 that another user could execute")
    code = "import sys; print('%d.%d' % sys.version_info[:2])"
    version = subprocess.check_output([system, "-c", code], text=True).strip()
    subprocess.run([system, "-m", "venv", "--without-pip", folder], check=True)
    python = str(folder / "bin" / "python")
    packages = folder / "lib" / f"python{version}" / "site-packages"
    if version == "%d.%d" % sys.version_info[:2]:  # noqa: UP031 - as above
        shutil.copytree(Path(pytest.__file__).parents[1], packages, ignore=_unneeded,
                        dirs_exist_ok=True)  # fmt: skip
    else:
        lock = str(ROOT / "requirements.lock")
        pip = [sys.executable, "-m", "pip", "--python", python, "install", "--quiet"]
        subprocess.run([*pip, "--require-hashes", "-r", lock], check=True)
        environment = {**os.environ, "ARENA_COMPILE": str(int(engine() == "compiled"))}
        own = [*pip, "--no-deps", "--no-build-isolation", str(ROOT)]
        subprocess.run(own, check=True, env=environment)
    for name in (".", "bots", "tournaments", "results"):
        package = "arena" if name == "." else f"arena_{name}"
        shutil.copytree(ROOT / name / package, packages / package, dirs_exist_ok=True)
    # Other users may not write beside the modules what they compile, and would do so every time.
    subprocess.run([python, "-m", "compileall", "-q", packages], check=False)
    subprocess.run(["chmod", "-R", "a+rX", folder], check=True)
    return python


def _unneeded(folder: str, names: list[str]) -> list[str]:
    """Large packages that only tests use, and files that point back to the source folder."""
    large = (
        *("mypy", "pip", "ruff", "setuptools", "hypothesis", "grimp", "arena_bot_", "pyarrow"),
        *("pkg_resources", "ast_serialize", "matplotlib", "mpl_toolkits", "fontTools", "PIL"),
        *("pillow", "contourpy", "kiwisolver", "librt", "tzdata", "hatchling", "importlinter"),
        *("_pytest", "xdist", "playwright", "axe_playwright"),
    )
    return [
        name
        for name in names
        if name.endswith(".pth")
        or name in ("tests", "_tests")
        or (Path(folder).name == "site-packages" and (name.startswith(large) or "mypyc" in name))
    ]

"""Runs tournaments of hostile bots as a person would, as root and as an ordinary user."""

from __future__ import annotations

import ctypes
import json
import os
import pwd
import shutil
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import pytest
from expectations import PROGRAMS, TOURNAMENTS

from arena.core.record import PlayedMatch
from arena.plugins.archives import packed
from arena.plugins.submission import read_package
from results.database import open_database
from results.queries import played_matches
from results.submissions import NewSubmission, add

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
HOUSE = ("stand(at=17)", "random", "counter", "hand-saver")
SECRETS = ("SECRET-of-the-environment", "SECRET-of-the-rivals-strategy")
MARKER = "arena-hostile-marker*"
"""What the bots call the files that they leave where they can."""
PUBLIC_PLACES = tuple(map(Path, ("/tmp", "/var/tmp", "/dev/shm", "/run", "/")))
PATH = f"/usr/bin:/bin:{Path(sys.executable).resolve().parent}"
"""Real programs: what stands first on a developer's path may be a script that starts others."""
PR_SET_CHILD_SUBREAPER = 36
SPEC = """
name = "{name}"
bots = {bots}
games = 2
seed = 7
concurrency = 2
decision_seconds = 0.4
match_seconds = 1.0
startup_seconds = 5.0
memory_mb = 256
output_kb = 64
incidents = 3
"""


class User(NamedTuple):
    """Who runs a tournament, and with which interpreter.

    Attributes:
        name: Of the account; empty for oneself.
        python: An interpreter that it can execute, with the harness installed.
    """

    name: str
    python: str

    def account(self) -> dict[str, object]:
        """Arguments for ``subprocess`` that make a process this user's."""
        if not self.name:
            return {}
        entry = pwd.getpwnam(self.name)
        return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}


class Ended(NamedTuple):
    """How a command ended, what it said, and which of its processes were left."""

    code: int
    out: str
    err: str
    left: list[str]


class Played(NamedTuple):
    """A tournament that was played.

    Attributes:
        folder: With its database, its bots and nothing else.
        ended: How the command ended.
        matches: In schedule order.
    """

    folder: Path
    ended: Ended
    matches: list[PlayedMatch]


def arena(user: User, folder: Path, *words: str) -> Ended:
    """Runs the command line in a folder, and looks what is left of it afterwards."""
    environment = {
        **{key: value for key, value in os.environ.items() if not key.startswith("PYTEST")},
        "HOME": str(folder),
        "PATH": PATH,
        "ARENA_TEST_SECRET": SECRETS[0],
    }
    code = "from arena.cli.app import main; main()"
    libc = ctypes.CDLL(None)
    libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)  # orphans become this process's children
    try:
        done = subprocess.run(
            [user.python, "-P", "-c", code, *words],
            cwd=folder,
            env=environment,
            capture_output=True,
            stdin=subprocess.DEVNULL,
            text=True,
            errors="backslashreplace",
            timeout=300,
            check=False,
            **user.account(),  # type: ignore[call-overload]
        )
        return Ended(done.returncode, done.stdout, done.stderr, _orphans())
    finally:
        libc.prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)


def _orphans(seconds: float = 3.0) -> list[str]:
    """The commands of children that do not end by themselves; they are killed."""
    end = time.monotonic() + seconds
    while True:
        children = []
        for stat in Path("/proc").glob("[0-9]*/stat"):
            try:
                words = stat.read_text().rpartition(")")[2].split()
                command = (stat.parent / "cmdline").read_bytes().replace(b"\0", b" ").decode()
            except OSError:
                continue
            if int(words[1]) == os.getpid():
                children.append((int(stat.parent.name), words[0], command))
        for number, state, _ in children:
            if state == "Z":
                os.waitpid(number, 0)
        alive = [child for child in children if child[1] != "Z"]
        if not alive:
            return []
        if time.monotonic() > end:
            for number, _, _ in alive:
                os.kill(number, 9)
                os.waitpid(number, 0)
            return [command for _, _, command in alive]
        time.sleep(0.05)


def furnish(folder: Path, source: Path | None = None) -> None:
    """Puts every hostile bot into a folder, or that one file under all their names."""
    bots = folder / "bots"
    bots.mkdir(parents=True)
    shutil.copy(HERE / "rival.py", bots)
    for file in (HERE / "hostile").glob("*.py"):
        shutil.copy(source or file, bots / file.name)
    if source is not None:
        for name in (name for room in PROGRAMS.values() for name in room):
            shutil.copy(source, bots / f"{name}.py")


def submit(place: Path, url: str, names: Iterable[str]) -> None:
    """Puts programs into the store, as if they had behaved while they were qualified."""
    with open_database(url) as database:
        for name in names:
            folder = place / name
            folder.mkdir(parents=True)
            command = program(name, folder)
            (folder / "pyproject.toml").write_text(
                f'[project]\nname = "{name}"\nversion = "1"\n'
                f'[tool.arena.bot]\ncommand = {json.dumps(command)}\ngames = ["pazaak"]\n'
            )
            package = read_package(str(folder))
            new = NewSubmission(
                name=name,
                version=package.version,
                content=package.content,
                games=package.games,
                language=package.language,
                kind="program",
                command=package.command,
                deterministic=True,
            )
            add(database, new, packed(package.files))
    shutil.rmtree(place)


def program(name: str, folder: Path) -> list[str]:
    """Puts a program's files into a folder; its command."""
    source = HERE / "programs" / f"{name}.c"
    if source.exists():
        compiler = shutil.which("cc")
        if compiler is None:
            pytest.skip("there is no C compiler (cc)")
        subprocess.run([compiler, "-O1", "-o", folder / name, source], check=True)
        return [f"./{name}"]
    for file in (f"{name}.py", "player.py"):
        shutil.copy(HERE / "programs" / file, folder)
    return ["python3", f"{name}.py"]


def play(user: User, folder: Path, room: str, *, tame: bool = False) -> Played:
    """Plays the tournament of a room, confined.

    Args:
        user: Who runs it.
        folder: Where; new.
        room: Its name.
        tame: A stand-in plays under the name of each hostile bot.
    """
    furnish(folder, HERE / "stand_in.py" if tame else None)
    url = f"sqlite:///{folder / 'arena.db'}"
    hostile = [f"bots/{name}.py" for name in TOURNAMENTS[room]]
    if room in PROGRAMS and not tame:
        submit(folder / "programs", url, TOURNAMENTS[room])
        hostile = list(TOURNAMENTS[room])
    bots = [*HOUSE, "bots/rival.py", *hostile]
    (folder / "room.toml").write_text(SPEC.format(name=room, bots=bots))
    if user.name:
        for path in (folder, *folder.rglob("*")):
            shutil.chown(path, user.name)
    ended = arena(
        user, folder, "tournament", "run", "room.toml", "--db", url,
        "--isolation", "confined", "--require", "confined", "-o", "json",
    )  # fmt: skip
    matches = []
    if ended.code == 0:
        with open_database(url, create=False) as database:
            matches = list(played_matches(database, 1))
    return Played(folder, ended, matches)


def markers(folder: Path) -> list[str]:
    """What hostile bots left, anywhere where one may leave things."""
    places = (*PUBLIC_PLACES, folder, *(path for path in folder.rglob("*") if path.is_dir()))
    return [str(path) for place in places for path in place.glob(MARKER)]


def remove_markers(folder: Path) -> None:
    for name in markers(folder):
        path = Path(name)
        path.rmdir() if path.is_dir() and not path.is_symlink() else path.unlink()


def name_of(key: str) -> str:
    """The bot's name in a participant's key."""
    return key.partition("@")[0]


def install_for_everybody(folder: Path) -> str:
    """An interpreter that every user can execute, with the harness; a path.

    Root's own may lie where root alone can go.
    """
    system = Path("/usr/bin/python3")
    if not system.exists():
        pytest.skip("there is no system python3 that another user could execute")
    tell = "import sys; print('%d.%d' % sys.version_info[:2])"
    version = subprocess.check_output([system, "-c", tell], text=True).strip()
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
        subprocess.run([*pip, "--no-deps", "--no-build-isolation", str(ROOT)], check=True)
    for name in ("arena", "bots", "tournaments", "results"):
        shutil.copytree(ROOT / name, packages / name, dirs_exist_ok=True)
    subprocess.run(["chmod", "-R", "a+rX", folder], check=True)
    return python


def _unneeded(folder: str, names: list[str]) -> list[str]:
    """Large packages that only our tests use, and what points back to where this came from."""
    large = ("mypy", "pip", "ruff", "setuptools", "hypothesis", "grimp", "arena_bot_")
    return [
        name
        for name in names
        if name.endswith(".pth")
        or (Path(folder).name == "site-packages" and (name.startswith(large) or "mypyc" in name))
    ]

"""Measures a level on this machine: tries all attacks for real, against real targets."""

from __future__ import annotations

import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from arena.host.box.bubblewrap import boxed_command
from arena.host.box.granted import check_granted
from arena.host.box.landlock import NEWEST_ABI
from arena.host.box.levels import Level
from arena.host.box.paths import interpreter_paths, stdlib_paths
from arena.host.box.probing.attack import Attack, Targets
from arena.host.box.probing.attacks import ATTACKS, GOT_THROUGH
from arena.host.box.probing.forgeries import forged_executable, forged_script

_PACKAGE = Path(__file__).parents[3]
_CODE = "import sys; sys.path.append(sys.argv.pop(1)); "
_CODE += "from arena.host.box.probing.attacks import main; main(sys.argv[1])"
_SECRETS = ("header/secret", "line/secret")
"""Files that forged programs name."""
_PATIENCE = 20.0
"""Seconds; a probe takes less than a tenth of one."""


class Result(NamedTuple):
    """An attack, and what stopped it: the name of an errno, or ``GOT_THROUGH``."""

    attack: Attack
    how: str

    @property
    def stopped(self) -> bool:
        """True if it was stopped."""
        return self.how != GOT_THROUGH


class ProbeReport(NamedTuple):
    """The results of all attacks at one level.

    Attributes:
        level: The level.
        results: One for each attack; none if the level is unavailable.
        failure: Why it is unavailable; empty if it is not.
    """

    level: Level
    results: tuple[Result, ...] = ()
    failure: str = ""

    @property
    def through(self) -> tuple[str, ...]:
        """The attacks that were not stopped."""
        return tuple(result.attack.name for result in self.results if not result.stopped)

    @property
    def holds(self) -> bool:
        """True if the level stops all attacks, as it must from ``CONFINED`` on.

        ``CONFINED`` need not stop those that only namespaces stop.
        """
        return not self.verdict

    @property
    def without_namespaces(self) -> tuple[str, ...]:
        """The attacks that got through only for want of namespaces."""
        attacks = (each.attack for each in self.results if not each.stopped)
        return tuple(attack.name for attack in attacks if attack.by_namespaces)

    @property
    def verdict(self) -> str:
        """In one line: why the level does not hold; empty if it does."""
        if self.failure or self.level.rank < Level.CONFINED.rank:
            return self.failure
        excused = self.without_namespaces if self.level is Level.CONFINED else ()
        broken_by = [attack for attack in self.through if attack not in excused]
        return f"does not stop: {', '.join(broken_by)}" if broken_by else ""


class Choice(NamedTuple):
    """The highest level that holds on this machine, and why each one above it was not taken."""

    level: Level
    missing: tuple[tuple[Level, str], ...]


def best_level() -> Choice:
    """Finds the highest level that passes the probe; from the top, and no further than needed."""
    return choose(probe(level) for level in reversed(Level))


def choose(reports: Iterable[ProbeReport]) -> Choice:
    """Returns the highest level that holds; ``PROCESS`` if none does.

    The reports begin with the highest level; no more are asked for than needed.
    """
    missing: list[tuple[Level, str]] = []
    for report in reports:
        if report.holds:
            return Choice(report.level, tuple(missing))
        missing.append((report.level, report.verdict))
    return Choice(Level.PROCESS, tuple(missing))


def probe(level: Level, *, program: bool = False, newest_abi: int = NEWEST_ABI) -> ProbeReport:
    """Tries all attacks at a level, in a process of its own (the options: ``Confinement``)."""
    if level is Level.TRUSTED:
        return ProbeReport(level)  # nothing is stopped there, and so nothing is tried
    try:
        done = _attack(level, program, newest_abi)
    except OSError as error:
        return ProbeReport(level, failure=str(error))
    except subprocess.TimeoutExpired:
        return ProbeReport(level, failure=f"the probe took more than {_PATIENCE:g} s")
    return _report(level, done)


def _attack(level: Level, program: bool, newest_abi: int) -> subprocess.CompletedProcess[str]:
    folder = f"{tempfile.gettempdir()}/arena-probe-{secrets.token_hex(8)}"
    # A signal raises an exception once, and anywhere: before the folder is made, in the midst of
    # that, or in one of the two removals. Then the other one removes it.
    try:
        try:
            os.mkdir(folder, 0o700)
            return _attack_in(folder, level, program, newest_abi)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _attack_in(
    folder: str, level: Level, program: bool, newest_abi: int
) -> subprocess.CompletedProcess[str]:
    with _targets(folder) as targets:
        words = json.dumps((level, program, newest_abi, targets))
        argv = (sys.executable, "-P", "-s", "-S", "-c", _CODE, str(_PACKAGE.parent), words)
        readable = (*stdlib_paths(), *_own_code(), targets.readable)
        readable += (targets.unread, f"{targets.unread}-link", *targets.asked)
        return subprocess.run(
            boxed_command(argv, readable) if level is Level.BOXED else argv,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            env={"PYTHONHASHSEED": "0"},
            start_new_session=True,
            timeout=_PATIENCE,
            check=False,
        )


def _report(level: Level, done: subprocess.CompletedProcess[str]) -> ProbeReport:
    lines = done.stdout.splitlines()
    if lines and lines[0].startswith("cannot: "):
        return ProbeReport(level, failure=lines[0].removeprefix("cannot: "))
    if done.returncode or len(lines) != len(ATTACKS):
        last = done.stderr.strip().rpartition("\n")[2] or f"exit code {done.returncode}"
        return ProbeReport(level, failure=f"the probe broke off: {last}")
    return ProbeReport(level, tuple(map(Result, ATTACKS, lines)))


def _own_code() -> Iterator[str]:
    return (f"{_PACKAGE}/{part}" for part in ("__init__.py", "host/__init__.py", "host/box"))


def _unread(path: str) -> str:
    """Yields an unread file and a link to it."""
    os.symlink(path, f"{path}-link")
    for each in (path, f"{path}-link"):
        os.utime(each, (0, 0), follow_symlinks=False)
    return path


def _asked(folder: str) -> Iterator[str]:
    forgeries = (forged_executable, forged_script)
    for number, (forge, secret) in enumerate(zip(forgeries, _SECRETS, strict=True)):
        program = Path(folder, "own", f"forged{number}")
        program.write_bytes(forge(f"{folder}/{secret}"))
        with suppress(OSError):
            read, execute = interpreter_paths([str(program)])
            check_granted(read, execute)
            yield from (path for path in (*read, *execute) if path.startswith(folder))


@contextmanager
def _targets(folder: str) -> Iterator[Targets]:
    # It reads until this process ends, however that ends.
    victim = subprocess.Popen(
        ["cat"], env={"SECRET": "x"}, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL
    )
    try:
        with (
            socket.create_server(("127.0.0.1", 0)) as server,
            socket.socket(socket.AF_UNIX) as abstract,
        ):
            name = f"arena-probe-{os.getpid()}-{time.monotonic_ns()}"
            abstract.bind(f"\0{name}")
            abstract.listen()
            for file in ("database", "rivals/bot.py", "own/bot.py", "own/unread", *_SECRETS):
                path = Path(folder, file)
                path.parent.mkdir(exist_ok=True)
                path.write_text("secret")
            yield Targets(
                parent=os.getpid(),
                victim=victim.pid,
                database=f"{folder}/database",
                rival=f"{folder}/rivals/bot.py",
                readable=f"{folder}/own/bot.py",
                unread=_unread(f"{folder}/own/unread"),
                asked=tuple(_asked(folder)),
                folder=folder,
                port=server.getsockname()[1],
                abstract=name,
            )
    finally:
        victim.kill()
        victim.communicate()

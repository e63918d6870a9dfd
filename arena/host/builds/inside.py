"""Runs the commands of a build inside its box; the job on stdin, the outcome on stdout.

This process is our own. It confines the process of each command, counts all processes and their
memory, and reads the folder only when none of them is left. It counts processes after they began: a
call that waits for a decision, as those of bots do (``threads``), fails in every shell in which
another process ends meanwhile.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

import msgspec

from arena.core.described import described
from arena.core.errors import BadPlugin
from arena.host.box.kernel import die_with_parent, give_up_privileges, hide_memory
from arena.host.box.landlock import restrict_files
from arena.host.box.rlimits import limit_build
from arena.host.box.seccomp import restrict_build
from arena.host.builds.job import MEBIBYTE, BuildJob, Built, spelled
from arena.plugins.submissions.archives import folder_files, write_files

PLACE = "/tmp"
"""The only folder of the box that can be written to."""
PROCESSES = "/proc"
"""The box's own list of processes, which compilers look at."""
FOLDER, HOME = f"{PLACE}/bot", f"{PLACE}/home"
MARK = "ARENA_BUILD_BOX"
"""The variable that only the box has."""
LOOK_SECONDS = 0.02
"""Time between two looks at the memory of a build."""
_NO_START = 127
_PAGE = os.sysconf("SC_PAGE_SIZE")


class _Failed(Exception):
    """Raised with the reason of a failed build."""


class _Tail:
    """The last bytes of an output."""

    def __init__(self, most: int) -> None:
        self._most, self.data = most, b""

    def add(self, data: bytes) -> None:
        self.data = (self.data + data)[-self._most :]


def main() -> None:
    """Builds the job of stdin; outside a box, where it would end others' processes, it does not."""
    if (os.getpid(), os.getppid()) != (2, 1) or os.environ.get(MARK) is None:
        sys.exit("a build runs in its box only")
    hide_memory()
    job = msgspec.msgpack.decode(sys.stdin.buffer.read(), type=described(BuildJob))
    sys.stdout.buffer.write(msgspec.msgpack.encode(_build(job)))


def _build(job: BuildJob) -> Built:
    log = _Tail(job.limits.log)
    folder = Path(FOLDER)
    os.makedirs(HOME)
    try:
        write_files(job.files, folder)
        deadline = time.monotonic() + job.limits.seconds
        for program, command in zip(job.programs, job.commands, strict=True):
            _run(job, program, command, deadline, log)
        if folder.is_symlink():
            raise _Failed("it put a link in the place of its folder")
        files = folder_files("the build's folder", folder)
    except (_Failed, BadPlugin) as error:
        return Built(failure=str(error), log=log.data)
    except OSError as error:  # a folder that its build closed, or no room for the files
        return Built(failure=f"its folder cannot be used: {error.strerror}", log=log.data)
    return Built(files=files, log=log.data)


def _run(job: BuildJob, program: str, command: Sequence[str], deadline: float, log: _Tail) -> None:
    """Runs one command to its end, and ends its processes; raises ``_Failed``."""
    out, its_out = os.pipe()
    child = os.fork()
    if not child:
        _become(job, program, command, its_out)
    os.close(its_out)
    try:
        status = _watch(job, child, out, deadline, log)
    finally:
        kill_all()
        _drain(out, log)
        os.close(out)
    if status:
        raise _Failed(f"{spelled(command)} {_how(status, job)}")


def _become(job: BuildJob, program: str, command: Sequence[str], out: int) -> NoReturn:
    """Confines this process, and becomes the program of a command."""
    try:
        die_with_parent()
        os.setsid()
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(out, 1)
        os.dup2(out, 2)
        os.closerange(3, 256)
        os.chdir(FOLDER)
        limits = job.limits
        limit_build(limits.memory, limits.disk)
        give_up_privileges()
        restrict_files((*job.read, PROCESSES), build=(PLACE,))
        restrict_build()
        os.execve(program, [*command], environment(job.path))
    except BaseException as error:
        why = error.strerror if isinstance(error, OSError) else error
        os.write(2, f"{command[0]} cannot be started: {why}\n".encode())
    finally:
        os._exit(_NO_START)


def environment(path: str) -> Mapping[str, str]:
    """Returns the whole environment of a build; nothing of the machine's is in it."""
    return {
        "PATH": path,
        "HOME": HOME,
        "TMPDIR": PLACE,
        "LANG": "C.UTF-8",
        "PYTHONHASHSEED": "0",
        "SOURCE_DATE_EPOCH": "315532800",
        "CARGO_NET_OFFLINE": "true",
        "GOPROXY": "off",
        "GOFLAGS": "-mod=mod",
        "GOTOOLCHAIN": "local",
        "GOTELEMETRY": "off",
    }


def _watch(job: BuildJob, child: int, out: int, deadline: float, log: _Tail) -> int:
    """Returns the status of a command that has ended; raises ``_Failed`` for one beyond limits."""
    look = 0.0
    waiting = select.poll()
    ended = os.pidfd_open(child)
    for each in (out, ended):
        waiting.register(each, select.POLLIN)
    try:
        while True:
            ready = {number for number, _ in waiting.poll(LOOK_SECONDS * 1e3)}
            if out in ready and not _drain(out, log, once=True):
                waiting.unregister(out)
            if ended in ready:
                return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            if time.monotonic() >= look:
                _check(job, deadline)
                look = time.monotonic() + LOOK_SECONDS
    finally:
        os.close(ended)


def _check(job: BuildJob, deadline: float) -> None:
    limits = job.limits
    if time.monotonic() > deadline:
        raise _Failed(f"it takes more than {limits.seconds:g} s (build_seconds)")
    if _tasks() > limits.tasks:
        raise _Failed(f"it has more than {limits.tasks} processes and threads at a time")
    if _memory() > limits.memory:
        most = limits.memory // MEBIBYTE
        raise _Failed(f"it needs more than {most} MiB of memory (build_memory_mb)")


def _drain(out: int, log: _Tail, *, once: bool = False) -> bool:
    """Reads the output that is there; returns whether more may come."""
    waiting = select.poll()
    waiting.register(out, select.POLLIN)
    while waiting.poll(0):
        data = os.read(out, 1 << 16)
        if not data:
            return False
        log.add(data)
        if once:
            break
    return True


def _processes() -> list[str]:
    """Returns the numbers of the other processes of this box, without the first."""
    own = str(os.getpid())
    return [name for name in os.listdir(PROCESSES) if name.isdecimal() and name not in ("1", own)]


def _tasks() -> int:
    found = 0
    for process in _processes():
        with suppress(OSError):
            found += os.stat(f"{PROCESSES}/{process}/task").st_nlink - 2
    return found


def _memory() -> int:
    """Returns the bytes of memory that the processes have each for itself."""
    pages = 0
    for process in _processes():
        with suppress(OSError), open(f"{PROCESSES}/{process}/statm") as file:
            _, resident, shared, *_ = map(int, file.read().split())
            pages += resident - shared
    return pages * _PAGE


def kill_all() -> None:
    """Ends every process of the box but this one and the first; waits until they are gone."""
    while True:
        try:
            os.kill(-1, signal.SIGKILL)
        except ProcessLookupError:
            return
        with suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        time.sleep(0.001)


def _how(status: int, job: BuildJob) -> str:
    if status > 0:
        return f"ended with exit code {status}"
    number = -status
    if number == signal.SIGXFSZ:
        return f"wrote a file of more than {job.limits.disk // MEBIBYTE} MiB"
    return f"was ended by signal {number} ({signal.strsignal(number)})"

"""The fork server is a clean Python with our runtime loaded, which forks a process for each bot.

A bot's process is ready in a few milliseconds so. The server never runs a line of a bot and knows
nothing that a bot may not know: a fork inherits all memory. It serves one host, one request after
the other, and ends with it.
"""

from __future__ import annotations

import fcntl
import gc
import importlib
import os
import signal
import socket
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from importlib.machinery import ModuleSpec
from types import ModuleType

from arena.core.game import AnyGame
from arena.host.bot.bot_runtime import refuse, serve
from arena.host.box.confine import Confinement, confine
from arena.host.box.executables import PROGRAM_PATH
from arena.host.box.kernel import die_with_parent
from arena.host.box.levels import Level
from arena.host.box.namespaces import NO_NAMESPACES, Namespaces, enter_namespaces
from arena.host.box.paths import stdlib_paths
from arena.host.process.control_channel import receive, send
from arena.host.process.launch import (
    ENVIRONMENT,
    GameSource,
    ProcessSpec,
    Reply,
    SpawnRequest,
    module_spec,
    readable_of_runtime,
    runtime_modules,
)

TALK = 3
"""The descriptor on which our runtime talks to the host."""
THREADS = 4
"""The descriptor of the socket to the monitor, closed while a process is confined."""
PROGRAM_ENVIRONMENT = {"LANG": "C.UTF-8", "PATH": PROGRAM_PATH}
"""The environment of a program, together with the place of its libraries (``program_folder``)."""


class _OnlyTheseModules:
    """Finds top-level modules in their given folders, and nothing besides the standard library."""

    def __init__(self, folders: Mapping[str, str]) -> None:
        self._folders = folders

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Finds a module for the import system."""
        folder = self._folders.get(name)
        return module_spec(name, folder) if folder and path is None else None


def main() -> None:
    """Serves until the host is gone.

    Arguments: the descriptor of the socket, and the isolation level.
    """
    die_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    confines = Level(sys.argv[2]).rank >= Level.CONFINED.rank
    try:
        spaces = enter_namespaces() if confines else None
    except OSError as error:
        sys.exit(f"arena: the fork server cannot be started: {error.strerror}")
    if confines and spaces is None:
        print(f"arena: {NO_NAMESPACES}", file=sys.stderr, flush=True)
    os.environ.clear()  # bubblewrap adds a variable of its own
    os.environ.update(ENVIRONMENT)
    wire = socket.socket(fileno=int(sys.argv[1]))
    runtime = runtime_modules()
    readable = (*stdlib_paths(), *readable_of_runtime())
    # From here on only what a bot may import is found at all.
    sys.path[:] = [folder for folder in sys.path if folder not in runtime.values()]
    sys.meta_path.append(_OnlyTheseModules(runtime))
    importlib.invalidate_caches()
    with suppress(ConnectionError):  # the host is gone
        _serve(wire, spaces, readable)


def _serve(wire: socket.socket, spaces: Namespaces | None, readable: Sequence[str]) -> None:
    while (received := receive(wire, SpawnRequest)) is not None:
        request, descriptors = received
        if request.game is None:
            status = os.waitpid(request.ended, 0)[1]
            if spaces is not None:
                spaces.ended(request.ended)
            send(wire, Reply(status=os.waitstatus_to_exitcode(status)))
            continue
        game = _game(request.game)
        gc.freeze()
        try:
            process = spaces.fork() if spaces is not None else os.fork()
        except OSError as error:  # the machine, or this user, has no more processes
            _close(descriptors)
            send(wire, Reply(error=error.strerror or str(error)))
            continue
        if not process:
            _become(game, descriptors, readable)
        _close(descriptors)
        handles = [os.pidfd_open(process)] if hasattr(os, "pidfd_open") else []
        send(wire, Reply(process=process), handles)
        _close(handles)


def _close(descriptors: Sequence[int]) -> None:
    for descriptor in descriptors:
        os.close(descriptor)


@cache
def _game(source: GameSource) -> AnyGame:
    resolver = _OnlyTheseModules({source.module.partition(".")[0]: source.folder})
    sys.meta_path.append(resolver)
    game: AnyGame = getattr(importlib.import_module(source.module), source.name)()
    sys.meta_path.remove(resolver)
    return game


def _become(game: AnyGame, descriptors: Sequence[int], readable: Sequence[str]) -> None:
    """Runs the bot in the forked process until it ends; never returns.

    Only this process learns which bot it is: later forks could find it in the server's memory.
    """
    code = 1
    talk, log, threads = descriptors
    try:
        os.setsid()
        spec = _read_spec(talk)
        source = spec.source
        try:
            if source.folder:
                os.chdir(source.folder)
            if source.command:
                _descriptors({0: talk, 1: talk, 2: log, THREADS: threads})
                talk = 1
                _exec(spec)
            _descriptors(
                {0: os.open(os.devnull, os.O_RDONLY), 1: log, 2: log, TALK: talk, THREADS: threads}
            )
            talk = TALK
            sys.meta_path.append(_OnlyTheseModules(source.modules))
            read = (*readable, *spec.granted.read)
            confine(Confinement(spec.level, read, memory=spec.memory, threads=THREADS))
        except OSError as error:
            refuse(talk, source, f"its process cannot be started: {error}")
        else:
            serve(talk, source, game)
            code = 0
    finally:
        os._exit(code)


def _read_spec(talk: int) -> ProcessSpec:
    with socket.socket(fileno=os.dup(talk)) as line:
        received = receive(line, ProcessSpec)
    if received is None:
        raise SystemExit  # the host is gone
    return received[0]


def _exec(spec: ProcessSpec) -> None:
    command, granted = spec.source.command, spec.granted
    environment = {**PROGRAM_ENVIRONMENT, "LD_ORIGIN_PATH": granted.program_folder}
    confine(
        Confinement(
            spec.level, granted.read, granted.execute, spec.memory, program=True, threads=THREADS
        )
    )
    os.execve(command[0], command, environment)


def _descriptors(wanted: Mapping[int, int]) -> None:
    """Makes these the process's descriptors (new number: old number), and closes all others."""
    # Out of the way first, so that none is overwritten before it was copied.
    room = max(wanted) + 1
    moved = {number: fcntl.fcntl(now, fcntl.F_DUPFD, room) for number, now in wanted.items()}
    for number, now in moved.items():
        os.dup2(now, number, inheritable=True)
    os.closerange(room, 65_536)

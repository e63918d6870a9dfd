"""A process with the harness loaded, which runs each command in a fork of itself.

A command so started is a process like any other, without the second that loading takes. It is no
substitute where the start itself is the subject: its streams, its limits, its command line. It
waits for the disk as the process of the test does.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from tempfile import TemporaryFile
from threading import Thread
from typing import IO

from arena_results.file import local_file

PATIENCE = 300
"""Seconds for a command."""
SERVE = '''
import atexit, gc, json, os, signal, socket, sys

status = 1

@atexit.register
def leave():
    """Is called last: an interpreter would take apart now all that is loaded."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)

import rich.console, rich.text, trio_parallel
import arena_results.file.database, arena_results.ratings.systems.bootstrap
import arena_tournaments.formats.swiss
from arena.cli import app
from arena.cli.terminal import events, progress
from arena.cli.verbs.tournaments import playing
from arena.host.play import confined, hosts, worker
from arena.service.bots import bot_checks, game_checks
from arena.plugins.registry import Registry

app.build()
for game in Registry().games():
    game.luck.value_function(game.ruleset())
gc.freeze()

def become(request, files):
    global status
    os.setsid()
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    os.chdir(request["folder"])
    os.environ.clear()
    os.environ.update(request["environment"])
    sys.path[:0] = [path for path in os.environ.get("PYTHONPATH", "").split(":") if path]
    arena_results.file.local_file.SYNCHRONOUS = request["synchronous"]
    try:
        exec(request["first"], {})
        sys.argv = ["arena", *request["words"]]
        app.main()
        status = 0
    except SystemExit as end:
        status = end.code or 0

signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for the minders
requests = socket.socket(fileno=0)
while True:
    request, files, _, _ = socket.recv_fds(requests, 1 << 17, 8)
    if not request:
        break
    if os.fork():
        for file in files:
            os.close(file)
        continue
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    requests.close()
    answers = socket.socket(fileno=files.pop())
    if not (child := os.fork()):
        answers.close()
        become(json.loads(request), files)
        break
    for file in files:
        os.close(file)
    answers.send(b"%d" % child)
    answers.send(b"%d" % os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    os._exit(0)
'''


class Process:
    """A command that was started, with as much of ``subprocess.Popen`` as tests use.

    Attributes:
        ended: Can be read when the process has ended.
    """

    returncode: int | None = None

    def __init__(self, answers: socket.socket, streams: Sequence[IO[str] | None]) -> None:
        self.ended = answers
        self.stdin, self.stdout, self.stderr = streams
        self.pid = int(answers.recv(16))

    def wait(self, timeout: float = PATIENCE) -> int:
        """Waits for its end; its exit code, of a signal the negative."""
        if self.returncode is None:
            self.ended.settimeout(timeout)
            self.returncode = int(self.ended.recv(16))
            self.ended.close()
        return self.returncode

    def poll(self) -> int | None:
        with suppress(BlockingIOError):
            self.wait(0)
        return self.returncode

    def communicate(self, text: str = "", timeout: float = PATIENCE) -> tuple[str, str]:
        """Sends this to its stdin, waits for its end; what it wrote to stdout and stderr."""
        if self.stdin:
            with self.stdin:
                self.stdin.write(text)
        found = {stream: "" for stream in (self.stdout, self.stderr) if stream}
        threads = [Thread(target=_read, args=(stream, found), daemon=True) for stream in found]
        for thread in threads:
            thread.start()
        self.wait(timeout)
        for thread in threads:
            thread.join(timeout)
        return found.get(self.stdout, ""), found.get(self.stderr, "")

    def send_signal(self, number: signal.Signals) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)


def _read(stream: IO[str], found: dict[IO[str], str]) -> None:
    with stream:
        found[stream] = stream.read()


class Preloaded:
    """The process with the loaded modules; to be closed.

    Args:
        python: An interpreter with the harness.
        environment: The environment of the process.
        account: Arguments for ``subprocess`` that make it a user's.
        loads: Python that loads more.
    """

    def __init__(
        self,
        python: str,
        environment: Mapping[str, str],
        account: Mapping[str, object],
        loads: str = "",
    ) -> None:
        self._environment = dict(environment)
        self._requests, served = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with served:
            self._process = subprocess.Popen(
                [python, "-P", "-c", f"{loads}\n{SERVE}"],
                stdin=served,
                cwd="/",
                env={**environment, "OPENBLAS_NUM_THREADS": "1"},
                **account,  # type: ignore[call-overload]
            )

    def start(
        self,
        words: Sequence[str],
        folder: Path | str,
        environment: Mapping[str, str],
        stdin: int = subprocess.DEVNULL,
        stdout: int = subprocess.PIPE,
        stderr: int = subprocess.PIPE,
        first: str = "",
        more: Sequence[int] = (),
    ) -> Process:
        """Starts a command in a folder, with this environment, in a session of its own.

        Args:
            words: What follows ``arena``.
            folder: Its working folder.
            environment: All of its environment.
            stdin: As for ``subprocess``.
            stdout: As for ``subprocess``.
            stderr: As for ``subprocess``.
            first: Python that it runs before.
            more: Descriptors that it gets from 3 on.
        """
        ours: list[IO[str] | None] = []
        with ExitStack() as theirs:
            files = []
            for number, file in enumerate((stdin, stdout, stderr)):
                mine = None
                if file == subprocess.PIPE:
                    read, write = os.pipe()
                    mine = os.fdopen(read if number else write, "r" if number else "w")
                    file = write if number else read
                    theirs.callback(os.close, file)
                elif file == subprocess.DEVNULL:
                    file = os.open(os.devnull, os.O_RDWR)
                    theirs.callback(os.close, file)
                files.append(file)
                ours.append(mine)
            files += more
            answers, served = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            answers.settimeout(PATIENCE)
            request = {
                "words": [*words],
                "folder": str(folder),
                "environment": {**environment},
                "first": first,
                "synchronous": local_file.SYNCHRONOUS,
            }
            with served:
                files.append(served.fileno())
                socket.send_fds(self._requests, [json.dumps(request).encode()], files)
            return Process(answers, ours)

    def run(
        self, words: Sequence[str], folder: Path, environment: Mapping[str, str]
    ) -> tuple[int, str, str]:
        """Runs a command in a folder, with this added to its environment: exit code and output."""
        with TemporaryFile("w+") as out, TemporaryFile("w+") as err:
            process = self.start(
                words,
                folder,
                {**self._environment, **environment},
                stdout=out.fileno(),
                stderr=err.fileno(),
            )
            code = process.wait()
            texts = []
            for file in (out, err):
                file.seek(0)
                texts.append(file.buffer.read().decode(errors="backslashreplace"))
            return code, *texts  # type: ignore[return-value]

    def close(self) -> None:
        self._requests.close()
        self._process.wait()

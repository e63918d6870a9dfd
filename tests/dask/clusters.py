"""A cluster of real processes on this machine: Dask's scheduler and its workers, with TLS."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TypeAlias

from arena_dask.certificates import write_certificates

from tests.preloaded import Preloaded, Process

Started: TypeAlias = subprocess.Popen[bytes] | Process

DASK = """
import sys
from dask.__main__ import main
sys.argv = ["dask", *{}]
sys.exit(main())
"""
"""Runs a command of Dask."""
PATIENCE = 120
"""Seconds after which a test gives up waiting, however busy the machine is."""


def wait_for(condition: Callable[[], object], seconds: float = PATIENCE) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it took too long"
        time.sleep(0.05)


def kill(process: Started) -> None:
    """Kills a process, and waits for its end."""
    process.kill()
    process.wait()


class Cluster:
    """A scheduler with workers of one slot each.

    Args:
        folder: For logs, certificates and the workers' cache.
        environment: That of its processes.
        preloaded: Starts what needs no other environment.

    Attributes:
        workers: Its workers, in the order of their start.
    """

    def __init__(self, folder: Path, environment: dict[str, str], preloaded: Preloaded) -> None:
        self.folder, self.cache = folder, folder / "cache"
        self.environment = {**environment, "XDG_CACHE_HOME": str(self.cache)}
        self._preloaded = preloaded
        self.tls = folder / "tls"
        write_certificates(self.tls, 30)
        self.workers: list[Started] = []
        self._started: list[Started] = []
        self._port = 0
        self.start_scheduler()

    def start_scheduler(self) -> None:
        """Starts it, at the same port as one before."""
        file = self.folder / "scheduler.json"
        file.unlink(missing_ok=True)
        words = ["scheduler", "--protocol", "tls", "--port", str(self._port)]
        self.scheduler = self._start([*words, "--scheduler-file", str(file)])
        wait_for(lambda: file.is_file() and file.read_text().endswith("}"))
        self.address = json.loads(file.read_text())["address"]
        self._port = int(self.address.rpartition(":")[2])

    def start_worker(
        self, before: Sequence[str] = (), scheduler: str = "", **environment: str
    ) -> Started:
        """Starts a worker, by default connected to the scheduler directly.

        Args:
            before: Words before its command.
            scheduler: Another address of the scheduler.
            environment: What differs in its environment.
        """
        words = ["worker", scheduler or self.address, "--nthreads", "1", "--no-nanny"]
        self.workers.append(self._start(words, before, **environment))
        return self.workers[-1]

    def thaw(self) -> None:
        """Lets frozen workers go on."""
        for worker in self.workers:
            worker.send_signal(signal.SIGCONT)

    def restore(self) -> None:
        """Makes it what it was: two usual workers, and nothing of a tournament."""
        if self.scheduler.poll() is not None:
            self.start_scheduler()
        usual = [worker for worker in self.workers[:2] if worker.poll() is None]
        for worker in self.workers:
            if worker not in usual:
                kill(worker)
        self.workers = usual
        while len(self.workers) < 2:
            self.start_worker()
        wait_for(lambda: not self.slots())

    def _start(self, words: list[str], before: Sequence[str] = (), **environment: str) -> Started:
        files = {"ca-file": "ca.pem", "cert": "cluster.pem", "key": "cluster.key"}
        tls = [f"--tls-{option}={self.tls / name}" for option, name in files.items()]
        here = ["--host", "127.0.0.1", "--dashboard-address", "127.0.0.1:0"]
        command, folder = [*words, *here, *tls], self.folder
        with (folder / f"{words[0]}-{len(self._started)}.log").open("wb") as log:
            if before or environment:
                process: Started = subprocess.Popen(
                    [*before, sys.executable, "-m", "dask", *command],
                    env={**self.environment, **environment},
                    cwd=folder,
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                )
            else:
                first, out = DASK.format(command), log.fileno()
                process = self._preloaded.start(
                    (), folder, self.environment, stdout=out, stderr=out, first=first
                )
        self._started.append(process)
        return process

    @property
    def executor(self) -> str:
        """The executor as people write it."""
        return f"dask(address={self.address}, tls={self.tls})"

    def slots(self) -> list[int]:
        """Returns the processes that play for its workers."""
        mark = f"XDG_CACHE_HOME={self.cache}".encode()
        found = []
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit():
                try:
                    words = (entry / "cmdline").read_bytes().split(b"\0")
                    if b"arena.host.stdio" in words and mark in (entry / "environ").read_bytes():
                        found.append(int(entry.name))
                except OSError:
                    continue  # it ended meanwhile
        return found

    def cached(self) -> list[Path]:
        """Returns what is in the workers' cache."""
        return sorted(self.cache.glob("*/*"))

    def close(self) -> None:
        self.thaw()
        for process in self._started:
            process.terminate()
        for process in self._started:
            try:
                process.wait(10)
            except (subprocess.TimeoutExpired, TimeoutError):
                process.kill()
                process.wait()


class Wire:
    """A port that passes everything on to another one, and can be cut: then nothing gets through.

    Args:
        address: Address of the scheduler.

    Attributes:
        address: The address of the wire's near end.
    """

    def __init__(self, address: str) -> None:
        host, _, port = address.removeprefix("tls://").rpartition(":")
        self._far = host, int(port)
        self._whole = threading.Event()
        self._whole.set()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"tls://127.0.0.1:{self._listener.getsockname()[1]}"
        self._ends: list[socket.socket] = [self._listener]
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self, seconds: float) -> None:
        """Cuts the wire for a while."""
        self._whole.clear()
        time.sleep(seconds)
        self._whole.set()

    def close(self) -> None:
        self._whole.set()
        for end in self._ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                far = socket.create_connection(self._far)
                self._ends += near, far
                for one, other in ((near, far), (far, near)):
                    threading.Thread(target=self._pass_on, args=(one, other), daemon=True).start()

    def _pass_on(self, one: socket.socket, other: socket.socket) -> None:
        with suppress(OSError):
            while data := one.recv(65_536):
                self._whole.wait()
                other.sendall(data)
            other.shutdown(socket.SHUT_WR)

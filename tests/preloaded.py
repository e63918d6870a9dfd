"""A process with the harness loaded, which runs each command in a fork of itself."""

from __future__ import annotations

import json
import socket
import subprocess
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryFile

PATIENCE = 300
"""Seconds for a command."""
SERVE = """
import gc, json, os, socket, sys

os.environ["OPENBLAS_NUM_THREADS"] = "1"
import arena_results.ratings.bootstrap
from arena.cli import app, playing, progress
from arena.host import hosts, worker
from arena.plugins.registry import Registry

app.build()
Registry().games()
gc.freeze()
requests = socket.socket(fileno=0)
while True:
    request, files, _, _ = socket.recv_fds(requests, 1 << 16, 2)
    if not request:
        break
    if child := os.fork():
        for file in files:
            os.close(file)
        requests.send(b"%d" % os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        continue
    words, folder, environment = json.loads(request)
    requests.detach()
    nothing = os.open(os.devnull, os.O_RDONLY)
    for number, file in enumerate((nothing, *files)):
        os.dup2(file, number)
        os.close(file)
    os.chdir(folder)
    os.environ.update(environment)
    sys.path[:0] = [path for path in os.environ.get("PYTHONPATH", "").split(":") if path]
    sys.argv = ["arena", *words]
    app.main()
"""


class Preloaded:
    """The process with the loaded modules; to be closed.

    Args:
        python: An interpreter with the harness.
        environment: The environment of the process, and so of the commands.
        account: Arguments for ``subprocess`` that make it a user's.
    """

    def __init__(
        self, python: str, environment: Mapping[str, str], account: Mapping[str, object]
    ) -> None:
        self._requests, served = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._requests.settimeout(PATIENCE)
        with served:
            self._process = subprocess.Popen(
                [python, "-P", "-c", SERVE],
                stdin=served,
                cwd="/",
                env=environment,
                **account,  # type: ignore[call-overload]
            )

    def run(
        self, words: tuple[str, ...], folder: Path, environment: Mapping[str, str]
    ) -> tuple[int, str, str]:
        """Runs a command in a folder, with this added to its environment: exit code and output."""
        with TemporaryFile() as out, TemporaryFile() as err:
            request = json.dumps([words, str(folder), {**environment}]).encode()
            socket.send_fds(self._requests, [request], [out.fileno(), err.fileno()])
            code = int(self._requests.recv(16))
            texts = []
            for file in (out, err):
                file.seek(0)
                texts.append(file.read().decode(errors="backslashreplace"))
            return code, *texts  # type: ignore[return-value]

    def close(self) -> None:
        self._requests.close()
        self._process.wait()

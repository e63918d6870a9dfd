"""Starts ``arena`` as real processes from one that has its modules loaded: a fork, not a start."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Self

import msgspec

FOLDER = Path(__file__).parents[2]


class ForkedArena:
    """The process with the loaded modules; as a context, it ends with it.

    Each command is a session of its own; its output goes into files.
    """

    def __enter__(self) -> Self:
        self._server = subprocess.Popen(
            [sys.executable, "-m", "tests.cli.forked"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=FOLDER,
        )
        return self

    def __exit__(self, *error: object) -> None:
        self._server.communicate()

    def start(
        self, words: Sequence[str], folder: Path, environment: Mapping[str, str], output: Path
    ) -> int:
        """Starts a command; returns the number of its process."""
        request = {
            "words": [*words],
            "folder": str(folder),
            "environment": {**environment},
            "output": str(output),
        }
        return int(self._asked(request))

    def wait(self) -> int:
        """Waits for the end of the command; returns its exit code, of a signal the negative."""
        return int(self._asked(None))

    def _asked(self, request: object) -> str:
        assert self._server.stdin is not None
        assert self._server.stdout is not None
        self._server.stdin.write(json.dumps(request) + "\n")
        self._server.stdin.flush()
        return self._server.stdout.readline()


def serve() -> None:
    """Answers requests on stdin: one that starts a command, then one that waits for its end."""
    from arena.cli import app, playing, progress  # noqa: F401
    from arena.host import hosts, worker  # noqa: F401

    app.build()
    child = 0
    for line in sys.stdin:
        request = json.loads(line)
        if request is None:
            answer = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        else:
            answer = child = os.fork()
            if not child:
                become(request)
        print(answer, flush=True)


def become(request: dict[str, object]) -> None:
    """Runs a command in this process, which ends with it."""
    from arena.cli.app import main

    os.setsid()
    os.environ.clear()
    os.environ.update(request["environment"])  # type: ignore[call-overload]
    os.chdir(str(request["folder"]))
    output = os.open(str(request["output"]), os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    nothing = os.open(os.devnull, os.O_RDONLY)
    for number, target in enumerate((nothing, output, output)):
        os.dup2(target, number)
    if width := os.environ.pop("ARENA_TEST_WIDTH", ""):
        limit_batches(int(width))
    sys.argv = ["arena", *request["words"]]  # type: ignore[misc]
    main()


def limit_batches(width: int) -> None:
    """Lets the workers of this process send bots at most so many requests at a time."""
    from arena.host.worker import Setup

    whole = Setup.to_bytes
    Setup.to_bytes = lambda setup: whole(msgspec.structs.replace(setup, width=width))  # type: ignore[method-assign]


if __name__ == "__main__":
    serve()

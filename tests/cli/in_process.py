"""Runs the command ``arena`` in this process, which has its modules loaded, and leaves no trace."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, chdir, contextmanager
from pathlib import Path
from tempfile import TemporaryFile
from unittest.mock import patch

from arena.cli.app import main
from arena.cli.terminal.signals import SIGNALS


def run_in_process(
    words: Sequence[str], folder: Path, environment: Mapping[str, str], *, together: bool = False
) -> tuple[int, str, str]:
    """Runs a command from its arguments to its exit code, as a process of its own would.

    Args:
        words: The arguments.
        folder: The folder in which it runs.
        environment: Its environment variables.
        together: Stdout and stderr are one file, as on a terminal: both are returned as stdout.

    Returns:
        The exit code, and what it wrote to stdout and stderr.
    """
    with ExitStack() as stack:
        stack.enter_context(chdir(folder))
        stack.enter_context(patch.dict(os.environ, environment, clear=True))
        stack.enter_context(patch.object(sys, "argv", ["arena", *words]))
        stack.enter_context(patch.object(sys, "path", [*_python_path(environment), *sys.path]))
        stack.enter_context(_signal_handlers())
        out, err = (stack.enter_context(TemporaryFile()) for _ in range(2))
        code: object = 0
        other = (out if together else err).fileno()
        with _redirected(1, "stdout", out.fileno()), _redirected(2, "stderr", other):
            try:
                main()
            except SystemExit as ended:
                code = ended.code
        return (int(code or 0), *map(_content, (out, err)))  # type: ignore[call-overload]


def _python_path(environment: Mapping[str, str]) -> list[str]:
    return [folder for folder in environment.get("PYTHONPATH", "").split(os.pathsep) if folder]


@contextmanager
def _redirected(number: int, name: str, target: int) -> Iterator[None]:
    """Sends a standard stream to another descriptor, for Python and for child processes."""
    getattr(sys, name).flush()
    saved = os.dup(number)
    os.dup2(target, number)
    try:
        with patch.object(sys, name, open(number, "w", 1, "utf-8", closefd=False)):
            yield
    finally:
        os.dup2(saved, number)
        os.close(saved)


@contextmanager
def _signal_handlers() -> Iterator[None]:
    handlers = {number: signal.getsignal(number) for number in SIGNALS}
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)


def _content(file: object) -> str:
    file.seek(0)  # type: ignore[attr-defined]
    return file.read().decode()  # type: ignore[attr-defined]

"""The process's own stdout and stderr, which may be closed, full, or a pipe that nobody reads.

A command continues to its end and to its own exit code whatever becomes of its output: a tournament
is stored though the terminal is gone. What could not be written is reported once, at the end.
"""

from __future__ import annotations

import errno
import io
import os
import sys
from typing import TextIO

_STDIN, _STDOUT, _STDERR = range(3)


class _Stream(io.FileIO):
    """Writes to a descriptor until that fails; keeps the error, and drops what comes after it."""

    error: OSError | None = None

    def write(self, data: object) -> int:
        """As ``io.FileIO.write``, but never raises."""
        if self.error is None:
            try:
                return super().write(data)  # type: ignore[arg-type]
            except OSError as error:
                self.error = error
        return len(memoryview(data))  # type: ignore[arg-type]


class Streams:
    """Places ``sys.stdout`` and ``sys.stderr`` on streams that cannot fail; made once a process."""

    def __init__(self) -> None:
        # What is opened later must not get their numbers: a database would be written to by print.
        # A stdout that was closed takes nothing, like one that is full; the others do not matter.
        _reserve(_STDIN, os.O_RDONLY)
        _reserve(_STDOUT, os.O_RDONLY)
        _reserve(_STDERR, os.O_WRONLY)
        self._stdout = _Stream(_STDOUT, "w", closefd=False)
        self._stderr = _Stream(_STDERR, "w", closefd=False)
        sys.stdout = _text(self._stdout, sys.stdout, line_buffering=self._stdout.isatty())
        sys.stderr = _text(self._stderr, sys.stderr, line_buffering=True)

    def close(self) -> str:
        """Writes out what is left.

        Returns:
            Why the answer could not be written; empty when it was, or when its reader had seen
            enough (``arena ... | head``).
        """
        sys.stdout.flush()
        sys.stderr.flush()
        error = self._stdout.error
        if error is None or error.errno == errno.EPIPE:
            return ""
        return error.strerror or str(error)


def _reserve(descriptor: int, flags: int) -> None:
    try:
        os.fstat(descriptor)
    except OSError:
        # It gets the lowest number that is free, this one; workers need it as well.
        os.set_inheritable(os.open(os.devnull, flags), True)


def _text(raw: _Stream, before: TextIO | None, *, line_buffering: bool) -> io.TextIOWrapper:
    encoding = before.encoding if before is not None else "utf-8"
    # Paths may hold bytes that are no text, and a terminal may know no letters but ASCII.
    return io.TextIOWrapper(
        io.BufferedWriter(raw),
        encoding=encoding,
        errors="backslashreplace",
        line_buffering=line_buffering,
    )

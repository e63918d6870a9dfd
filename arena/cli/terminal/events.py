"""``--events FILE|-``: events of a running tournament as JSON lines, for other programs.

A reader can neither stop the tournament nor slow it: a thread writes what waits in memory, and when
the reader is gone, or too far behind, the events end there.
"""

from __future__ import annotations

import os
import sys
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from threading import Condition, Thread

import msgspec

from arena.cli.terminal.output import Output, say
from arena.core.errors import BadInput
from arena.service.answers.rows import Document
from arena.service.run.watching.events import OnEvent

MAX_WAITING = 64_000_000
"""Bytes that may wait for a slow reader."""
LAST_SECONDS = 5.0
"""Time that a reader has for the rest when the tournament is over."""
_encode = msgspec.json.Encoder().encode


@contextmanager
def event_stream(place: str | None, output: str) -> Iterator[OnEvent | None]:
    """Opens the stream of events; with ``-`` what is printed meanwhile goes to stderr.

    Raises:
        BadInput: The file cannot be opened, or stdout is to have a document, too.
    """
    if place is None:
        yield None
        return
    if place == "-" and output is not Output.TABLE:
        raise BadInput(f"--events - and -o {output} would both write to stdout")
    writer = EventWriter(place)
    try:
        if place == "-":
            with redirect_stdout(sys.stderr):
                yield writer.add
        else:
            yield writer.add
    finally:
        writer.close()


class EventWriter:
    """Writes events to a file, in a thread; none of its methods waits for the reader but ``close``.

    Args:
        place: The file, to which they are added, or ``-`` for stdout.
    """

    def __init__(self, place: str) -> None:
        self._place = "stdout" if place == "-" else place
        self._file = _opened(place)
        self._waiting: deque[bytes] = deque()
        self._bytes = 0
        self._over = False
        self._problem = ""
        self._changed = Condition()
        self._thread = Thread(target=self._write, name="events", daemon=True)
        self._thread.start()

    def add(self, event: Document) -> None:
        """Adds an event; after a problem it is dropped."""
        line = _encode(event) + b"\n"
        with self._changed:
            if self._problem:
                self._report()
                return
            if self._bytes + len(line) > MAX_WAITING:
                self._problem = "their reader is too slow"
            else:
                self._waiting.append(line)
                self._bytes += len(line)
            self._changed.notify()

    def close(self) -> None:
        """Waits for the rest to be written, but not for long."""
        with self._changed:
            self._over = True
            self._changed.notify()
        self._thread.join(LAST_SECONDS)
        if self._thread.is_alive() and not self._problem:
            self._problem = "their reader is too slow"
        self._report()

    def _report(self) -> None:
        if self._problem and self._place:
            say(f"warning: no more events to {self._place}: {self._problem}")
            self._place = ""

    def _write(self) -> None:
        while lines := self._next():
            try:
                while lines:
                    lines = lines[os.write(self._file, lines) :]
            except OSError as error:
                with self._changed:
                    self._problem = self._problem or error.strerror or str(error)
                break
        os.close(self._file)

    def _next(self) -> bytes:
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._over or self._problem)
            lines = b"".join(self._waiting)
            self._waiting.clear()
            self._bytes = 0
            return lines


def _opened(place: str) -> int:
    if place == "-":
        return os.dup(1)
    # Not blocking: a pipe that nobody reads would keep us here.
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        file = os.open(place, flags, 0o666)
    except OSError as error:
        raise BadInput(f"--events {place} cannot be written: {error.strerror}") from None
    os.set_blocking(file, True)
    return file

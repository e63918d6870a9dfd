"""Cuts the output of a bot's process into the logs of its matches.

Our runtime tags each line with the id of the request that it answers (``TaggedOutput``). Ids cannot
be foreseen and only open ones count, so a bot can only write to logs of its own open matches. Lines
without a tag (of programs, or straight to the descriptor) belong to the match if only one is open.
"""

from __future__ import annotations

import io
import os
import re
from collections.abc import Sequence
from itertools import islice

OF_NO_MATCH = 0
"""The id of lines of an import, or of the outcome of a match."""
MAX_LINE_LENGTH = 65_536
"""Bytes after which a line without an end is taken as one."""
MAX_LINES = 16_384
"""Most tagged lines that are sorted by match in one exchange."""
MAX_LOG_BYTES = 65_536
"""Most bytes of one match's log, the last ones."""
_TAG = re.compile(rb"^\x1e\d{1,19} ", re.MULTILINE)
_TAGGED_LINE = re.compile(rb"^\x1e(\d{1,19}) ([^\n]*\n?)", re.MULTILINE)


class Answering:
    """Holds the id of the request that the runtime answers; ``OF_NO_MATCH`` between requests."""

    __slots__ = ("id",)

    def __init__(self) -> None:
        self.id = OF_NO_MATCH


class TaggedOutput(io.RawIOBase):
    """Writes lines to a descriptor, each with the tag of the request that is being answered."""

    def __init__(self, descriptor: int, answering: Answering) -> None:
        self._descriptor, self._answering = descriptor, answering
        self._line, self._id = b"", OF_NO_MATCH

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._descriptor

    def write(self, data: object) -> int:
        """Writes the complete lines."""
        added = bytes(data)  # type: ignore[call-overload] # whatever has a buffer
        if self._id != self._answering.id:
            self.flush()
            self._id = self._answering.id
        *lines, self._line = (self._line + added).split(b"\n")
        tag = b"\x1e%d " % self._id
        self._send(b"".join([tag + line + b"\n" for line in lines]))
        if len(self._line) > MAX_LINE_LENGTH:
            self.flush()
        return len(added)

    def flush(self) -> None:
        """Writes the begun line as one."""
        if self._line:
            line, self._line = self._line, b""
            self._send(b"\x1e%d %s\n" % (self._id, line))

    def _send(self, data: bytes) -> None:
        view = memoryview(data)
        while view:
            view = view[os.write(self._descriptor, view) :]


def tagged(stream: io.TextIOWrapper, answering: Answering) -> io.TextIOWrapper:
    """Returns a stream with the settings of another one, whose lines are tagged."""
    output = TaggedOutput(stream.fileno(), answering)
    return io.TextIOWrapper(
        output,  # type: ignore[arg-type] # it needs no buffer
        encoding=stream.encoding,
        errors=stream.errors,
        write_through=True,
    )


class LogEnd:
    """The last ``most`` bytes of a log, and the number of those before them."""

    __slots__ = ("_kept", "_most", "_size")

    def __init__(self, most: int) -> None:
        self._most, self._kept, self._size = most, bytearray(), 0

    def add(self, data: bytes) -> None:
        self._size += len(data)
        self._kept += data
        if len(self._kept) > 2 * self._most:
            del self._kept[: len(self._kept) - self._most]

    def extend(self, other: LogEnd) -> None:
        """Adds the log that follows this one."""
        self._size += other._size - len(other._kept)
        self.add(bytes(other._kept))

    def data(self) -> bytes:
        """The last bytes."""
        return bytes(self._kept[max(0, len(self._kept) - self._most) :])

    def text(self) -> str:
        """Returns the log as text; if bytes were cut off, the first line says how many."""
        kept = self.data()
        cut = self._size - len(kept)
        note = f"[the first {cut} bytes were cut off]\n" if cut else ""
        return note + kept.decode("utf-8", "backslashreplace")


class ProcessLog:
    """The log of one process: its last ``most`` bytes, and the part of each open request."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._tail = self._line = b""
        self._asked: Sequence[int] = ()
        self._lines_left = MAX_LINES
        self._cut: dict[int, LogEnd] = {}

    def begin(self, asked: Sequence[int]) -> None:
        """Notes the ids of the requests that are sent now, which follow each other."""
        self._asked, self._lines_left = asked, MAX_LINES

    def feed(self, data: bytes) -> int:
        """Takes output; returns how many bytes of the complete lines are tags."""
        whole, end, self._line = (self._line + data).rpartition(b"\n")
        tags = self._take(whole + end)
        if len(self._line) > MAX_LINE_LENGTH:
            self._end_line()
        return tags

    def take(self) -> dict[int, LogEnd]:
        """Returns the output since the last time, by the ids of requests."""
        if self._line and self._asked:
            self._end_line()
        cut = self._cut
        if cut:
            self._cut = {}
        return cut

    def text(self) -> str:
        """Returns the end of the whole, without tags."""
        end = (self._tail + _TAG.sub(b"", self._line))[-self._most :] if self._most else b""
        return end.decode("utf-8", "backslashreplace")

    def remove(self, pattern: re.Pattern[bytes]) -> None:
        """Removes what is found in the end of the whole, and of each request."""
        self._end_line()
        self._tail = pattern.sub(b"", self._tail)
        for id, end in self.take().items():
            kept = LogEnd(min(self._most, MAX_LOG_BYTES))
            kept.add(pattern.sub(b"", end.data()))
            self._cut[id] = kept

    def _end_line(self) -> None:
        line, self._line = self._line, b""
        self._take(line)

    def _take(self, data: bytes) -> int:
        plain = _TAG.sub(b"", data)
        tags = len(data) - len(plain)
        if not (data and self._most):
            return tags
        self._tail = (self._tail + plain)[-self._most :]
        asked = self._asked
        if not asked:
            return tags
        alone = len(asked) == 1
        end = 0
        if tags:
            for line in islice(_TAGGED_LINE.finditer(data), self._lines_left):
                if alone and line.start() > end:
                    self._give(asked[0], data[end : line.start()])
                end, id = line.end(), int(line[1])
                self._lines_left -= 1
                if asked[0] <= id <= asked[-1]:
                    self._give(id, line[2])
        if alone:
            self._give(asked[0], _TAG.sub(b"", data[end:]))
        return tags

    def _give(self, id: int, data: bytes) -> None:
        if id not in self._cut:
            self._cut[id] = LogEnd(min(self._most, MAX_LOG_BYTES))
        self._cut[id].add(data)

"""Readers cut a stream of bytes into messages: frames with a length before them, or lines.

They do no I/O. Both stop at the first sign of a payload beyond the limit, so that a bot cannot fill
our memory; their time is in proportion to the bytes, however small the pieces.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

LENGTH = 4
"""Bytes of the length before a frame: little-endian, unsigned."""


class BadFrame(Exception):
    """Raised for a message that is too long, which ends the stream; the caller blames the bot.

    The message is one line without anything that the bot sent but a length.
    """


class Reader(ABC):
    """Cuts a stream into payloads.

    Attributes:
        limit: Most bytes of a payload; may change before each exchange.
    """

    __slots__ = ("_held", "limit")

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._held = bytearray()

    @property
    def held(self) -> int:
        """Number of bytes of an unfinished payload."""
        return len(self._held)

    @abstractmethod
    def feed(self, data: bytes | memoryview) -> list[bytes]:
        """Takes further bytes; returns the payloads that they complete, in order.

        Raises:
            BadFrame: A payload, complete or not, is longer than the limit. The other payloads are
                lost, and every further call raises it again.
        """


class Frames(Reader):
    """Reads frames: a length, then as many bytes."""

    __slots__ = ()

    @staticmethod
    def wrap(payload: bytes) -> bytes:
        """Returns the payload as a frame."""
        return len(payload).to_bytes(LENGTH, "little") + payload

    def feed(self, data: bytes | memoryview) -> list[bytes]:
        held = self._held
        held += data
        payloads = []
        at, end = 0, len(held)
        while end - at >= LENGTH:
            size = int.from_bytes(held[at : at + LENGTH], "little")
            if size > self.limit:
                self._held = held[at : at + LENGTH]  # to refuse it again; the rest goes
                raise BadFrame(f"a message of {size} bytes; at most {self.limit} are allowed")
            if end - at < LENGTH + size:
                break
            payloads.append(bytes(held[at + LENGTH : at + LENGTH + size]))
            at += LENGTH + size
        del held[:at]
        return payloads


class Lines(Reader):
    """Reads lines, each closed by a newline; payloads come without it."""

    __slots__ = ("_searched",)

    def __init__(self, limit: int) -> None:
        super().__init__(limit)
        self._searched = 0  # so many bytes of what is held are known to hold no newline

    @staticmethod
    def wrap(payload: bytes) -> bytes:
        """Returns the payload, which holds no newline, as a line."""
        return payload + b"\n"

    def feed(self, data: bytes | memoryview) -> list[bytes]:
        held = self._held
        held += data
        payloads = []
        at, end = 0, held.find(b"\n", self._searched)
        while 0 <= end <= at + self.limit:
            payloads.append(bytes(held[at:end]))
            at = end + 1
            end = held.find(b"\n", at)
        del held[:at]
        self._searched = len(held)
        if len(held) > self.limit:
            del held[self.limit + 1 :]  # one byte too many, to refuse it again
            raise BadFrame(f"a line of more than {self.limit} bytes, which is the most allowed")
        return payloads

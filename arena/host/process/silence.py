"""Finds out why no answer of a late program has come: it may not flush its output."""

from __future__ import annotations

import socket
from fcntl import ioctl
from struct import unpack

import trio

UNFLUSHED = (
    "its answer came only once its input was closed: it has to flush its output after each line"
)
WROTE_NOTHING = (
    "it read its input and wrote nothing: does it flush its output after each line that it writes?"
)
UNCLOSED = "it wrote an answer, but no newline after it: each answer is one line"
END_SECONDS = 1.0
"""Time for a program to end, once its input has."""
_UNREAD = 0x5411
"""SIOCOUTQ (Linux, linux/sockios.h): of a local socket what the other end has not read."""


async def silence_of(talk: socket.socket, held: int) -> str:
    """Explains to a program's author, in one line, why its answer is late.

    Its input is closed for that, so it must be ended afterwards. A busy program does not notice
    that in time. One that waits for more input ends, and its output comes.

    Args:
        talk: The line to it; all of its output so far was read.
        held: Number of bytes since its last whole line.

    Returns:
        An empty string if it is busy, or has read only a part of its input.
    """
    if held:
        return UNCLOSED
    try:
        if unpack("i", ioctl(talk, _UNREAD, bytes(4)))[0]:
            return ""
        talk.shutdown(socket.SHUT_WR)
        with trio.move_on_after(END_SECONDS):
            await trio.lowlevel.wait_readable(talk)
            return UNFLUSHED if talk.recv(1) else WROTE_NOTHING
    except OSError:  # it is gone
        pass
    return ""

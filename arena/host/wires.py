"""Orders and descriptors between a table process and its fork server, over a Unix socket."""

from __future__ import annotations

import socket
from collections.abc import Sequence
from typing import TypeVar

import msgspec

_LENGTH = 4
_MOST_DESCRIPTORS = 4

T = TypeVar("T")


def send(wire: socket.socket, message: msgspec.Struct, descriptors: Sequence[int] = ()) -> None:
    """Sends a message, and with it descriptors."""
    payload = msgspec.msgpack.encode(message)
    data = len(payload).to_bytes(_LENGTH, "little") + payload
    sent = socket.send_fds(wire, [data], list(descriptors)) if descriptors else 0
    if sent < len(data):
        wire.sendall(data[sent:])


def receive(wire: socket.socket, kind: type[T]) -> tuple[T, list[int]] | None:
    """Waits for the next message and its descriptors; ``None`` when the other side is gone."""
    data, descriptors, _, _ = socket.recv_fds(wire, 1 << 16, _MOST_DESCRIPTORS)
    while data and len(data) < _LENGTH + int.from_bytes(data[:_LENGTH], "little"):
        more = wire.recv(1 << 16)
        if not more:
            return None
        data += more
    if not data:
        return None
    return msgspec.msgpack.decode(data[_LENGTH:], type=kind), descriptors

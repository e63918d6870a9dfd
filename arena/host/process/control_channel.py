"""Sends requests and descriptors between a host and its fork server, over a Unix socket."""

from __future__ import annotations

import socket
from collections.abc import Sequence
from typing import TypeVar

import msgspec

from arena.core.described import described
from arena.host.wire.framing import LENGTH, Frames

_MAX_DESCRIPTORS = 4

T = TypeVar("T")


def framed(message: msgspec.Struct) -> bytes:
    """Encodes a message as ``receive`` reads it."""
    return Frames.wrap(msgspec.msgpack.encode(message))


def send(wire: socket.socket, message: msgspec.Struct, descriptors: Sequence[int] = ()) -> None:
    """Sends a message, and with it descriptors."""
    data = framed(message)
    sent = socket.send_fds(wire, [data], list(descriptors)) if descriptors else 0
    if sent < len(data):
        wire.sendall(data[sent:])


def receive(wire: socket.socket, kind: type[T]) -> tuple[T, list[int]] | None:
    """Waits for one message and its descriptors; returns ``None`` when the other side is gone."""
    try:
        head, descriptors, _, _ = socket.recv_fds(wire, LENGTH, _MAX_DESCRIPTORS)
    except ConnectionError:
        return None
    if len(head) < LENGTH:
        return None
    payload = b""
    size = int.from_bytes(head, "little")
    while len(payload) < size:
        more = wire.recv(size - len(payload))
        if not more:
            return None
        payload += more
    return msgspec.msgpack.decode(payload, type=described(kind)), descriptors

"""Opens sockets of all kinds. It must fail, and it plays on."""

import socket

from player import got, play

KINDS = {
    "TCP": (socket.AF_INET, socket.SOCK_STREAM),
    "UDP": (socket.AF_INET, socket.SOCK_DGRAM),
    "TCP over IPv6": (socket.AF_INET6, socket.SOCK_STREAM),
    "Unix": (socket.AF_UNIX, socket.SOCK_STREAM),
    "netlink": (socket.AF_NETLINK, socket.SOCK_RAW),
}


def found():
    for name, kind in KINDS.items():
        try:
            socket.socket(*kind).close()
        except OSError:
            continue
        return f"a {name} socket"
    return None


play(lambda message: got(message, found()))

"""Opens sockets to the kernel itself: netlink, packets, ciphers, virtual machines. It plays on."""

import socket

from arena import Bot

KINDS = {
    "netlink": (socket.AF_NETLINK, socket.SOCK_RAW),
    "packet": (socket.AF_PACKET, socket.SOCK_RAW),
    "cipher": (socket.AF_ALG, socket.SOCK_SEQPACKET),
    "vsock": (socket.AF_VSOCK, socket.SOCK_STREAM),
    "raw": (socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP),
}


class OpensOddSockets(Bot):
    def start(self, context):
        for name, kind in KINDS.items():
            try:
                socket.socket(*kind).close()
            except OSError:
                continue
            raise RuntimeError(f"GOT: a {name} socket")

    def act(self, observation):
        return observation.legal_actions[0]

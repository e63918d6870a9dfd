"""Sends a datagram, which needs no connection. It must fail, and it plays on."""

import socket

from arena import Bot


class SendsUdp(Bot):
    def start(self, context):
        try:
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as talk:
                talk.bind(("127.0.0.1", 0))
                talk.sendto(b"x", talk.getsockname())
        except OSError:
            return
        raise RuntimeError("GOT: a datagram")

    def act(self, observation):
        return observation.legal_actions[0]

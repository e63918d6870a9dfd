"""Asks for the address of a name, as libraries do unasked. It must fail quickly; it plays on."""

import contextlib
import socket

from arena import Bot


class AsksNames(Bot):
    def start(self, context):
        with contextlib.suppress(OSError):  # localhost may be built in; but nothing may hang
            socket.getaddrinfo("localhost", 80, type=socket.SOCK_STREAM)
        try:
            socket.create_connection(("localhost", 9), timeout=1).close()
        except ConnectionRefusedError:
            pass  # that too is an answer
        except OSError:
            return
        raise RuntimeError("GOT: an answer from the network")

    def act(self, observation):
        return observation.legal_actions[0]

"""Listens on a TCP port, and connects to it. There is no network in the box: it plays on."""

import socket

from arena import Bot


class ConnectsTcp(Bot):
    def start(self, context):
        try:
            with (
                socket.create_server(("127.0.0.1", 0)) as server,
                socket.create_connection(server.getsockname(), timeout=1),
            ):
                pass
        except OSError:
            return
        raise RuntimeError("GOT: a TCP connection")

    def act(self, observation):
        return observation.legal_actions[0]

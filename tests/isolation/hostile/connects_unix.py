"""Opens Unix sockets: in a file, without a name, in the abstract name space. It plays on."""

import os
import socket

from arena import Bot


class ConnectsUnix(Bot):
    def start(self, context):
        for name in (f"\0arena-hostile-{os.getpid()}", "/tmp/arena-hostile-marker-socket", ""):
            try:
                with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as server:
                    server.bind(name)
                    server.listen()
            except OSError:
                continue
            raise RuntimeError("GOT: a Unix socket")

    def act(self, observation):
        return observation.legal_actions[0]

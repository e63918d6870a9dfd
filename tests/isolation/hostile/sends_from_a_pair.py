"""Makes a pair of connected sockets, and sends from it to somebody else's address.

Connected datagram sockets can do that. It must fail, and it plays on.
"""

import socket

from arena import Bot


class SendsFromAPair(Bot):
    def start(self, context):
        for kind in (socket.SOCK_DGRAM, socket.SOCK_SEQPACKET, socket.SOCK_RAW):
            try:
                one, other = socket.socketpair(socket.AF_UNIX, kind)
            except OSError:
                continue
            with one, other:
                try:
                    one.sendto(b"x", "\0arena-hostile-nobody")
                except ConnectionRefusedError:
                    pass  # it was looked for, and is not there
                except OSError:
                    continue
            raise RuntimeError("GOT: a way to any Unix socket")

    def act(self, observation):
        return observation.legal_actions[0]

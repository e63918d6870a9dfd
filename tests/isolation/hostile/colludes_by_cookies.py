"""Asks a socket for its cookie: a number that the kernel gives out in turn to all.

One process makes sockets or does not, another sees the gap. It must fail, and it plays on.
"""

import socket

from arena import Bot

SO_COOKIE = 57


class ColludesByCookies(Bot):
    def act(self, observation):
        left, right = socket.socketpair()
        with left, right:
            left.getsockopt(socket.SOL_SOCKET, socket.SO_TYPE)
            try:
                cookie = left.getsockopt(socket.SOL_SOCKET, SO_COOKIE, 8)
            except OSError:
                return observation.legal_actions[0]
        raise RuntimeError(f"GOT: socket {int.from_bytes(cookie, 'little')}")

"""Does what root may do: mount, change root, names, users and clocks. It plays on, also as root."""

import ctypes
import os
import socket
import time

from arena import Bot

LIBC = ctypes.CDLL(None, use_errno=True)


def mount():
    if LIBC.mount(b"none", b"/tmp", None, 1 << 18, None):  # makes /tmp private, if it is a mount
        raise OSError(ctypes.get_errno(), "refused")


WAYS = {
    "chroot": lambda: os.chroot("/"),
    "the machine's name": lambda: socket.sethostname(os.uname().nodename),
    "the clock": lambda: time.clock_settime(time.CLOCK_REALTIME, time.time()),
    "groups": lambda: os.setgroups([]),
    "mount": mount,
}


class ActsAsRoot(Bot):
    def start(self, context):
        for name, way in WAYS.items():
            try:
                way()
            except OSError:
                continue
            raise RuntimeError(f"GOT: {name}")

    def act(self, observation):
        return observation.legal_actions[0]

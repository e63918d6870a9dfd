"""Becomes root in a user namespace of its own, where more of the kernel is open. It plays on."""

import ctypes
import os

from arena import Bot

NAMESPACES = {"user": 0x10000000, "mount": 0x20000, "net": 0x40000000, "time": 0x80}


class MakesNamespaces(Bot):
    def start(self, context):
        libc = ctypes.CDLL(None, use_errno=True)
        for name, flag in NAMESPACES.items():
            if libc.unshare(flag) == 0:
                raise RuntimeError(f"GOT: a {name} namespace")
        try:
            number = os.open(f"/proc/{os.getppid()}/ns/net", os.O_RDONLY)
        except OSError:
            return
        if libc.setns(number, 0) == 0:
            raise RuntimeError("GOT: its parent's namespace")

    def act(self, observation):
        return observation.legal_actions[0]

"""Forks by the naked system calls ``clone`` and ``clone3``. It must fail, and it plays on."""

import ctypes
import os
import signal
import struct

from arena import Bot

CLONE = {"x86_64": 56, "aarch64": 220}[os.uname().machine]
CLONE3 = 435


class Clones(Bot):
    def start(self, context):
        call = ctypes.CDLL(None, use_errno=True).syscall
        arguments = ctypes.create_string_buffer(
            struct.pack("8Q", 0, 0, 0, 0, signal.SIGCHLD, 0, 0, 0)
        )
        for how in ((CLONE, signal.SIGCHLD, 0, 0, 0, 0), (CLONE3, arguments, 64)):
            child = call(*how)
            if child == 0:
                os._exit(0)
            if child > 0:
                os.waitpid(child, 0)
                raise RuntimeError(f"GOT: a process by system call {how[0]}")

    def act(self, observation):
        return observation.legal_actions[0]

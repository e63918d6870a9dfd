"""Queues a realtime signal to itself, which counts against a limit of all the user's processes.

One process fills that queue or empties it, another finds it full or not. It must fail, and it plays
on.
"""

import ctypes
import os
import platform
import signal
import threading

from arena import Bot

LIBC = ctypes.CDLL(None)
TGKILL = {"x86_64": 234, "aarch64": 131}[platform.machine()]


class ColludesBySignals(Bot):
    def act(self, observation):
        number = signal.SIGRTMIN + 6
        signal.pthread_sigmask(signal.SIG_BLOCK, [number])
        if LIBC.syscall(TGKILL, os.getpid(), threading.get_native_id(), int(number)) == 0:
            raise RuntimeError("GOT: a signal in the queue")
        return observation.legal_actions[0]

"""Signals other processes by the less known ways: threads, queues and handles. It plays on."""

import ctypes
import os
import signal

from arena import Bot

LIBC = ctypes.CDLL(None, use_errno=True)
TGKILL = {"x86_64": 234, "aarch64": 131}[os.uname().machine]
TKILL = {"x86_64": 200, "aarch64": 130}[os.uname().machine]


def by_handle(process):
    handle = os.pidfd_open(process)
    signal.pidfd_send_signal(handle, 0)


def by_number(number, *arguments):
    if LIBC.syscall(number, *arguments) == -1:
        raise OSError(ctypes.get_errno(), "refused")


WAYS = {
    "pidfd": by_handle,
    "tgkill": lambda process: by_number(TGKILL, process, process, 0),
    "tkill": lambda process: by_number(TKILL, process, 0),
    "sigqueue": lambda process: 1 / (LIBC.sigqueue(process, 0, None) == 0),
    "killpg": lambda process: os.killpg(os.getpgid(process), 0),
}


class SignalsOthers(Bot):
    def start(self, context):
        for name, way in WAYS.items():
            for process in {os.getppid(), 1} - {0}:
                try:
                    way(process)
                except (OSError, ZeroDivisionError):
                    continue
                raise RuntimeError(f"GOT: a signal by {name}")

    def act(self, observation):
        return observation.legal_actions[0]

"""Shares memory, semaphores and messages with its other processes (System V, POSIX).

It must fail, and it plays on.
"""

import ctypes

from arena import Bot

IPC_CREAT, IPC_RMID, KEY = 0o1000, 0, 0xA4E4A
O_CREAT, O_RDWR = 0o100, 2


class SharesMemory(Bot):
    def start(self, context):
        libc = ctypes.CDLL(None, use_errno=True)
        ways = {
            "shared memory": lambda: libc.shmget(KEY, 4096, IPC_CREAT | 0o600),
            "a semaphore": lambda: libc.semget(KEY, 1, IPC_CREAT | 0o600),
            "a queue": lambda: libc.msgget(KEY, IPC_CREAT | 0o600),
            "a POSIX queue": lambda: libc.mq_open(b"/hostile", O_CREAT | O_RDWR, 0o600, None),
        }
        for name, way in ways.items():
            if (number := way()) >= 0:
                libc.shmctl(number, IPC_RMID, None)
                raise RuntimeError(f"GOT: {name}")

    def act(self, observation):
        return observation.legal_actions[0]

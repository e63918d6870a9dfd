"""Signals, traces and limits its parent and everybody. It must fail, and it plays on."""

import os
import resource
import signal

from player import got, play

PARENT = os.getppid()
WAYS = {
    "a signal to all": lambda: os.kill(-1, 0),
    "a signal to its parent": lambda: os.kill(PARENT or 1, 0),
    "SIGKILL to its parent": lambda: os.kill(PARENT if PARENT > 1 else 2**22, signal.SIGKILL),
    "limits of its parent": lambda: resource.prlimit(PARENT or 1, resource.RLIMIT_CORE),
    "a handle of its parent": lambda: os.pidfd_open(PARENT or 1),
}


def found():
    for name, way in WAYS.items():
        try:
            way()
        except OSError:
            continue
        return name
    return None


play(lambda message: got(message, found()))

"""Takes descriptors out of its parent by ``pidfd_getfd``. It must fail, and it plays on."""

import ctypes
import os

from arena import Bot

PIDFD_OPEN, PIDFD_GETFD = 434, 438


class TakesDescriptors(Bot):
    def start(self, context):
        call = ctypes.CDLL(None, use_errno=True).syscall
        handle = call(PIDFD_OPEN, os.getppid(), 0)
        if handle >= 0 and any(call(PIDFD_GETFD, handle, number, 0) >= 0 for number in range(64)):
            raise RuntimeError("GOT: a descriptor of its parent")

    def act(self, observation):
        return observation.legal_actions[0]

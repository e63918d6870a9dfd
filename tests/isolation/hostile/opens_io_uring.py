"""Opens an io_uring, through which a process does I/O without system calls. It plays on."""

import ctypes

from arena import Bot

IO_URING_SETUP = 425


class OpensIoUring(Bot):
    def start(self, context):
        call = ctypes.CDLL(None, use_errno=True).syscall
        if call(IO_URING_SETUP, 4, ctypes.create_string_buffer(256)) >= 0:
            raise RuntimeError("GOT: an io_uring")

    def act(self, observation):
        return observation.legal_actions[0]

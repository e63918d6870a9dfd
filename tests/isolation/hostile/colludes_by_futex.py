"""Waits by a page of a file that every bot may read, where others could find it waiting.

A shared futex is known by its page and offset, in whichever process it is mapped: one waits or
does not, the other wakes and learns a bit. Here it looks for a thread of its own. Expected: nobody
is ever found; it plays on.
"""

import ctypes
import mmap
import os
import platform
import threading
import time

from arena import Action, Bot

FUTEX = 98 if platform.machine() == "aarch64" else 202
WAIT, WAKE = 0, 1
LIBC = ctypes.CDLL(None)
LIBC.mmap.restype = ctypes.c_void_p


def page():
    file = os.open(os.__file__, os.O_RDONLY)
    place = LIBC.mmap(None, ctypes.c_size_t(4096), mmap.PROT_READ, mmap.MAP_SHARED, file, 0)
    os.close(file)
    return place


class ColludesByFutex(Bot):
    found = 0

    def start(self, context) -> None:
        self.word = page() + 4 * (os.getpid() % 1000)
        value = ctypes.c_uint32.from_address(self.word).value
        arguments = (FUTEX, ctypes.c_void_p(self.word), WAIT, value, None, None, 0)
        threading.Thread(target=LIBC.syscall, args=arguments, daemon=True).start()
        time.sleep(0.01)

    def act(self, observation) -> Action:
        found = LIBC.syscall(FUTEX, ctypes.c_void_p(self.word), WAKE, 1, None, None, 0)
        if found > 0:
            raise RuntimeError(f"GOT: {found} waiting by a page of a file")
        return observation.legal_actions[0]

"""Counts the machine's processes and threads, of which its other processes can start some.

By the kernel's own count, and by the links of /proc, which needs not be readable. It must fail, and
it plays on.
"""

import ctypes
import os
import struct

from arena import Bot

LIBC = ctypes.CDLL(None)


class CountsProcesses(Bot):
    def start(self, context):
        info = ctypes.create_string_buffer(112)
        if LIBC.sysinfo(info) == 0:
            raise RuntimeError(f"GOT: {struct.unpack_from('H', info, 80)[0]} processes by sysinfo")
        if os.path.exists("/proc") and os.stat("/proc").st_nlink > 2:
            raise RuntimeError(f"GOT: {os.stat('/proc').st_nlink} processes by /proc")

    def act(self, observation):
        return observation.legal_actions[0]

"""Makes system calls in the 32-bit and the x32 way, which have other numbers.

A filter that looks at the number alone lets them pass. It must lose by crash, or play on.
"""

import ctypes
import mmap
import os

from arena import Bot

OLD_GETPID = b"\xb8\x14\x00\x00\x00\xcd\x80\xc3"  # mov eax, 20; int 0x80; ret
X32_GETPID = 0x40000000 | 39


class CallsAsAnotherMachine(Bot):
    def start(self, context):
        if os.uname().machine != "x86_64":
            return
        try:
            memory = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
        except OSError:
            return
        memory.write(OLD_GETPID)
        call = ctypes.CFUNCTYPE(ctypes.c_int)
        got = call(ctypes.addressof(ctypes.c_char.from_buffer(memory)))()
        if got > 0 or ctypes.CDLL(None).syscall(X32_GETPID) > 0:
            raise RuntimeError("GOT: a system call of another machine")

    def act(self, observation):
        return observation.legal_actions[0]

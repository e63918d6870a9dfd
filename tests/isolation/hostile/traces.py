"""Attaches to its parent as a debugger, and reads and writes its memory. It plays on."""

import ctypes
import os

from arena import Bot

LIBC = ctypes.CDLL(None, use_errno=True)
PTRACE_ATTACH, PTRACE_DETACH, PTRACE_SEIZE = 16, 17, 0x4206


class Piece(ctypes.Structure):
    _fields_ = (("base", ctypes.c_void_p), ("length", ctypes.c_size_t))


class Traces(Bot):
    def start(self, context):
        parent = os.getppid()
        LIBC.ptrace.argtypes = [ctypes.c_long, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p]
        if parent and LIBC.ptrace(PTRACE_SEIZE, parent, None, None) == 0:
            LIBC.ptrace(PTRACE_DETACH, parent, None, None)
            raise RuntimeError("GOT: its parent by ptrace")
        # A fork has its parent's memory at the same addresses.
        own = ctypes.create_string_buffer(8)
        there = Piece(id(Traces), 8)
        here = Piece(ctypes.addressof(own), 8)
        for name in ("process_vm_readv", "process_vm_writev"):
            call = getattr(LIBC, name)
            ctypes.set_errno(0)
            moved = call(parent, ctypes.byref(here), 1, ctypes.byref(there), 1, 0)
            # EFAULT: it was let in, and only missed the address.
            if moved > 0 or ctypes.get_errno() == 14:
                raise RuntimeError(f"GOT: its parent's memory by {name}")

    def act(self, observation):
        return observation.legal_actions[0]

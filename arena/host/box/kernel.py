"""System calls that Python's library has no function for, by ctypes."""

from __future__ import annotations

import ctypes
import os
from typing import TypeAlias

from arena.host.box.syscalls import this_machine

Argument: TypeAlias = "int | bytes | ctypes.Array[ctypes.c_char] | None"

_LIBC = ctypes.CDLL(None, use_errno=True)
_LIBC.syscall.restype = ctypes.c_long

_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, _PR_SET_NO_NEW_PRIVS = 1, 4, 38
_CAPABILITY_VERSION_3 = 0x2008_0522
_OWN_CAPABILITIES = _CAPABILITY_VERSION_3.to_bytes(4, "little") + bytes(4)
_CAP_DAC_READ_SEARCH = 1 << 2


def call(name: str, *arguments: Argument) -> int:
    """Makes a system call; returns what the kernel returns.

    Args:
        name: The call, as in the table of ``syscalls``.
        arguments: Numbers, bytes that the kernel only reads, and buffers that it writes.

    Raises:
        OSError: The kernel refuses; or this machine has no such call.
    """
    number = this_machine().numbers.get(name)
    if number is None:
        raise OSError(f"this machine has no system call {name}")
    return _checked("syscall", number, *arguments, about=name)


def _checked(function: str, *arguments: Argument, about: str = "") -> int:
    if not hasattr(_LIBC, function):
        raise OSError(f"this system has no {function}: bots are isolated only on Linux")
    # It takes whatever comes: a bare int would be passed as half a register.
    words = [ctypes.c_long(each) if isinstance(each, int) else each for each in arguments]
    ctypes.set_errno(0)
    result: int = getattr(_LIBC, function)(*words)
    if result == -1:
        error = ctypes.get_errno()
        raise OSError(error, f"{about or function}: {os.strerror(error)}")
    return result


def die_with_parent(signal_number: int = 9) -> None:
    """Has this process killed when its parent *thread* ends, which a pool's thread does early."""
    parent = os.getppid()
    _checked("prctl", _PR_SET_PDEATHSIG, signal_number, 0, 0, 0)
    if os.getppid() != parent:  # it ended before the kernel was asked to watch it
        os.kill(os.getpid(), signal_number)


def hide_memory() -> None:
    """Lets no other process of this user trace this one, and no crash write its memory to disk."""
    _checked("prctl", _PR_SET_DUMPABLE, 0, 0, 0, 0)


def give_up_privileges() -> None:
    """Prevents any program started from here on from gaining rights; root keeps hardly any.

    Root may still read files of other users, to whom folders of the project and of bots may belong.
    It can no longer raise limits, signal or trace others' processes, or mount.
    """
    _checked("prctl", _PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    kept = (capabilities() & _CAP_DAC_READ_SEARCH).to_bytes(4, "little")
    _checked("capset", _OWN_CAPABILITIES, kept + kept + bytes(16))


def capabilities() -> int:
    """The rights of this process that are in force: the first 32, as bits (capabilities(7))."""
    now = ctypes.create_string_buffer(24)  # twice: effective, permitted, inheritable
    _checked("capget", _OWN_CAPABILITIES, now)
    return int.from_bytes(now.raw[:4], "little")

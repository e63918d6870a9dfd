"""The number of threads of one process, held to a limit by whoever started it.

No limit of the kernel's holds for one process alone: RLIMIT_NPROC counts all processes and threads
of a user together, and root's not at all. So the process leaves each ``clone`` to be decided by
another (seccomp's user notifications, Linux 5.5), which counts its threads at that moment. See
seccomp_unotify(2).
"""

from __future__ import annotations

import errno
import fcntl
import os
import select
import socket
import struct
from contextlib import suppress

from arena.host.box.seccomp import install, referral_program
from arena.host.box.syscalls import this_machine

_NEW_LISTENER = 8
_RECEIVE, _SEND = 0xC050_2100, 0xC018_2101
_REQUEST, _REQUEST_SIZE = struct.Struct("QI"), 80
_ANSWER = struct.Struct("QqiI")
_CONTINUE = 1


def refer_threads(line: int) -> None:
    """Has every further ``clone`` of this process decided by the other end of a socket.

    ``no_new_privs`` must be set before, and the last filter of system calls set after: this one
    lets everything else pass. The descriptor of the socket is closed.

    Raises:
        OSError: This kernel has no such filters, or somebody else uses them for this process.
    """
    listener = install(referral_program(this_machine()), _NEW_LISTENER)
    with socket.socket(fileno=line) as wire:
        socket.send_fds(wire, [b"."], [listener])
    os.close(listener)


def receive_listener(line: socket.socket) -> int | None:
    """The descriptor on which a process's requests for threads come.

    ``None`` if the process closed the line without sending one.

    Raises:
        BlockingIOError: Nothing has come yet.
    """
    line.setblocking(False)  # ``recv_fds`` ignores its flags in Python 3.11
    try:
        _, descriptors, _, _ = socket.recv_fds(line, 1, 1)
    except BlockingIOError:
        raise
    except OSError:
        return None
    return descriptors[0] if descriptors else None


def answer(listener: int, process: int, most: int) -> None:
    """Decides one request for a thread.

    Two threads of a process that ask at the same moment may both get one, so that for a moment it
    may have nearly twice as many; never more.

    Args:
        listener: Where the request came.
        process: Whose it is.
        most: Threads that the process may have, its first included.
    """
    waiting = select.poll()
    waiting.register(listener, select.POLLIN)
    if not waiting.poll(0):
        return  # who asked was killed: to receive would wait for the next request
    request = bytearray(_REQUEST_SIZE)
    # Who asked may be killed meanwhile, and nobody waits for the answer.
    with suppress(OSError):
        fcntl.ioctl(listener, _RECEIVE, request)
        number, _ = _REQUEST.unpack_from(request)
        refused = count(process) >= most
        error, flags = (-errno.EAGAIN, 0) if refused else (0, _CONTINUE)
        fcntl.ioctl(listener, _SEND, _ANSWER.pack(number, 0, error, flags))


def count(process: int) -> int:
    """The threads that a process has now; raises ``OSError`` if it is gone."""
    return os.stat(f"/proc/{process}/task").st_nlink - 2

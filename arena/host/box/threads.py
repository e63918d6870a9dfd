"""The threads of one process, decided by whoever started it: their number, and waits for their end.

No limit of the kernel's holds for one process alone: RLIMIT_NPROC counts all processes and threads
of a user together, and root's not at all. So the process leaves each ``clone`` to be decided by
another (seccomp's user notifications, Linux 5.5), which counts its threads at that moment. See
seccomp_unotify(2).

A thread waits for another's end by a shared futex, which no bot may have (``seccomp``): C libraries
ask again at once when they are refused, and would take a whole core. So these waits are decided
here, too, and each is refused after a moment: longer for one that is asked for again and again.
"""

from __future__ import annotations

import errno
import fcntl
import heapq
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
_CALL = struct.Struct("16xi12x6Q")
_ANSWER = struct.Struct("QqiI")
_CONTINUE = 1
FIRST_WAIT, MAX_WAIT = 0.001, 0.02
"""Seconds until a wait is refused: each time twice as many, so that who waits finds out late by no
more than it has waited."""
_SOON = 0.1
"""Seconds in which a wait that was refused is asked for again, on a machine that is busy."""
_MAX_REMEMBERED = 1_000


def refer_threads(line: int) -> None:
    """Has the other end of a socket decide all further threads of this process (``REFERRED``).

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
    """The descriptor on which the requests that a process refers come.

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


class Referrals:
    """Decides what one process refers: new threads, and waits for the end of one.

    Args:
        listener: The descriptor on which its requests come, which is closed with this.
        process: Its number.
    """

    def __init__(self, listener: int, process: int) -> None:
        self._listener, self._process = listener, process
        self._waits: list[tuple[float, int]] = []  # a heap: when to refuse which request
        self._refused: dict[tuple[int, int, int], tuple[float, float]] = {}

    def close(self) -> None:
        """Closes the descriptor."""
        os.close(self._listener)

    def serve(self, most: int, now: float) -> None:
        """Decides one request, or notes when it is to be refused (``refuse_waits``).

        Two threads of a process that ask for one at the same moment may both get it, so that for a
        moment it may have nearly twice as many; never more.

        Args:
            most: Threads that the process may have, its first included.
            now: The time, by ``monotonic``.
        """
        waiting = select.poll()
        waiting.register(self._listener, select.POLLIN)
        if not waiting.poll(0):
            return  # who asked was killed: to receive would wait for the next request
        request = bytearray(_REQUEST_SIZE)
        # Who asked may be killed meanwhile, and nobody waits for the answer.
        with suppress(OSError):
            fcntl.ioctl(self._listener, _RECEIVE, request)
            number, thread = _REQUEST.unpack_from(request)
            call, address, _, expected, *_ = _CALL.unpack_from(request)
            if call != this_machine().numbers["clone"]:
                due = now + self._pause((thread, address, expected), now)
                heapq.heappush(self._waits, (due, number))
            elif count(self._process) >= most:
                self._answer(number, error=errno.EAGAIN)
            else:
                self._answer(number, flags=_CONTINUE)

    def refuse_waits(self, now: float) -> float | None:
        """Refuses the waits whose time has come; returns when the next one is due."""
        while self._waits and self._waits[0][0] <= now:
            # Who asked may have been stopped or killed meanwhile, or interrupted by a signal.
            with suppress(OSError):
                self._answer(heapq.heappop(self._waits)[1], error=errno.EAGAIN)
        return self._waits[0][0] if self._waits else None

    def _pause(self, wait: tuple[int, int, int], now: float) -> float:
        """Returns the seconds until a wait (thread, address, expected value) is refused."""
        pause, refused = self._refused.get(wait, (0.0, now))
        again = pause and now < refused + _SOON
        pause = min(2 * pause, MAX_WAIT) if again else FIRST_WAIT
        if len(self._refused) >= _MAX_REMEMBERED:
            self._refused.clear()
        self._refused[wait] = pause, now + pause
        return pause

    def _answer(self, number: int, *, error: int = 0, flags: int = 0) -> None:
        fcntl.ioctl(self._listener, _SEND, _ANSWER.pack(number, 0, -error, flags))


def count(process: int) -> int:
    """The threads that a process has now; raises ``OSError`` if it is gone."""
    return os.stat(f"/proc/{process}/task").st_nlink - 2

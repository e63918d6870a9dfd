"""The threads of one process, decided by the host: their number, and waits for their end.

RLIMIT_NPROC counts all processes of a user together, and root's not at all. So the host decides
each ``clone`` of the process (seccomp's user notifications, Linux 5.5) by counting its threads. See
seccomp_unotify(2).

A thread waits for another's end by a shared futex, which no bot may have (``seccomp``). C libraries
retry a refused wait at once and would take a whole core. So the host refuses each wait after a
time, which doubles with each retry.
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
"""Seconds until a wait is refused: each time twice as many, so that the delay stays in proportion.
"""
_SOON = 0.1
"""Seconds in which a wait that was refused is asked for again, on a machine that is busy."""
_MAX_REMEMBERED = 1_000


def refer_threads(line: int) -> None:
    """Lets the other end of a socket decide the further threads of this process; closes the socket.

    ``no_new_privs`` must be set before, and the last filter of system calls set after: this one
    lets everything else pass.

    Raises:
        OSError: This kernel has no such filters, or the process has one already.
    """
    listener = install(referral_program(this_machine()), _NEW_LISTENER)
    with socket.socket(fileno=line) as wire:
        socket.send_fds(wire, [b"."], [listener])
    os.close(listener)


def receive_listener(line: socket.socket) -> int | None:
    """Returns the descriptor of a process's requests; ``None`` if it closed the line without one.

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
    """Decides the calls that a process refers: new threads, and waits for the end of one.

    Args:
        listener: The descriptor of its requests, which is closed with this.
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
        """Decides one request, or notes when to refuse it (``refuse_waits``).

        Two threads that ask at the same time may both get one, so for an instant the process may
        have nearly twice ``most``, which counts its first thread, too.
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
        """Refuses the waits that are due; returns when the next one is."""
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

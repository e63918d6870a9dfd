"""A thread that watches the threads, memory and rest of bots' processes.

The host itself may be busy for seconds, with a trusted bot or with a batch of answers.
"""

from __future__ import annotations

import os
import re
import select
import signal
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from time import monotonic

from arena.core.errors import HarnessFault
from arena.core.outcome import Termination
from arena.host.box import threads
from arena.host.process.launch import Resources
from arena.host.process.loss import ProcessLost

TOO_MUCH_MEMORY = "it took more memory than it may"
LOOK_SECONDS = 0.02
"""Time between two looks at each process."""
IDLE_LOOKS = 2
"""Looks in a row at a process of which nothing is asked, until it is stopped."""
_MEMORY = re.compile(rb"\n(?:VmRSS|VmPTE|VmSwap):\s*(\d+)")
"""Lines of ``/proc/PID/status`` about memory: resident and shared, page tables, and swap, in KiB.
Source: proc_pid_status(5). The first line is not among them: the process chooses that name."""
_THREADS = re.compile(rb"\nThreads:\s*(\d+)")
_KIBIBYTE = 1 << 10
_MAX_LENGTH = 8_192
_GONE = (FileNotFoundError, ProcessLookupError)
"""Errors of reading about a process, or a thread, that has ended."""


class Monitored:
    """A process that the monitor watches.

    A process runs during its requests. Between them it is stopped (SIGSTOP), so that it cannot
    compute on others' time.

    Args:
        process: Its number.
        send_signal: Sends it a signal; does nothing when it is gone.
        line: May bring the descriptor of its requests about threads.

    Attributes:
        lost: Reason why it was killed, if it was.
        fault: Reason why it is not watched any more, if the harness failed.
    """

    def __init__(
        self, process: int, send_signal: Callable[[int], None], line: socket.socket
    ) -> None:
        self.process, self._line = process, line
        self._send_signal = send_signal
        self._lock = threading.Lock()
        self._asked, self._stopped, self._idle_looks = True, False, 0
        self._over = False
        self._status = StatusFile(process)
        self._referrals: threads.Referrals | None = None
        self.lost: ProcessLost | None = None
        self.fault: HarnessFault | None = None

    def wake(self) -> None:
        """Lets it run, as it is going to be asked something; to be called before that is sent."""
        with self._lock:
            self._asked = True
            if self._stopped:
                self._stopped = False
                self._send_signal(signal.SIGCONT)

    def rest(self) -> None:
        """Notes that nothing is asked of it any more."""
        with self._lock:
            self._asked, self._idle_looks = False, 0

    def look(self, resources: Resources) -> None:
        """Kills it if it has more than it may, and stops it if it should rest."""
        with self._lock:
            if self._over or self._stopped or self.lost is not None:
                return
            excess = self._status.find_excess(resources)
            if excess is not None:
                excess.idle = not self._asked
                self.lost = excess
                self._send_signal(signal.SIGKILL)
            elif not self._asked:
                self._idle_looks += 1
                if self._idle_looks >= IDLE_LOOKS:
                    self._stopped = True
                    self._send_signal(signal.SIGSTOP)

    def abandon(self, fault: HarnessFault) -> None:
        """Kills it, as nobody can watch it any more; no match is lost by that."""
        with self._lock:
            self.fault = fault
            if not self._over:
                self._send_signal(signal.SIGKILL)

    def serve(self, most: int) -> int | None:
        """Takes a descriptor first, which it returns, and then the requests that come on it."""
        with self._lock:
            if self._over:
                return None
            if self._referrals is not None:
                self._referrals.serve(most, monotonic())
                return None
            try:
                listener = threads.receive_listener(self._line)
            except BlockingIOError:
                return None  # it may still come
            self._line.close()
            if listener is not None:
                self._referrals = threads.Referrals(listener, self.process)
            return listener

    def refuse_waits(self) -> float | None:
        """Refuses waits that are due; returns when the next one is, if any."""
        with self._lock:
            if self._over or self._referrals is None:
                return None
            return self._referrals.refuse_waits(monotonic())

    def end(self) -> None:
        """Lets go of it: it is, or is about to be, gone."""
        with self._lock:
            self._over = True
            self._line.close()
            self._status.close()
            if self._referrals is not None:
                self._referrals.close()


class StatusFile:
    """The status file of a process, opened once: each system call costs the host's thread time."""

    def __init__(self, process: int) -> None:
        self._process = process
        self._file: int | None = None

    def find_excess(self, resources: Resources) -> ProcessLost | None:
        """Finds a resource of which the process has more than it may; ``None`` if it is gone."""
        try:
            if self._file is None:
                self._file = os.open(f"/proc/{self._process}/status", os.O_RDONLY | os.O_CLOEXEC)
            status = os.pread(self._file, _MAX_LENGTH, 0)
            held = _memory(status) or _memory_of_threads(self._process)
        except _GONE:
            return None
        if held > resources.memory:
            return ProcessLost(Termination.MEMORY, TOO_MUCH_MEMORY)
        threads_line = _THREADS.search(status)
        if threads_line and int(threads_line[1]) > resources.threads:
            return ProcessLost(Termination.THREADS, "it started more threads than it may")
        return None

    def close(self) -> None:
        """Closes the file."""
        if self._file is not None:
            os.close(self._file)
            self._file = None


def _memory(status: bytes) -> int:
    """Returns the bytes of memory in a status file; 0 for a thread that has ended."""
    return sum(map(int, _MEMORY.findall(status))) * _KIBIBYTE


def _memory_of_threads(process: int) -> int:
    """Returns the memory of a process whose first thread has ended, by any other one."""
    for thread in os.listdir(f"/proc/{process}/task"):
        with suppress(*_GONE), open(f"/proc/{process}/task/{thread}/status", "rb") as file:
            if held := _memory(file.read()):
                return held
    return 0


class Monitor:
    """The thread that watches, until ``close``.

    If it fails, all processes are killed, and each has the fault: matches are void, and none hangs.

    Raises:
        HarnessFault: The machine, or this user, has no more threads.
    """

    def __init__(self, resources: Resources) -> None:
        self._resources = resources
        self._known: dict[Monitored, None] = {}
        self._fault: HarnessFault | None = None
        self._waiting: dict[int, Monitored] = {}
        self._due: dict[Monitored, float] = {}
        self._poll = select.epoll()
        self._closed, self._close = os.pipe()
        self._poll.register(self._closed, select.EPOLLIN)
        self._thread = threading.Thread(target=self._run, name="monitor", daemon=True)
        try:
            self._thread.start()
        except RuntimeError as error:
            self._release()
            raise HarnessFault(f"the bots' processes cannot be watched: {error}") from None

    def add(self, monitored: Monitored, line: int) -> None:
        """Watches one more process, which has a line of that descriptor, from now on."""
        self._known[monitored] = None
        self._wait_for(line, monitored)
        if self._fault is not None:
            monitored.abandon(self._fault)

    def remove(self, monitored: Monitored) -> None:
        """Lets go of a process."""
        self._known.pop(monitored, None)
        monitored.end()

    def close(self) -> None:
        """Ends the watch; processes that are left are let go of."""
        os.write(self._close, b".")
        self._thread.join()
        for monitored in list(self._known):
            self.remove(monitored)
        self._release()

    def _release(self) -> None:
        self._poll.close()
        os.close(self._closed)
        os.close(self._close)

    def _wait_for(self, descriptor: int, monitored: Monitored) -> None:
        self._waiting[descriptor] = monitored
        self._poll.register(descriptor, select.EPOLLIN)

    def _run(self) -> None:
        # The host's own signals are for its main thread.
        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        try:
            self._watch()
        except Exception as error:  # else all processes would go on unwatched, or wait for ever
            kind = type(error).__name__
            self._fault = HarnessFault(f"the bots' processes cannot be watched: {kind}: {error}")
            for monitored in list(self._known):
                monitored.abandon(self._fault)

    def _watch(self) -> None:
        next_look = monotonic() + LOOK_SECONDS
        while True:
            until = min([next_look, *self._due.values()])
            for descriptor, events in self._poll.poll(max(0.0, until - monotonic())):
                if descriptor == self._closed:
                    return
                self._serve(descriptor, events)
            for monitored, due in list(self._due.items()):
                if monotonic() >= due:
                    self._refuse_waits(monitored)
            if monotonic() >= next_look:
                for monitored in list(self._known):
                    monitored.look(self._resources)
                next_look = monotonic() + LOOK_SECONDS

    def _refuse_waits(self, monitored: Monitored) -> None:
        due = monitored.refuse_waits()
        if due is None:
            self._due.pop(monitored, None)
        else:
            self._due[monitored] = due

    def _serve(self, descriptor: int, events: int) -> None:
        monitored = self._waiting.get(descriptor)
        listener = None
        if monitored is not None and events & select.EPOLLIN:
            listener = monitored.serve(self._resources.threads)
            self._refuse_waits(monitored)
        elif events & select.EPOLLHUP:
            # It ended; its descriptor is closed by whoever waits for that.
            with suppress(OSError):
                self._poll.unregister(descriptor)
        if monitored is not None and listener is not None:
            with suppress(OSError):
                self._wait_for(listener, monitored)

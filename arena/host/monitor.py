"""Watches the processes of one table's bots: their threads, their memory, and that they rest.

It works in a thread of its own, since the table process may be busy for seconds: with a trusted
bot that thinks, or with the matches that a batch of answers has set off.
"""

from __future__ import annotations

import os
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
from arena.host.launch import Resources
from arena.host.loss import Lost

TOO_MUCH_MEMORY = "it took more memory than it may"
LOOK_SECONDS = 0.02
"""Time between two looks at each process."""
IDLE_LOOKS = 2
"""So many looks in a row at a process of which nothing is asked, and it is stopped."""
_COUNTED = (b"VmRSS:", b"VmPTE:", b"VmSwap:")
"""Lines of ``/proc/PID/status`` that are memory: what it holds (shared memory included), the page
tables that this takes, and what was swapped out. Source: proc_pid_status(5)."""
_KIBIBYTE = 1 << 10
_LONGEST = 8_192


class Monitored:
    """One process, as the monitor knows it.

    A process runs while it is asked something. When nothing is, it is stopped (SIGSTOP) after a
    moment, and goes on with the next request: it cannot compute on others' time.

    Args:
        process: Its number.
        send_signal: Sends it one; nothing happens when it is gone.
        line: On which it may send the descriptor that its requests for threads come on.

    Attributes:
        lost: Why it was killed, if it was.
    """

    def __init__(
        self, process: int, send_signal: Callable[[int], None], line: socket.socket
    ) -> None:
        self.process, self._line = process, line
        self._send_signal = send_signal
        self._lock = threading.Lock()
        self._asked, self._stopped, self._idle_looks = True, False, 0
        self._over = False
        self._listener: int | None = None
        self.lost: Lost | None = None

    def wake(self) -> None:
        """It is going to be asked something; to be called before it is sent."""
        with self._lock:
            self._asked = True
            if self._stopped:
                self._stopped = False
                self._send_signal(signal.SIGCONT)

    def rest(self) -> None:
        """Nothing is asked of it any more."""
        with self._lock:
            self._asked, self._idle_looks = False, 0

    def look(self, resources: Resources) -> None:
        """Kills it if it has more than it may, and stops it if it should rest."""
        with self._lock:
            if self._over or self._stopped or self.lost is not None:
                return
            excess = _excess(self.process, resources)
            if excess is not None:
                excess.idle = not self._asked
                self.lost = excess
                self._send_signal(signal.SIGKILL)
            elif not self._asked:
                self._idle_looks += 1
                if self._idle_looks >= IDLE_LOOKS:
                    self._stopped = True
                    self._send_signal(signal.SIGSTOP)

    def serve(self, most: int) -> int | None:
        """Takes what has come: first a descriptor, and then on that the requests for threads.

        Args:
            most: Threads that it may have.

        Returns:
            The descriptor, when it is new.
        """
        with self._lock:
            if self._over:
                return None
            if self._listener is not None:
                threads.answer(self._listener, self.process, most)
                return None
            self._listener = threads.receive_listener(self._line)
            self._line.close()
            return self._listener

    def end(self) -> None:
        """Lets go of it: it is, or is about to be, gone."""
        with self._lock:
            self._over = True
            self._line.close()
            if self._listener is not None:
                os.close(self._listener)


def _excess(process: int, resources: Resources) -> Lost | None:
    """What a process has too much of, if it has."""
    try:
        with open(f"/proc/{process}/status", "rb", buffering=0) as file:
            lines = file.read(_LONGEST).splitlines()
    except OSError:
        return None  # it is gone
    held, running = 0, 0
    for line in lines:
        if line.startswith(_COUNTED):
            held += int(line.split()[1]) * _KIBIBYTE
        elif line.startswith(b"Threads:"):
            running = int(line.split()[1])
    if held > resources.memory:
        return Lost(Termination.MEMORY, TOO_MUCH_MEMORY)
    if running > resources.threads:
        return Lost(Termination.THREADS, "it started more threads than it may")
    return None


class Monitor:
    """The thread that watches; it works until ``close``.

    Args:
        resources: What each process may use.

    Raises:
        HarnessFault: The machine, or this user, has no more threads.
    """

    def __init__(self, resources: Resources) -> None:
        self._resources = resources
        self._known: dict[Monitored, None] = {}
        self._waiting: dict[int, Monitored] = {}
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
        """Watches one more process, from now on.

        Args:
            monitored: The process.
            line: Descriptor of its line.
        """
        self._known[monitored] = None
        self._wait_for(line, monitored)

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
        # The table process's own signals are for its main thread.
        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        next_look = monotonic() + LOOK_SECONDS
        while True:
            for descriptor, events in self._poll.poll(max(0.0, next_look - monotonic())):
                if descriptor == self._closed:
                    return
                self._serve(descriptor, events)
            if monotonic() >= next_look:
                for monitored in list(self._known):
                    monitored.look(self._resources)
                next_look = monotonic() + LOOK_SECONDS

    def _serve(self, descriptor: int, events: int) -> None:
        monitored = self._waiting.get(descriptor)
        listener = None
        if monitored is not None and events & select.EPOLLIN:
            listener = monitored.serve(self._resources.threads)
        elif events & select.EPOLLHUP:
            # It ended; its descriptor is closed by whoever waits for that.
            with suppress(OSError):
                self._poll.unregister(descriptor)
        if monitored is not None and listener is not None:
            with suppress(OSError):
                self._wait_for(listener, monitored)

"""The table process's end of its fork server: processes of bots, started, timed and killed."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Self

import msgspec
import trio

from arena.core.errors import HarnessFault
from arena.host.box.bubblewrap import boxed_command
from arena.host.box.levels import Level
from arena.host.grants import Grants
from arena.host.launch import (
    ENVIRONMENT,
    Launch,
    Order,
    Reply,
    Terms,
    python_command,
    runtime_modules,
)
from arena.host.wires import receive, send
from arena.plugins.entries import BotSource

_BOOT = "import sys; sys.path[:0] = sys.argv[3:]; from arena.host.zygote import main; main()"
_PAGE = os.sysconf("SC_PAGESIZE")
ENDING_SECONDS = 5.0
"""How long a fork server may take to end, before it is killed."""


class Child:
    """A bot's process, as seen from the table process.

    Attributes:
        talk: The socket on which it is asked and answers.
        log: The descriptor from which its stdout and stderr are read.
    """

    def __init__(
        self, server: ForkServer, number: int, handle: int, talk: socket.socket, log: int
    ) -> None:
        self._server, self._number, self._handle = server, number, handle
        self._process = _process_of(handle) if handle >= 0 else number
        # The clock of another process: how Linux numbers the clocks of its processes.
        self._clock = ~self._process << 3 | 2
        self.talk, self.log = talk, log

    def cpu_ns(self) -> int:
        """CPU time of all its threads so far; 0 when it is gone."""
        try:
            return time.clock_gettime_ns(self._clock)
        except OSError:
            return 0

    def resident(self) -> int:
        """Bytes of memory that it holds; 0 when it is gone, or nobody can tell."""
        try:
            with open(f"/proc/{self._process}/statm") as file:
                return int(file.read().split()[1]) * _PAGE
        except (OSError, IndexError):
            return 0

    async def gone(self) -> None:
        """Waits until it has ended by itself."""
        if self._handle >= 0:
            await trio.lowlevel.wait_readable(self._handle)
        else:
            await trio.sleep_forever()

    def end(self) -> int:
        """Kills it, if it still runs, and lets go of everything.

        Returns:
            Its exit code, or the negative number of the signal that killed it.
        """
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process, signal.SIGKILL)
        with suppress(ProcessLookupError):
            if self._handle >= 0:
                signal.pidfd_send_signal(self._handle, signal.SIGKILL)
            else:
                os.kill(self._process, signal.SIGKILL)
        self.talk.close()
        os.close(self.log)
        if self._handle >= 0:
            os.close(self._handle)
        return self._server.status(self._number)


class ForkServer:
    """Starts bots' processes; use it as a context, which ends all of them with it.

    Args:
        terms: How the processes are kept apart; at ``BOXED`` the server itself is in the box.
        bots: Whom it is to serve.
    """

    def __init__(self, terms: Terms, bots: Sequence[BotSource]) -> None:
        ours, theirs = socket.socketpair()
        folders = dict.fromkeys(runtime_modules().values())
        command = python_command(_BOOT, str(theirs.fileno()), terms.level, *folders)
        self._grants = Grants(terms, bots)
        if terms.level is Level.BOXED:
            command = boxed_command(command, self._grants.of_all())
        with theirs:
            self._server = subprocess.Popen(
                command,
                env=ENVIRONMENT,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )
        self._wire = ours

    def launch(self, launch: Launch) -> Child:
        """Starts a bot's process; it is confined before it runs a line of the bot's.

        Raises:
            BadPlugin: It asks for files that no bot is granted.
            HarnessFault: The fork server is gone.
        """
        read, execute = self._grants.of(launch.source)
        launch = msgspec.structs.replace(launch, read=read, execute=execute)
        talk, its_talk = socket.socketpair()
        log, its_log = os.pipe()
        try:
            send(talk, launch)
            reply, handles = self._ask(Order(game=launch.game), [its_talk.fileno(), its_log])
        except HarnessFault:
            talk.close()
            os.close(log)
            raise
        finally:
            its_talk.close()
            os.close(its_log)
        talk.setblocking(False)
        os.set_blocking(log, False)
        return Child(self, reply.process, handles[0] if handles else -1, talk, log)

    def status(self, process: int) -> int:
        """How a process of that number ended; waits until it has."""
        return self._ask(Order(ended=process))[0].status

    def _ask(self, order: Order, descriptors: Sequence[int] = ()) -> tuple[Reply, list[int]]:
        try:
            send(self._wire, order, descriptors)
            answer = receive(self._wire, Reply)
        except OSError:
            answer = None
        if answer is None:
            raise HarnessFault("the fork server for bots' processes ended; see the lines above")
        return answer

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the server, and with it every process that it started."""
        self._wire.close()
        # It ends by itself then. A bubblewrap that is killed while it starts would leave a child
        # that waits for it for ever.
        try:
            self._server.wait(ENDING_SECONDS)
        except subprocess.TimeoutExpired:
            self._server.kill()
            self._server.wait()


def _process_of(handle: int) -> int:
    """The number of a process in this process's own counting: the box has one of its own."""
    with open(f"/proc/self/fdinfo/{handle}") as file:
        for line in file:
            if line.startswith("Pid:"):
                return int(line.split()[1])
    raise HarnessFault("a process handle without a process")

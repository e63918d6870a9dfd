"""The client of a fork server, which starts, times and kills the processes of bots."""

from __future__ import annotations

import os
import select
import signal
import socket
import subprocess
import time
from collections.abc import Sequence
from contextlib import AbstractContextManager, suppress

import trio

from arena.core.errors import HarnessFault
from arena.core.outcome import Termination
from arena.host.box.bubblewrap import boxed_command
from arena.host.box.cgroups import Group, Groups, open_groups
from arena.host.box.levels import Level
from arena.host.process.control_channel import receive, send
from arena.host.process.grants import Grants
from arena.host.process.launch import (
    ENVIRONMENT,
    GameSource,
    MatchSettings,
    ProcessSpec,
    Reply,
    SpawnRequest,
    python_command,
    runtime_modules,
)
from arena.host.process.loss import ProcessLost
from arena.host.process.monitor import TOO_MUCH_MEMORY, Monitor, Monitored
from arena.plugins.entries import BotSource

_BOOT = (
    "import sys; sys.path[:0] = sys.argv[3:]; from arena.host.process.zygote import main; main()"
)
REPLY_SECONDS = 60.0
"""Time for a reply of the fork server: a bubblewrap killed at its start leaves a child that never
replies."""
ENDING_SECONDS = 5.0
"""Seconds that a fork server may take to end, before its process group is killed."""
PAUSES = (0.05, 0.2, 0.8)
"""Seconds before each further try, while the machine has no room for another process."""


class Child:
    """A handle on one bot process: its descriptors, its clock and its end.

    Attributes:
        spec: Its first message from ``talk``, which names its rights.
        process: Its number.
        talk: The socket for requests and answers.
        log: The descriptor of its stdout and stderr.
        monitored: Its entry with the monitor.
        group: Its control group, if any.
    """

    group: Group | None = None

    def __init__(
        self,
        server: ForkServer,
        spec: ProcessSpec,
        number: int,
        handle: int,
        talk: socket.socket,
        log: int,
        line: socket.socket,
    ) -> None:
        self._server, self._number, self._handle = server, number, handle
        self.spec = spec
        self.process = _process_of(handle) if handle >= 0 else number
        # The clock of another process: how Linux numbers the clocks of its processes.
        self._clock = ~self.process << 3 | 2
        self.talk, self.log = talk, log
        self.monitored = Monitored(self.process, self.send_signal, line)

    def cpu_ns(self) -> int:
        """Returns the CPU time of all its threads so far; 0 when it is gone."""
        try:
            return time.clock_gettime_ns(self._clock)
        except OSError:
            return 0

    async def gone(self) -> None:
        """Waits until it has ended by itself."""
        if self._handle >= 0:
            await trio.lowlevel.wait_readable(self._handle)
        else:
            await trio.sleep_forever()

    def ends_by(self, deadline: float) -> bool:
        """Returns whether it ends by itself before a time of the monotonic clock."""
        if self._handle < 0:
            return False
        ended = select.poll()
        ended.register(self._handle, select.POLLIN)
        return bool(ended.poll(max(0.0, deadline - time.monotonic()) * 1e3))

    def end(self) -> int:
        """Kills it, if it still runs, and closes everything.

        Returns:
            Its exit code, or the negative number of the signal that killed it.
        """
        self._server.monitor.remove(self.monitored)
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process, signal.SIGKILL)
        self.send_signal(signal.SIGKILL)
        self.talk.close()
        os.close(self.log)
        if self._handle >= 0:
            os.close(self._handle)
        status = self._server.status(self._number)
        if self.group is not None:
            if self.monitored.lost is None and self.group.ran_out_of_memory():
                self.monitored.lost = ProcessLost(Termination.MEMORY, TOO_MUCH_MEMORY)
            self.group.remove()
        return status

    def send_signal(self, number: int) -> None:
        """Sends it a signal; nothing happens when it is gone."""
        with suppress(ProcessLookupError):
            if self._handle >= 0:
                signal.pidfd_send_signal(self._handle, number)
            else:
                os.kill(self.process, number)


class ForkServer(AbstractContextManager["ForkServer"]):
    """Starts bots' processes; as a context it ends all of them.

    Args:
        settings: With their isolation; at ``BOXED`` the server itself is in the box.
        bots: The bots of the field.
    """

    def __init__(self, settings: MatchSettings, bots: Sequence[BotSource]) -> None:
        self.settings, self._game = settings, GameSource.of(settings.game)
        ours, theirs = socket.socketpair()
        folders = dict.fromkeys(runtime_modules().values())
        command = python_command(_BOOT, str(theirs.fileno()), settings.level, *folders)
        self._grants = Grants(settings, bots)
        if settings.level is Level.BOXED:
            command = boxed_command(command, self._grants.of_all())
        with theirs:
            try:
                self._server = subprocess.Popen(
                    command,
                    env=ENVIRONMENT,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    pass_fds=[theirs.fileno()],
                    start_new_session=True,
                )
            except OSError as error:
                ours.close()
                msg = f"the fork server for bots' processes cannot be started: {error.strerror}"
                raise HarnessFault(msg) from None
        self._wire = ours
        self._wire.settimeout(REPLY_SECONDS)
        self._groups: Groups | None = None
        with suppress(OSError):  # limits of the process's own hold without them
            self._groups = open_groups(self._server.pid)
        try:
            self.monitor = Monitor(settings.resources)
        except HarnessFault:
            self._end()
            raise

    def spawn(self, source: BotSource) -> Child:
        """Starts a bot's process; it is confined before it runs a line of the bot.

        The caller sends it ``Child.spec``, framed, as its first message: it may be long.

        Raises:
            BadPlugin: It asks for files that no bot is granted.
            HarnessFault: The fork server is gone, or the machine has no room for another process.
        """
        memory = self.settings.resources.memory
        spec = ProcessSpec(source, self.settings.level, memory, self._grants.of(source))
        for pause in (0.0, *PAUSES):
            time.sleep(pause)
            child, error = self._spawn(spec)
            if child is not None:
                return child
        raise HarnessFault(f"no process can be started for a bot: {error}")

    def _spawn(self, spec: ProcessSpec) -> tuple[Child | None, str]:
        (talk, its_talk), (line, its_line) = socket.socketpair(), socket.socketpair()
        log, its_log = os.pipe()
        child = None
        try:
            theirs = [its_talk.fileno(), its_log, its_line.fileno()]
            reply, handles = self._ask(SpawnRequest(game=self._game), theirs)
            if not reply.error:
                handle = handles[0] if handles else -1
                child = Child(self, spec, reply.process, handle, talk, log, line)
                # The caller sends it its spec: nothing of the bot's runs outside its group.
                self._place(child)
        finally:
            its_talk.close()
            its_line.close()
            os.close(its_log)
            if child is None:
                talk.close()
                line.close()
                os.close(log)
        if child is not None:
            talk.setblocking(False)
            os.set_blocking(log, False)
            self.monitor.add(child.monitored, line.fileno())
        return child, reply.error

    def _place(self, child: Child) -> None:
        if self._groups is None:
            return
        most = self.settings.resources
        try:
            child.group = self._groups.add(child.process, tasks=most.threads, memory=most.memory)
        except OSError as error:
            child.end()
            raise HarnessFault(f"a bot's process gets no control group: {error}") from None

    def status(self, process: int) -> int:
        """Waits until the process of that number has ended; returns how it did."""
        return self._ask(SpawnRequest(ended=process))[0].status

    def _ask(
        self, request: SpawnRequest, descriptors: Sequence[int] = ()
    ) -> tuple[Reply, list[int]]:
        try:
            send(self._wire, request, descriptors)
            answer = receive(self._wire, Reply)
        except OSError:
            answer = None
        if answer is None:
            raise HarnessFault("the fork server for bots' processes ended; see the lines above")
        return answer

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the server, and with it every process that it started."""
        self.monitor.close()
        self._end()

    def _end(self) -> None:
        self._wire.close()
        if self._server.returncode is None:
            with suppress(subprocess.TimeoutExpired):
                self._server.wait(ENDING_SECONDS)  # it ends by itself then
            # But a bubblewrap that is killed while it starts leaves a child in its group that waits
            # for it for ever.
            if self._server.returncode != 0:
                with suppress(ProcessLookupError, PermissionError):
                    os.killpg(self._server.pid, signal.SIGKILL)
            self._server.wait()
        if self._groups is not None:
            self._groups.close()


def _process_of(handle: int) -> int:
    """Returns the number of a process as this process counts; the box has its own."""
    with open(f"/proc/self/fdinfo/{handle}") as file:
        for line in file:
            if line.startswith("Pid:"):
                return int(line.split()[1])
    raise HarnessFault("a process handle without a process")

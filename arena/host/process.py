"""A lane: one bot's process for one leg of every deal, kept running, killed when it must be.

It asks batches and gives answers, or says how the process was lost. Who is guilty of a loss, and
what comes of it, is for the table to decide.
"""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Callable, Sequence
from contextlib import suppress
from time import perf_counter_ns

import trio
from trio.lowlevel import in_trio_run, notify_closing, wait_readable

from arena.core.errors import BadPlugin, HarnessFault
from arena.core.outcome import Termination
from arena.host.codecs import PACKED, TEXT, BadAnswer
from arena.host.control_channel import framed
from arena.host.forkserver import Child, ForkServer
from arena.host.framing import BadFrame
from arena.host.launch import ProcessSpec, Resources
from arena.host.loss import LAST_WORDS_SECONDS, UNASKED, ProcessLost, ended_by, mismatch
from arena.host.messages import PROTOCOL, Answer, Answered, Hello, Ready, Request
from arena.host.queue import plain
from arena.host.starvation import Waits
from arena.host.trio_helpers import wait_for_either

READ = 1 << 16
MOST_REFUSAL = 1_000
"""Characters of a refusal that are shown."""
FRAME = 65_536
"""Bytes that any answer frame may have, ..."""
FRAME_A_REQUEST = 32_768
"""... and besides for each of the requests that it answers: room for a traceback."""
LATE_NS = 100_000_000
"""Nanoseconds by which a table process must itself be late for a deadline to excuse a bot."""
EXCUSES = 3
"""Number of such excuses in a row."""
MEASURED_FROM = 8
"""After one in so many parts of a limit it is measured whether a process is kept from running."""
PATIENCE = 10
"""So many times its limit a process may take where others keep it from running."""
STARVED = "a bot's process hardly ever had a processor: this machine has too much to do"


class BotProcess:
    """One process of one bot. Not running until it is started.

    Args:
        server: Starts the process.
        launch: What to start.
        resources: What it may use.

    Attributes:
        epoch: Number of the present process, from 1; what an earlier one knew is gone.
        batch: How many requests the bot takes at a time.
        codec: How it is talked to.
    """

    def __init__(self, server: ForkServer, launch: ProcessSpec, resources: Resources) -> None:
        self._server, self._launch, self._resources = server, launch, resources
        self.codec = TEXT if launch.source.command else PACKED
        self.epoch = 0
        self.batch = 1
        self._child: Child | None = None
        self._born, self._over = trio.Event(), trio.Event()
        self._log = b""
        self._heard = memoryview(bytearray(READ))
        self._output_left = 0
        self._cpu_ns = 0
        self._trouble: ProcessLost | None = None
        self._scope: trio.CancelScope | None = None

    @property
    def running(self) -> bool:
        """Whether there is a process."""
        return self._child is not None

    def log(self) -> str:
        """The end of what the process wrote to stdout and stderr."""
        return self._log.decode("utf-8", "backslashreplace")

    async def attend(self) -> None:
        """Keeps the log; runs beside everything else."""
        while True:
            if self._child is None:
                await self._born.wait()
            else:
                await self._keep_log(self._child)

    async def start(self) -> Ready:
        """Starts the process and waits until the bot is ready.

        Raises:
            ProcessLost: It does not get ready; with what it says of that, or what became of it.
        """
        try:
            self._child = self._server.launch(self._launch)
        except BadPlugin as error:
            reason = plain(f"its process cannot be started: {error}", MOST_REFUSAL)
            raise self._lose(ProcessLost(Termination.CRASH, reason)) from None
        self._reader = self.codec.reader(FRAME)
        self._log, self._trouble = b"", None
        self._born.set()
        self._over = trio.Event()
        hello = Hello(PROTOCOL, self._launch.game_name, self._launch.source.parameters)
        said: list[Ready] = []

        def take(payload: bytes) -> bool:
            said.append(self.codec.ready(payload))
            return True

        limit_ns = self._resources.startup_ns
        # The launch is sent within the limit and as it is read: it may be longer than the line
        # holds, and a process that never reads would keep us here.
        opening = framed(self._child.launch) + self.codec.encode([hello])
        await self._converse(opening, limit_ns, take)
        ready = said[0]
        if ready.refusal:
            raise self._lose(
                ProcessLost(Termination.CRASH, plain(ready.refusal, MOST_REFUSAL), ready.error)
            )
        if ready.protocol != PROTOCOL:
            reason = f"it speaks version {ready.protocol} of the protocol, not {PROTOCOL}"
            raise self._lose(ProcessLost(Termination.PROTOCOL, reason))
        self.batch = ready.batch
        self.epoch += 1
        self._cpu_ns = self._child.cpu_ns()
        return ready

    async def ask(
        self, requests: Sequence[Request], wanted: Sequence[int], limit_ns: int, outputs: int = 1
    ) -> Answered:
        """Sends a batch and waits for its answers.

        Args:
            requests: The requests, in order.
            wanted: The ids of those that want an answer, in order; at least one.
            limit_ns: Wall-clock nanoseconds for all of them together.
            outputs: How often what it may write during one request.

        Raises:
            ProcessLost: The process was lost, or what it answered is no answer; then it was killed.
        """
        child, size = self._child, len(wanted)
        assert child is not None
        answers: list[Answer] = []

        whole = self.codec.whole

        def take(payload: bytes) -> bool:
            had, more = len(answers), self.codec.answers(payload)
            answers.extend(more)
            done = len(answers) == size
            if [answer.id for answer in more] != wanted[had : len(answers)] or whole > done:
                raise BadAnswer(mismatch(answers, wanted) if whole else UNASKED)
            return done

        self._reader.limit = FRAME + whole * size * FRAME_A_REQUEST
        wall_ns = await self._converse(self.codec.encode(requests), limit_ns, take, outputs)
        before, self._cpu_ns = self._cpu_ns, child.cpu_ns()
        return Answered(answers, wall_ns, self._cpu_ns - before)

    def tell(self, requests: Sequence[Request]) -> None:
        """Sends what wants no answer, if the process takes it at once: nothing depends on it."""
        if self._child is not None:
            child, data = self._child, self.codec.encode(requests)
            child.monitored.wake()
            with suppress(OSError):
                if child.talk.send(data) < len(data):
                    self._end(child)  # it could make nothing of half a message
            child.monitored.rest()

    def hang_up(self) -> None:
        """Lets the process end by itself, once it has read what it was told; ``stop`` follows."""
        if self._child is not None:
            self._child.monitored.wake()
            with suppress(OSError):
                self._child.talk.shutdown(socket.SHUT_WR)

    def stop(self, deadline: float = 0.0) -> None:
        """Ends the process, if there is one and it does not end by itself before the deadline."""
        if self._child is not None:
            if deadline:
                self._child.ends_by(deadline)
            with suppress(HarnessFault):  # the fork server may be gone, and the process with it
                self._end(self._child)

    async def _converse(
        self, data: bytes, limit_ns: int, take: Callable[[bytes], bool], outputs: int = 1
    ) -> int:
        """One exchange: sends, and reads until ``take`` has all; its wall-clock nanoseconds."""
        child = self._child
        assert child is not None
        self._output_left = outputs * self._resources.output
        self._unsent = memoryview(data)
        lost = self._trouble
        child.monitored.wake()
        try:
            if lost is None:
                took = await self._in_time(child, take, limit_ns)
                self._take_log(child)  # now, so that it does not count for the next request
                if took is not None and self._trouble is None:
                    return took
                lost = self._trouble or ProcessLost(Termination.TIMEOUT, "over its time")
        except (BadFrame, BadAnswer) as error:
            lost = ProcessLost(Termination.PROTOCOL, str(error))
        except OSError:
            lost = self._trouble or await self._ending(child)
        finally:
            self._scope = None
            child.monitored.rest()
        if child.monitored.fault is not None:
            raise child.monitored.fault
        raise self._lose(child.monitored.lost or lost)

    async def _in_time(
        self, child: Child, take: Callable[[bytes], bool], limit_ns: int
    ) -> int | None:
        """An exchange within a limit: the nanoseconds that it took, ``None`` if it took too long.

        Time in which other processes kept the bot's from running does not count (see ``Waits``).
        And the time begins anew when this process was itself late for the deadline: the machine
        stood still, or had too much to do.

        Raises:
            HarnessFault: The bot hardly had a processor at all: that is nobody's loss.
        """
        began = perf_counter_ns()
        quick_ns = limit_ns // MEASURED_FROM
        if await self._ends_by(began + quick_ns, child.talk, take):
            return perf_counter_ns() - began
        used_ns, excuses = quick_ns, EXCUSES
        while not self._trouble and used_ns < limit_ns:
            waits = Waits(child.process, child.cpu_ns)
            window_ns = max(limit_ns - used_ns, quick_ns)
            ended = await self._ends_by(waits.began + window_ns, child.talk, take)
            took_ns = perf_counter_ns() - waits.began
            own_ns = took_ns - waits.starved_ns(took_ns)
            if ended:
                return used_ns + own_ns
            if took_ns - window_ns >= LATE_NS and excuses:
                used_ns, excuses = 0, excuses - 1
                continue
            used_ns += own_ns
            if perf_counter_ns() - began > PATIENCE * limit_ns:
                raise HarnessFault(STARVED)
        return None

    async def _ends_by(
        self, deadline_ns: int, talk: socket.socket, take: Callable[[bytes], bool]
    ) -> bool:
        """True if an exchange ends before a time; if not, it can be continued."""
        seconds = max(0, deadline_ns - perf_counter_ns()) / 1e9
        with trio.move_on_after(seconds) as self._scope:
            await self._exchange(talk, take)
            return True
        return False

    async def _exchange(self, talk: socket.socket, take: Callable[[bytes], bool]) -> None:
        """Sends, and meanwhile hears: a bot may answer long before it has read everything."""
        while True:
            with suppress(BlockingIOError):
                while self._unsent:
                    self._unsent = self._unsent[talk.send(self._unsent) :]
            await (wait_for_either(talk) if self._unsent else wait_readable(talk))
            if self._hear(talk, take):
                break
        if self._unsent:
            raise BadAnswer(UNASKED)

    def _hear(self, talk: socket.socket, take: Callable[[bytes], bool]) -> bool:
        """Reads what has come; whether it is all that was wanted."""
        try:
            size = talk.recv_into(self._heard)
        except BlockingIOError:
            return False
        if not size:
            raise ConnectionResetError("it hung up")
        done = False
        for payload in self._reader.feed(self._heard[:size]):
            if done:
                raise BadAnswer(UNASKED)
            done = take(payload)
        return done

    async def _ending(self, child: Child) -> ProcessLost:
        """How a process ended that hung up; one that lives on is killed."""
        with trio.move_on_after(LAST_WORDS_SECONDS) as scope:
            await child.gone()
        if scope.cancelled_caught:
            return ProcessLost(Termination.PROTOCOL, "it closed its line to the harness")
        self._take_log(child)
        status = self._end(child)
        return ProcessLost(Termination.CRASH, ended_by(status), killed=status == -signal.SIGKILL)

    def _lose(self, lost: ProcessLost) -> ProcessLost:
        """Ends the process; the loss, with the log for whoever wants to know more."""
        if self._child is not None:
            self._take_log(self._child)
            self._end(self._child)
        lost.error = lost.error or self.log()
        return lost

    def _end(self, child: Child) -> int:
        self._child, self._born = None, trio.Event()
        self._over.set()
        if in_trio_run():
            notify_closing(child.talk)
            notify_closing(child.log)
        return child.end()

    async def _keep_log(self, child: Child) -> None:
        """Reads the log as it comes, until the process is gone."""
        over = self._over
        with suppress(trio.ClosedResourceError):
            while self._child is child and self._take_log(child):
                await wait_readable(child.log)
            await over.wait()

    def _take_log(self, child: Child) -> bool:
        """Reads what there is of the log, keeps its end; whether there may come more."""
        try:
            data = os.read(child.log, READ)
        except BlockingIOError:
            return True
        self._log = (self._log + data)[-self._resources.log :] if self._resources.log else b""
        self._output_left -= len(data)
        if self._output_left < 0:
            self._stop_for(ProcessLost(Termination.OUTPUT, "it wrote too much to its log"))
        return bool(data)

    def _stop_for(self, trouble: ProcessLost) -> None:
        """Whoever waits for an answer, or asks next, is told of that instead."""
        self._trouble = self._trouble or trouble
        if self._scope is not None:
            self._scope.cancel()

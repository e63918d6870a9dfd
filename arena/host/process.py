"""One process of a bot: started, asked in batches, and killed when it has to be.

It returns answers or raises how the process was lost. Finding out which match is guilty of a loss
is left to the bot's dispatcher.
"""

from __future__ import annotations

import os
import re
import select
import signal
import socket
from collections.abc import Callable, Sequence
from contextlib import suppress
from time import perf_counter_ns
from typing import NamedTuple, Self

import trio
from trio.lowlevel import wait_readable

from arena.core.errors import BadPlugin, HarnessFault
from arena.core.outcome import Termination
from arena.host.bot_runtime import STACK_SIGNAL
from arena.host.codecs import TEXT, BadAnswer, codec_for
from arena.host.control_channel import framed
from arena.host.forkserver import Child, ForkServer
from arena.host.framing import BadFrame
from arena.host.logs import LogEnd, ProcessLog
from arena.host.loss import HUNG_UP_SECONDS, UNASKED, ProcessLost, ended_by, mismatch, plain
from arena.host.messages import PROTOCOL, Answer, Hello, Ready, Request
from arena.host.starvation import Waits
from arena.match.limits import A_DECISION, ITS_START, over_time
from arena.plugins.entries import BotSource

READ = 1 << 16
MOST_REFUSAL = 1_000
"""Characters of a refusal that are shown."""
FRAME = 65_536
"""Bytes that any answer frame may have, ..."""
FRAME_A_REQUEST = 32_768
"""... and besides for each of the requests that it answers: room for a traceback."""
LATE_NS = 100_000_000
"""Nanoseconds by which the host itself must be late for a deadline to excuse a bot."""
EXCUSES = 3
"""Number of such excuses in a row."""
MEASURED_FROM = 8
"""After one in so many parts of a limit it is measured whether a process is kept from running."""
PATIENCE = 10
"""So many times its limit a process may take where others keep it from running."""
STACK_SECONDS = 0.25
"""Time until our runtime begins to write where a late bot's code is, ..."""
STACK_REST_SECONDS = 0.02
"""... and then for the rest of it."""
_OURS = re.compile(rb'\n  File "[^"\n]*/arena/host/bot_runtime\.py", line \d+ in .*', re.DOTALL)
"""The frames of our runtime, below those of the bot, in a stack that faulthandler wrote."""
STARVED = "a bot's process hardly ever had a processor: this machine has too much to do"


class Answered(NamedTuple):
    """The answers to a batch, in the order of its requests, and the time that they took.

    One of a run is the id of an action.
    """

    answers: Sequence[Answer | int]
    wall_ns: int
    cpu_ns: int


class BotProcess:
    """Runs one bot process and exchanges batches with it.

    As an ``async with`` scope it is started on entering, and ended on leaving. A dispatcher, whose
    process outlives the trio run of a chunk, calls ``start`` and ``stop`` itself.

    Args:
        server: Starts the process.
        source: The bot.

    Attributes:
        ready: Its handshake, once it has started.
    """

    ready: Ready

    def __init__(self, server: ForkServer, source: BotSource) -> None:
        self._server, self._source, self._resources = server, source, server.settings.resources
        self._codec = codec_for(source)
        self._reader = self._codec.reader(FRAME)
        self._child: Child | None = None
        self._received = memoryview(bytearray(READ))
        self._log = ProcessLog(self._resources.log)
        self._output_left = self._resources.output
        self._unsent = memoryview(b"")
        self._cpu_ns = 0

    async def __aenter__(self) -> Self:
        try:
            await self.start()
        except BaseException:
            self.stop()
            raise
        return self

    async def __aexit__(self, *error: object) -> None:
        self.stop()

    @property
    def running(self) -> bool:
        """True if the process was started and has not been ended."""
        return self._child is not None

    def log(self) -> str:
        """Returns the end of what the process wrote to stdout and stderr."""
        return self._log.text()

    def take_logs(self) -> dict[int, LogEnd]:
        """Returns what was printed for requests since the last time, by their ids."""
        return self._log.take()

    async def start(self) -> None:
        """Starts the process and waits until the bot is ready.

        Raises:
            ProcessLost: It does not get ready; with its own reason, or how the process ended.
        """
        try:
            child = self._child = self._server.spawn(self._source)
        except BadPlugin as error:
            reason = plain(f"its process cannot be started: {error}", MOST_REFUSAL)
            raise self._lose(ProcessLost(Termination.CRASH, reason)) from None
        self._events = select.epoll()
        self._events.register(child.talk, select.EPOLLIN)
        self._events.register(child.log, select.EPOLLIN)
        hello = Hello(PROTOCOL, self._server.settings.game.name, self._source.parameters)

        def take(payload: bytes) -> bool:
            self.ready = self._codec.ready(payload)
            return True

        # The spec is sent within the limit and as it is read: it may be longer than the line
        # holds, and a process that never reads would keep us here.
        opening = framed(child.spec) + self._codec.encode([hello])
        startup_ns = self._resources.startup_ns
        await self._exchange(opening, startup_ns, take, over_time(startup_ns, ITS_START))
        ready = self.ready
        if ready.refusal:
            reason = plain(ready.refusal, MOST_REFUSAL)
            raise self._lose(ProcessLost(Termination.CRASH, reason, ready.error))
        if ready.protocol != PROTOCOL:
            reason = f"it speaks version {ready.protocol} of the protocol, not {PROTOCOL}"
            raise self._lose(ProcessLost(Termination.PROTOCOL, reason))
        self._cpu_ns = child.cpu_ns()

    async def ask(
        self,
        requests: Sequence[Request],
        wanted: Sequence[int],
        limit_ns: int,
        outputs: int = 1,
        late: str = "",
    ) -> Answered:
        """Sends a batch and waits for its answers.

        Args:
            requests: The requests, in order.
            wanted: The ids of those that want an answer, in order; at least one.
            limit_ns: Wall-clock nanoseconds for all of them together.
            outputs: How often the output of one request it may write.
            late: Reason of the loss if it takes longer; by default that of a decision.

        Raises:
            ProcessLost: The process was lost, or sent something that is no answer; then it was
                killed.
        """
        child, codec, size = self._child, self._codec, len(wanted)
        assert child is not None
        whole = codec.whole
        answers: list[Answer | int] = []

        def take(payload: bytes) -> bool:
            right = True
            for one in codec.answers(payload):
                had = len(answers)
                if type(one) is Answer:
                    first = one.id
                    answers.append(one)
                else:
                    first, *actions = one  # type: ignore[misc] # a run
                    answers.extend(actions)
                # Ids follow each other, so that the first of a run is that of all.
                right = right and had < size and first == wanted[had]
            done = len(answers) == size
            if not right or whole > done:
                raise BadAnswer(mismatch(answers, wanted) if whole else UNASKED)
            return done

        self._reader.limit = FRAME + whole * size * FRAME_A_REQUEST
        late = late or over_time(limit_ns, A_DECISION)
        wall_ns = await self._exchange(
            codec.encode(requests), limit_ns, take, late, outputs, wanted
        )
        before, self._cpu_ns = self._cpu_ns, child.cpu_ns()
        return Answered(answers, wall_ns, self._cpu_ns - before)

    def send(self, requests: Sequence[Request]) -> None:
        """Sends what wants no answer, if the process takes it at once: nothing depends on it."""
        if self._child is not None:
            child, data = self._child, self._codec.encode(requests)
            child.monitored.wake()
            with suppress(OSError):
                if child.talk.send(data) < len(data):
                    self.stop()  # it could make nothing of half a message
            child.monitored.rest()

    def close_input(self) -> None:
        """Lets the process end by itself, once it has read what it was sent; ``stop`` follows."""
        if self._child is not None:
            self._child.monitored.wake()
            with suppress(OSError):
                self._child.talk.shutdown(socket.SHUT_WR)

    def stop(self, deadline: float = 0.0) -> None:
        """Ends the process, if it runs and does not end by itself before the deadline."""
        if self._child is not None:
            if deadline:
                self._child.ends_by(deadline)
            with suppress(HarnessFault):  # the fork server may be gone, and the process with it
                self._end(self._child)

    async def _exchange(
        self,
        data: bytes,
        limit_ns: int,
        take: Callable[[bytes], bool],
        late: str,
        outputs: int = 1,
        wanted: Sequence[int] = (),
    ) -> int:
        """Sends, and reads until ``take`` has all; returns the wall-clock nanoseconds."""
        child = self._child
        assert child is not None
        try:
            # Before and after, so that each request is charged with its own output alone. Nearly
            # always there is none: a poll that finds nothing costs less than a read.
            if self._events.poll(0):
                self._read_log(child, idle=True)
            self._log.begin(wanted)
            self._output_left = outputs * self._resources.output
            self._unsent = memoryview(data)
            child.monitored.wake()
            wall_ns = await self._in_time(child, take, limit_ns)
            if wall_ns is not None:
                if self._events.poll(0):
                    self._read_log(child)
                return wall_ns
            await self._log_stack(child)
            lost = ProcessLost(Termination.TIMEOUT, late)
        except ProcessLost as error:
            lost = error
        except BadFrame as error:
            lost = ProcessLost(Termination.PROTOCOL, str(error))
        except BadAnswer as error:
            lost = self._lost_by(error, child)
        except OSError:
            lost = await self._exit_of(child)
        finally:
            child.monitored.rest()
        if child.monitored.fault is not None:
            raise child.monitored.fault
        raise self._lose(child.monitored.lost or lost)

    async def _in_time(
        self, child: Child, take: Callable[[bytes], bool], limit_ns: int
    ) -> int | None:
        """Converses within a limit; returns the nanoseconds that it took, ``None`` if too long.

        Time in which other processes kept the bot's from running does not count (see ``Waits``).
        And the time begins anew when this process was itself late for the deadline: the machine
        stood still, or had too much to do.

        Raises:
            HarnessFault: The bot hardly had a processor at all: that is nobody's loss.
        """
        began = perf_counter_ns()
        quick_ns = limit_ns // MEASURED_FROM
        if await self._ends_by(began + quick_ns, child, take):
            return perf_counter_ns() - began
        used_ns, excuses = quick_ns, EXCUSES
        while used_ns < limit_ns:
            waits = Waits(child.process, child.cpu_ns)
            window_ns = max(limit_ns - used_ns, quick_ns)
            ended = await self._ends_by(waits.began + window_ns, child, take)
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

    async def _ends_by(self, deadline_ns: int, child: Child, take: Callable[[bytes], bool]) -> bool:
        """Returns whether the conversation ends before a time; if not, it can be continued."""
        with trio.move_on_after(max(0, deadline_ns - perf_counter_ns()) / 1e9):
            await self._converse(child, take)
            return True
        return False

    async def _converse(self, child: Child, take: Callable[[bytes], bool]) -> None:
        """Sends, and meanwhile reads: a bot may answer long before it has read everything."""
        talk, events = child.talk, self._events
        while True:
            with suppress(BlockingIOError):
                while self._unsent:
                    self._unsent = self._unsent[talk.send(self._unsent) :]
            if self._unsent:
                events.modify(talk, select.EPOLLIN | select.EPOLLOUT)
                await wait_readable(events)
                events.modify(talk, select.EPOLLIN)
            else:
                await wait_readable(events)
            for descriptor, _ in events.poll(0):
                if descriptor == child.log:
                    self._read_log(child)
                elif self._receive(talk, take):
                    if self._unsent:
                        raise BadAnswer(UNASKED)
                    return

    def _receive(self, talk: socket.socket, take: Callable[[bytes], bool]) -> bool:
        """Reads what has come; returns whether it is all that was wanted."""
        try:
            size = talk.recv_into(self._received)
        except BlockingIOError:
            return False
        if not size:
            raise ConnectionResetError("it hung up")
        done = False
        for payload in self._reader.feed(self._received[:size]):
            if done:
                raise BadAnswer(UNASKED)
            done = take(payload)
        return done

    def _read_log(self, child: Child, *, idle: bool = False) -> None:
        """Reads what there is of the log, and keeps its end.

        Raises:
            ProcessLost: There is more than the process may write.
        """
        try:
            data = os.read(child.log, READ)
        except BlockingIOError:
            return
        if not data:  # it closed both streams
            with suppress(OSError):
                self._events.unregister(child.log)
        self._output_left -= len(data) - self._log.feed(data)
        if self._output_left < 0:
            lost = ProcessLost(Termination.OUTPUT, "it wrote too much to its log")
            lost.idle = idle
            raise lost

    async def _log_stack(self, child: Child) -> None:
        """Lets our runtime write to the log where the code of a bot is that takes too long.

        It does so in a signal handler in C, which no loop of the bot's can keep from running. What
        comes is only shown to the bot's author: the bot may as well write it itself.
        """
        if self._source.command:
            return
        child.send_signal(STACK_SIGNAL)
        with trio.move_on_after(STACK_SECONDS) as scope, suppress(ProcessLost, OSError):
            while True:
                await wait_readable(child.log)
                self._read_log(child)
                scope.deadline = min(scope.deadline, trio.current_time() + STACK_REST_SECONDS)
        self._log.remove(_OURS)

    def _lost_by(self, error: BadAnswer, child: Child) -> ProcessLost:
        """Returns the loss of a process by what it sent, with the beginning of a program's line."""
        lost = ProcessLost(Termination.PROTOCOL, error.reason)
        if error.sent and self._codec is TEXT:
            with suppress(ProcessLost):
                self._read_log(child)
            lost.error = f"it sent this line: {error.sent}\n{self.log()}"
        return lost

    async def _exit_of(self, child: Child) -> ProcessLost:
        """Finds how a process ended that hung up; one that lives on is killed."""
        with trio.move_on_after(HUNG_UP_SECONDS) as scope:
            await child.gone()
        if scope.cancelled_caught:
            return ProcessLost(Termination.PROTOCOL, "it closed its line to the harness")
        with suppress(ProcessLost):
            self._read_log(child)
        status = self._end(child)
        return ProcessLost(Termination.CRASH, ended_by(status), killed=status == -signal.SIGKILL)

    def _lose(self, lost: ProcessLost) -> ProcessLost:
        """Ends the process; returns the loss, with the log for whoever wants to know more."""
        if self._child is not None:
            with suppress(ProcessLost):
                self._read_log(self._child)
            self._end(self._child)
        lost.error = lost.error or self.log()
        return lost

    def _end(self, child: Child) -> int:
        self._child = None
        self._events.close()
        return child.end()

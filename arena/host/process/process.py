"""One process of a bot: started, asked in batches, and killed if necessary.

It returns answers or raises how the process was lost. The bot's dispatcher finds the guilty match.
"""

from __future__ import annotations

import os
import re
import select
import signal
import socket
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from time import perf_counter_ns
from typing import Self

import trio
from trio.lowlevel import wait_readable

from arena.core.errors import BadPlugin, HarnessFault
from arena.core.outcome import Termination
from arena.host.bot.bot_runtime import STACK_SIGNAL
from arena.host.bot.logs import LogEnd, ProcessLog
from arena.host.process.control_channel import framed
from arena.host.process.forkserver import Child, ForkServer
from arena.host.process.loss import HUNG_UP_SECONDS, ProcessLost, ended_by, plain
from arena.host.process.silence import silence_of
from arena.host.process.starvation import MEASURED_FROM, Waits, in_time
from arena.host.wire.answers import UNASKED, Answered, Answers
from arena.host.wire.codecs import TEXT, BadAnswer, codec_for
from arena.host.wire.framing import BadFrame
from arena.host.wire.messages import PROTOCOL, Hello, Ready, Request
from arena.match.limits import A_DECISION, ITS_START, over_time
from arena.plugins.entries import BotSource

READ = 1 << 16
MAX_REFUSAL_LENGTH = 1_000
"""Characters of a refusal that are shown."""
FRAME = 65_536
"""Bytes that any answer frame may have, ..."""
FRAME_A_REQUEST = 32_768
"""... and for each of the requests that it answers: room for a traceback."""
STACK_SECONDS = 0.25
"""Time until our runtime begins to write where a late bot's code is, ..."""
STACK_REST_SECONDS = 0.02
"""... and then for the rest of it."""
_OURS = re.compile(rb'\n  File "[^"\n]*/arena/host/bot/bot_runtime\.py", line \d+ in .*', re.DOTALL)
"""The frames of our runtime, below those of the bot, in a stack that faulthandler wrote."""
_FAILURES = (ProcessLost, BadFrame, BadAnswer, OSError)
"""Errors by which a process is lost."""


class _Exchange:
    """An exchange with a process, until everything has been answered.

    Attributes:
        take: Takes each payload that comes; returns whether it was the last one.
        limit_ns: Nanoseconds that it may take.
        late: Reason of the loss if it takes longer.
        unsent: Bytes that could not be sent at once.
        began_ns: When it began, by ``perf_counter_ns``.
        error: An error that ``_finish`` will raise.
    """

    __slots__ = ("began_ns", "error", "late", "limit_ns", "take", "unsent")

    def __init__(
        self, data: bytes, limit_ns: int, take: Callable[[bytes], bool], late: str
    ) -> None:
        self.take, self.limit_ns, self.late = take, limit_ns, late
        self.unsent = memoryview(data)
        self.began_ns = perf_counter_ns()
        self.error: Exception | None = None


class BotProcess:
    """Runs one bot process and exchanges batches with it.

    ``begin`` sends a batch and never waits. ``finish`` waits for the answers. In between, a busy
    caller asks by ``receive``, and calls ``finish`` when answers are late, or something is wrong.

    An ``async with`` scope starts and ends it. A dispatcher calls ``start`` and ``stop`` itself, as
    its process outlives the trio run of a chunk.

    Attributes:
        ready: Its handshake, once it has started.
        events: Readable when ``receive`` has something; new after each ``start``.
    """

    ready: Ready
    events: select.epoll

    def __init__(self, server: ForkServer, source: BotSource) -> None:
        self._server, self._source, self._resources = server, source, server.settings.resources
        self._codec = codec_for(source)
        self._reader = self._codec.reader(FRAME)
        self._child: Child | None = None
        self._received = memoryview(bytearray(READ))
        self._log = ProcessLog(self._resources.log)
        self._output_left = 0
        self._exchange: _Exchange | None = None
        self._answers = Answers(self._codec, ())
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

    @property
    def needs_finish(self) -> bool:
        """True if ``finish`` has to see to the batch under way: it is late, or went wrong."""
        assert self._exchange is not None
        return self._exchange.error is not None or perf_counter_ns() > self.quick_until_ns

    @property
    def quick_until_ns(self) -> int:
        """The time by ``perf_counter_ns`` from which on the batch under way is late."""
        assert self._exchange is not None
        return self._exchange.began_ns + self._exchange.limit_ns // MEASURED_FROM

    def log(self) -> str:
        """Returns the end of what the process wrote to stdout and stderr."""
        return self._log.text()

    def take_logs(self) -> dict[int, LogEnd]:
        """Returns the output of requests since the last time, by their ids."""
        return self._log.take()

    async def start(self) -> None:
        """Starts the process and waits until the bot is ready.

        Raises:
            ProcessLost: It does not get ready; with its own reason, or how the process ended.
        """
        try:
            child = self._child = self._server.spawn(self._source)
        except BadPlugin as error:
            reason = plain(f"its process cannot be started: {error}", MAX_REFUSAL_LENGTH)
            raise self._lose(ProcessLost(Termination.CRASH, reason)) from None
        self.events = select.epoll()
        self.events.register(child.talk, select.EPOLLIN)
        self.events.register(child.log, select.EPOLLIN)
        hello = Hello(PROTOCOL, self._server.settings.game.name, self._source.parameters)

        def take(payload: bytes) -> bool:
            self.ready = self._codec.ready(payload)
            return True

        # The spec is sent within the limit and as it is read: it may be longer than the line
        # holds, and a process that never reads would keep us here.
        opening = framed(child.spec) + self._codec.encode([hello])
        startup_ns = self._resources.startup_ns
        self._begin(opening, startup_ns, take, over_time(startup_ns, ITS_START))
        await self._finish()
        ready = self.ready
        if ready.refusal:
            reason = plain(ready.refusal, MAX_REFUSAL_LENGTH)
            raise self._lose(ProcessLost(Termination.CRASH, reason, ready.error))
        if ready.protocol != PROTOCOL:
            reason = f"it speaks version {ready.protocol} of the protocol, not {PROTOCOL}"
            raise self._lose(ProcessLost(Termination.PROTOCOL, reason))
        self._cpu_ns = child.cpu_ns()

    def begin(
        self,
        requests: Sequence[Request],
        wanted: Sequence[int],
        limit_ns: int,
        outputs: int = 1,
        late: str = "",
    ) -> None:
        """Sends a batch, or as much of it as the process takes at once.

        Args:
            requests: The requests, in order.
            wanted: The ids of those that need an answer, in order; at least one.
            limit_ns: Wall-clock nanoseconds for all of them together.
            outputs: Limit of its output, in those of one request.
            late: Reason of the loss if it takes longer; by default that of a decision.
        """
        answers = self._answers = Answers(self._codec, wanted)
        self._reader.limit = FRAME + self._codec.whole * len(wanted) * FRAME_A_REQUEST
        data = self._codec.encode(requests)
        self._begin(data, limit_ns, answers.take, late, outputs, wanted)

    def receive(self) -> Answered | None:
        """Reads without waiting; returns the answers once they are complete.

        ``finish`` finds out what is wrong: see ``needs_finish``.
        """
        child, exchange = self._child, self._exchange
        assert child is not None
        assert exchange is not None
        if exchange.error is not None:
            return None
        try:
            if len(exchange.unsent):
                self._send_rest(child, exchange)
            done = self._receive(child.talk, exchange)
            if self.events.poll(0):
                self._read_log(child)
        except _FAILURES as error:
            exchange.error = error
            return None
        if not done:
            return None
        self._exchange = None
        child.monitored.rest()
        return self._answered(child, perf_counter_ns() - exchange.began_ns)

    async def finish(self) -> Answered:
        """Waits for the answers to the batch.

        Raises:
            ProcessLost: The process was lost, or killed for an answer that cannot be read.
        """
        child = self._child
        assert child is not None
        return self._answered(child, await self._finish())

    def _answered(self, child: Child, wall_ns: int) -> Answered:
        before, self._cpu_ns = self._cpu_ns, child.cpu_ns()
        return Answered(self._answers.taken, wall_ns, self._cpu_ns - before)

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
        """Lets the process end by itself, once it has read everything; ``stop`` follows."""
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

    def _begin(
        self,
        data: bytes,
        limit_ns: int,
        take: Callable[[bytes], bool],
        late: str,
        outputs: int = 1,
        wanted: Sequence[int] = (),
    ) -> None:
        """Sends what goes at once; ``take`` gets the answers, by ``receive`` or ``_finish``."""
        child = self._child
        assert child is not None
        exchange = self._exchange = _Exchange(data, limit_ns, take, late)
        try:
            # Before and after, so that each request is charged with its own output alone. Nearly
            # always there is none: a poll that finds nothing costs less than a read.
            if self.events.poll(0):
                self._log.begin(())  # what came since belongs to none of the last batch
                self._read_log(child, idle=True)
            self._log.begin(wanted)
            self._output_left = outputs * self._resources.output
            child.monitored.wake()
            with suppress(BlockingIOError):
                sent = child.talk.send(data)
                exchange.unsent = exchange.unsent[sent:]
            if len(exchange.unsent):
                self.events.modify(child.talk, select.EPOLLIN | select.EPOLLOUT)
        except _FAILURES as error:
            exchange.error = error

    async def _finish(self) -> int:
        """Reads until all has come; returns the wall-clock nanoseconds since ``_begin``."""
        child, exchange = self._child, self._exchange
        assert child is not None
        assert exchange is not None
        try:
            if exchange.error is not None:
                raise exchange.error
            waits = partial(Waits, child.process, child.cpu_ns)
            ends_by = partial(self._ends_by, child, exchange)
            wall_ns = await in_time(exchange.began_ns, exchange.limit_ns, waits, ends_by)
            if wall_ns is not None:
                if self.events.poll(0):
                    self._read_log(child)
                return wall_ns
            late = exchange.late or over_time(exchange.limit_ns, A_DECISION)
            lost = ProcessLost(Termination.TIMEOUT, late)
            if self._source.command:
                lost.hint = await silence_of(child.talk, self._reader.held)
            else:
                await self._log_stack(child)
        except ProcessLost as error:
            lost = error
        except BadFrame as error:
            lost = ProcessLost(Termination.PROTOCOL, str(error))
        except BadAnswer as error:
            lost = self._lost_by(error, child)
        except OSError:
            lost = await self._exit_of(child)
        finally:
            self._exchange = None
            child.monitored.rest()
        if child.monitored.fault is not None:
            raise child.monitored.fault
        raise self._lose(child.monitored.lost or lost)

    async def _ends_by(self, child: Child, exchange: _Exchange, deadline_ns: int) -> bool:
        """Returns whether the conversation ends before a time; if not, it can be continued."""
        with trio.move_on_after(max(0, deadline_ns - perf_counter_ns()) / 1e9):
            await self._converse(child, exchange)
            return True
        return False

    async def _converse(self, child: Child, exchange: _Exchange) -> None:
        """Sends and reads at once: a bot may answer long before it has read everything."""
        events = self.events
        while True:
            if len(exchange.unsent):
                self._send_rest(child, exchange)
            await wait_readable(events)
            for descriptor, _ in events.poll(0):
                if descriptor == child.log:
                    self._read_log(child)
                elif self._receive(child.talk, exchange):
                    return

    def _send_rest(self, child: Child, exchange: _Exchange) -> None:
        unsent = exchange.unsent
        with suppress(BlockingIOError):
            while len(unsent):
                sent = child.talk.send(unsent)
                unsent = unsent[sent:]
        exchange.unsent = unsent
        if not len(unsent):
            self.events.modify(child.talk, select.EPOLLIN)

    def _receive(self, talk: socket.socket, exchange: _Exchange) -> bool:
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
            done = exchange.take(payload)
        if done and len(exchange.unsent):
            raise BadAnswer(UNASKED)
        return done

    def _read_log(self, child: Child, *, idle: bool = False) -> None:
        try:
            data = os.read(child.log, READ)
        except BlockingIOError:
            return
        if not data:  # it closed both streams
            with suppress(OSError):
                self.events.unregister(child.log)
        self._output_left -= len(data) - self._log.feed(data)
        if self._output_left < 0:
            lost = ProcessLost(Termination.OUTPUT, "it wrote too much to its log")
            lost.idle = idle
            raise lost

    async def _log_stack(self, child: Child) -> None:
        """Lets our runtime write a late bot's stack to the log, for its author.

        A signal handler in C writes it, which no loop of the bot can prevent.
        """
        child.send_signal(STACK_SIGNAL)
        with trio.move_on_after(STACK_SECONDS) as scope, suppress(ProcessLost, OSError):
            while True:
                await wait_readable(child.log)
                self._read_log(child)
                scope.deadline = min(scope.deadline, trio.current_time() + STACK_REST_SECONDS)
        self._log.remove(_OURS)

    def _lost_by(self, error: BadAnswer, child: Child) -> ProcessLost:
        lost = ProcessLost(Termination.PROTOCOL, error.reason)
        if error.sent and self._codec is TEXT:
            with suppress(ProcessLost):
                self._read_log(child)
            lost.error = f"it sent this line: {error.sent}\n{self.log()}"
        return lost

    async def _exit_of(self, child: Child) -> ProcessLost:
        """Returns how a process ended that hung up; kills one that lives on."""
        with trio.move_on_after(HUNG_UP_SECONDS) as scope:
            await child.gone()
        if scope.cancelled_caught:
            return ProcessLost(Termination.PROTOCOL, "it closed its line to the harness")
        with suppress(ProcessLost):
            self._read_log(child)
        status = self._end(child)
        return ProcessLost(Termination.CRASH, ended_by(status), killed=status == -signal.SIGKILL)

    def _lose(self, lost: ProcessLost) -> ProcessLost:
        """Ends the process; returns the loss with its log."""
        if self._child is not None:
            with suppress(ProcessLost):
                self._read_log(self._child)
            self._end(self._child)
        lost.error = "\n".join(filter(None, (lost.error or self.log(), lost.hint)))
        return lost

    def _end(self, child: Child) -> int:
        self._child = None
        self.events.close()
        return child.end()
